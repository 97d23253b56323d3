/**
 * The schemas of this benchmark, inferred from its documents. `@moonpack/pck/infer` is not used: its rules may improve, and results
 * of different days would then be of different schemas.
 */
import type { Json } from "../../../corpus/select.js";

/** A type of a schema document, as far as one is inferred. */
export type InferredType =
  | "bool"
  | "uvar"
  | "ivar"
  | "uvar64"
  | "ivar64"
  | "f64"
  | "utf8"
  | { readonly enumeration: readonly string[] }
  | { readonly array: InferredType }
  | { readonly nullable: InferredType }
  | { readonly map: readonly ["utf8", InferredType] }
  | { readonly ref: string };

/** A field of a schema document. */
export interface InferredField {
  readonly name: string;
  readonly type: InferredType;
  readonly omit?: readonly ["null"];
}

/** A schema document. */
export interface InferredDocument {
  readonly pck: 1;
  readonly root: string;
  readonly structs: Readonly<Record<string, { readonly fields: readonly InferredField[] }>>;
}

type JsonObject = { readonly [key: string]: Json };

/** Text with few different values is an enumeration, as its author would declare it. */
const MAX_NAMES = 8;
const USES_OF_A_NAME = 8;
/** An object is a map if all objects together have more than this many times the keys of one. */
const KEYS_OF_A_MAP = 3;

/**
 * The schema document of a kind, from all of its documents. A kind that is an array is a struct with the field `items`.
 *
 * A field that is missing or null somewhere is optional (a boolean is false then). What has values of several types is text that
 * holds JSON. What is never set is left out.
 */
export function inferSchema(kind: string, documents: readonly Json[]): InferredDocument {
  const structs: Record<string, { fields: InferredField[] }> = {};

  function typeOf(name: string, values: readonly Json[]): InferredType | undefined {
    const set = values.filter((value) => value !== null);
    if (set.length === 0) return undefined;
    if (set.every((value) => typeof value === "boolean")) return "bool";
    if (set.every((value) => typeof value === "number")) return numberType(set);
    if (set.every((value) => typeof value === "string")) return textType(set);
    if (set.every((value) => Array.isArray(value))) {
      const elements = set.flat();
      const element = typeOf(`${name}Item`, elements);
      if (element === undefined) return undefined;
      return { array: elements.includes(null) ? { nullable: element } : element };
    }
    return set.every(isObject) ? objectType(name, set) : "utf8";
  }

  function objectType(name: string, objects: readonly JsonObject[]): InferredType | undefined {
    const keys = [...new Set(objects.flatMap((object) => Object.keys(object)))];
    const size = objects.reduce((sum, object) => sum + Object.keys(object).length, 0) / objects.length;
    if (keys.length > KEYS_OF_A_MAP * size) {
      const values = objects.flatMap((object) => Object.values(object));
      const value = typeOf(`${name}Value`, values);
      if (value !== undefined) return { map: ["utf8", values.includes(null) ? { nullable: value } : value] };
    }
    return keys.length === 0 ? undefined : structType(name, keys, objects);
  }

  function structType(name: string, keys: readonly string[], objects: readonly JsonObject[]): InferredType {
    const struct = { fields: [] as InferredField[] };
    structs[name] = struct;
    for (const key of keys) {
      const values = objects.map((object) => object[key] ?? null);
      const type = typeOf(`${name}.${key}`, values);
      if (type === undefined) continue;
      const isOptional = values.includes(null) && type !== "bool";
      struct.fields.push({ name: key, type, ...(isOptional ? { omit: ["null"] as const } : {}) });
    }
    return { ref: name };
  }

  const roots = documents.map(asObject);
  structType(kind, [...new Set(roots.flatMap((root) => Object.keys(root)))], roots);
  return { pck: 1, root: kind, structs };
}

/** A document as an object. */
export function asObject(document: Json): JsonObject {
  return isObject(document) ? document : { items: document };
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function numberType(values: readonly number[]): InferredType {
  if (!values.every(Number.isSafeInteger)) return "f64";
  if (values.every((value) => value >>> 0 === value)) return "uvar";
  if (values.every((value) => (value | 0) === value)) return "ivar";
  return values.every((value) => value >= 0) ? "uvar64" : "ivar64";
}

function textType(values: readonly string[]): InferredType {
  const names = [...new Set(values)];
  const isEnumeration =
    names.length <= MAX_NAMES && values.length >= USES_OF_A_NAME * names.length && names.every((name) => name !== "");
  return isEnumeration ? { enumeration: names } : "utf8";
}
