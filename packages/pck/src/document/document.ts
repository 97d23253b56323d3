/**
 * Schema documents: schemas as JSON (docs/pck-format.md, "Schema documents"). They are untrusted input, so every key is
 * checked.
 */
import { isJsonObject, toJson } from "../json/values.js";
import { MAX_TYPE_DEPTH } from "../model/build.js";
import { schemaError } from "../model/errors.js";
import type { Member, Model, Node, Struct } from "../model/model.js";
import { copyOfDefault } from "../schema/copy-default.js";
import { Field, JsonDefault, type OmitFlag } from "../schema/field.js";
import { type AnySchema, Schema } from "../schema/schema.js";
import { NUMBER_KINDS, type TypeShape } from "../schema/types.js";

/** A type in a document. */
export type DocumentType =
  | string
  | { readonly bytes: number }
  | { readonly ascii: number }
  | { readonly enumeration: readonly string[] }
  | { readonly array: DocumentType; readonly length?: number }
  | { readonly map: readonly [DocumentType, DocumentType] }
  | { readonly nullable: DocumentType }
  | { readonly ref: string }
  | { readonly union: readonly (readonly [string, string])[]; readonly discriminator?: string };

/** A field in a document. `default` is in the JSON form of values (docs/pck-format.md, "Values in JSON"). */
export interface DocumentField {
  readonly name: string;
  readonly type: DocumentType;
  readonly omit?: readonly OmitFlag[];
  readonly default?: unknown;
  readonly renamed?: readonly string[];
  readonly doc?: string;
}

/** A schema as JSON. */
export interface SchemaDocument {
  /** Version of the format. */
  readonly pck: 1;
  /** Name of the root struct. */
  readonly root: string;
  /** All structs by their names. */
  readonly structs: { readonly [name: string]: { readonly doc?: string; readonly fields: readonly DocumentField[] } };
}

/** Parses the text of a document. Throws `ERR_SCHEMA` for text that is not JSON; the content is not checked. */
export function parseDocument(text: string): SchemaDocument {
  try {
    return JSON.parse(text) as SchemaDocument;
  } catch (cause) {
    throw schemaError("", "a schema document must be JSON", cause);
  }
}

/** Returns the schemas of a document: its root first, then the other structs. Throws `ERR_SCHEMA` for an invalid document. */
export function schemasOf(document: unknown): readonly [AnySchema, ...AnySchema[]] {
  const top = keysOf(document, "the document", ["pck", "root", "structs"]);
  if (top.get("pck") !== 1) throw schemaError("", 'not a schema document of version 1 ("pck": 1)');
  const structs = top.get("structs");
  if (!isJsonObject(structs)) throw schemaError("", "structs must be an object");
  const schemas = new Map<string, AnySchema>();
  const refer = (name: unknown, where: string) => () => {
    const schema = typeof name === "string" ? schemas.get(name) : undefined;
    if (schema === undefined) throw schemaError(where, `unknown struct ${JSON.stringify(name)}`);
    return schema;
  };
  for (const name of Object.keys(structs)) {
    if (name === "") throw schemaError("", "the name of a struct must not be empty");
    const parts = keysOf(structs[name], name, ["doc", "fields"]);
    const fields = parts.get("fields");
    if (!Array.isArray(fields)) throw schemaError(name, "fields must be a list");
    const parsed = fields.map((field: unknown, i) => fieldOf(field, `${name}, field ${i}`, refer));
    schemas.set(name, new Schema<unknown, never>(name, parsed, textOf(parts, "doc", name)));
  }
  const root = refer(top.get("root"), "root")();
  return [root, ...[...schemas.values()].filter((schema) => schema !== root)];
}

type Refer = (name: unknown, where: string) => () => AnySchema;

function fieldOf(json: unknown, where: string, refer: Refer): Field {
  const parts = keysOf(json, where, ["name", "type", "omit", "default", "renamed", "doc"]);
  const name = parts.get("name");
  if (typeof name !== "string") throw schemaError(where, "a field must have a name");
  return new Field<string, unknown, never>(name, typeOf(parts.get("type"), where, refer, 1), {
    omit: listOf(parts, "omit", where) as OmitFlag[],
    hasDefault: parts.has("default"),
    fallback: parts.has("default") ? new JsonDefault(copyOfDefault(parts.get("default"), where)) : undefined,
    renamed: listOf(parts, "renamed", where),
    doc: textOf(parts, "doc", where),
  });
}

/** Returns a type: frozen, like the types of the DSL, and without references into the document. */
function typeOf(json: unknown, where: string, refer: Refer, depth: number): TypeShape {
  return Object.freeze(parsedType(json, where, refer, depth));
}

function parsedType(json: unknown, where: string, refer: Refer, depth: number): TypeShape {
  if (depth > MAX_TYPE_DEPTH) throw schemaError(where, `types nested deeper than ${MAX_TYPE_DEPTH}`);

  if (typeof json === "string") {
    if (json === "bytes" || json === "ascii") return { kind: json, length: undefined };
    if (NAMED_ALONE.has(json)) return { kind: json } as TypeShape;
    throw schemaError(where, `unknown type ${JSON.stringify(json)}`);
  }
  if (!isJsonObject(json)) throw schemaError(where, "a type must be a name or an object");
  const kind = Object.keys(json).find((key) => key !== "length" && key !== "discriminator") ?? "";
  const parts = keysOf(json, where, [kind, ...(EXTRA_KEYS.get(kind) ?? [])]);
  const value = parts.get(kind);
  const inner = (type: unknown) => typeOf(type, where, refer, depth + 1);
  switch (kind) {
    case "bytes":
    case "ascii":
      return { kind, length: (value ?? null) as number };
    case "enumeration":
      return { kind, values: Object.freeze([...arrayOf(value, where)]) as readonly string[] };
    case "array":
      return {
        kind,
        element: inner(value),
        length: parts.has("length") ? ((parts.get("length") ?? null) as number) : undefined,
      };
    case "map": {
      const pair = arrayOf(value, where);
      if (pair.length !== 2) throw schemaError(where, "a map must have a type of keys and a type of values");
      return { kind, key: inner(pair[0]), value: inner(pair[1]) };
    }
    case "nullable":
      return { kind, value: inner(value) };
    case "ref":
      return { kind, schema: refer(value, where) };
    case "union": {
      const arms = arrayOf(value, where).map((arm) => {
        const pair = arrayOf(arm, where);
        if (pair.length !== 2) throw schemaError(where, "an arm must be a pair: its name and the name of a struct");
        return Object.freeze([pair[0] as string, refer(pair[1], where)] as const);
      });
      const discriminator = parts.has("discriminator") ? (parts.get("discriminator") as string) : "kind";
      return { kind, arms: Object.freeze(arms), discriminator };
    }
    default:
      throw schemaError(where, `unknown type ${JSON.stringify(kind)}`);
  }
}

const NAMED_ALONE: ReadonlySet<string> = /* @__PURE__ */ new Set(["bool", "utf8", ...NUMBER_KINDS]);
const EXTRA_KEYS: ReadonlyMap<string, readonly string[]> = /* @__PURE__ */ new Map([
  ["array", ["length"]],
  ["union", ["discriminator"]],
]);

/** Returns the own properties of a JSON object. Throws `ERR_SCHEMA` for a key that is not in `known`. */
function keysOf(json: unknown, where: string, known: readonly string[]): ReadonlyMap<string, unknown> {
  if (!isJsonObject(json)) throw schemaError(where, "must be an object");
  for (const key of Object.keys(json)) {
    if (!known.includes(key)) throw schemaError(where, `unknown key ${JSON.stringify(key)}`);
  }
  return new Map(Object.entries(json));
}

function arrayOf(value: unknown, where: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw schemaError(where, "must be a list");
}

function listOf(parts: ReadonlyMap<string, unknown>, key: string, where: string): string[] {
  return parts.has(key) ? ([...arrayOf(parts.get(key), `${where}, ${key}`)] as string[]) : [];
}

function textOf(parts: ReadonlyMap<string, unknown>, key: string, where: string): string {
  const text = parts.has(key) ? parts.get(key) : "";
  if (typeof text !== "string") throw schemaError(where, `${key} must be text`);
  return text;
}

/** Returns the document of a model. Structs without a name, or with a name that is taken, get a new one. */
export function documentOf(model: Model): SchemaDocument {
  const names = namesOf(model);
  const structs: Record<string, { doc?: string; fields: DocumentField[] }> = Object.create(null);
  for (const struct of model.structs) {
    structs[names.get(struct)!] = {
      ...(struct.doc === "" ? {} : { doc: struct.doc }),
      fields: struct.members.map((member) => documentField(member, names)),
    };
  }
  return { pck: 1, root: names.get(model.root)!, structs };
}

function documentField(member: Member, names: ReadonlyMap<Struct, string>): DocumentField {
  const { omit, renamed, doc, type } = member;
  return {
    name: member.name,
    type: documentType(type, names),
    ...(omit.size === 0 ? {} : { omit: FLAGS.filter((flag) => omit.has(flag)) }),
    ...(member.hasDefault ? { default: member.isNullByDefault ? null : toJson(type, member.fallback) } : {}),
    ...(renamed.length === 0 ? {} : { renamed }),
    ...(doc === "" ? {} : { doc }),
  };
}

const FLAGS = ["null", "empty", "zero"] as const;

function documentType(node: Node, names: ReadonlyMap<Struct, string>): DocumentType {
  switch (node.kind) {
    case "bytes":
      return node.length === 0 ? "bytes" : { bytes: node.length };
    case "ascii":
      return node.length === 0 ? "ascii" : { ascii: node.length };
    case "enumeration":
      return { enumeration: node.values };
    case "ref":
      return { ref: names.get(node.struct)! };
    case "union": {
      const arms = node.arms.map((arm) => [arm.name, names.get(arm.struct)!] as const);
      return { union: arms, ...(node.discriminator === "kind" ? {} : { discriminator: node.discriminator }) };
    }
    case "array": {
      const element = documentType(node.element, names);
      return node.length === 0 ? { array: element } : { array: element, length: node.length };
    }
    case "map":
      return { map: [documentType(node.key, names), documentType(node.value, names)] };
    case "nullable":
      return { nullable: documentType(node.value, names) };
    default:
      return node.kind;
  }
}

/** Returns a unique name for each struct. Structs without a name, or with a name that is taken, get a new one. */
export function namesOf(model: Model): ReadonlyMap<Struct, string> {
  const names = new Map<Struct, string>();
  const given = new Set<string>();
  const counts = new Map<string, number>();
  for (const struct of model.structs) {
    if (struct.name === "" || given.has(struct.name)) continue;
    names.set(struct, struct.name);
    given.add(struct.name);
  }
  for (const struct of model.structs) {
    if (names.has(struct)) continue;
    const stem = struct.name !== "" ? struct.name : struct === model.root ? "Root" : "Struct";
    let name = stem;
    for (let n = counts.get(stem) ?? 2; given.has(name); n++) {
      name = `${stem}${n}`;
      counts.set(stem, n + 1);
    }
    given.add(name);
    names.set(struct, name);
  }
  return names;
}
