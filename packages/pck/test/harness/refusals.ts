/**
 * The reference model of PCK, 9: values with exactly one invalid place, so that the format page determines code and
 * path of the error. Only values that every language can express: Go has no number beyond its type.
 */
import { meansAbsent } from "./encode.ts";
import type { DocumentType, Json, SchemaDocument } from "./shape.ts";
import { shapeOf } from "./shape.ts";

/** An invalid value. A lone surrogate in it stands for text that is not well-formed. */
export interface RefusedCase {
  readonly kind: "refused";
  readonly doc: SchemaDocument;
  readonly value: Json;
  readonly error: { readonly code: string; readonly path: string };
}

/** A name that no enumeration has. */
export const NO_NAME = "no such name";

type JsonObject = { readonly [name: string]: Json };
type Put = (value: Json) => Json;

/** Yields every way to make one place of a value invalid. The value is made when it is needed. */
export function* refusals(doc: SchemaDocument, value: Json): Generator<() => RefusedCase> {
  for (const { code, path, make } of new Places(doc).struct(doc.root, value, "$", (whole) => whole)) {
    yield () => ({ kind: "refused", doc, value: make(), error: { code, path } });
  }
}

/** Returns the path step of a field. */
function stepOf(name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

interface Place {
  readonly code: string;
  readonly path: string;
  readonly make: () => Json;
}

class Places {
  readonly #doc: SchemaDocument;

  constructor(doc: SchemaDocument) {
    this.#doc = doc;
  }

  *struct(name: string, value: Json, path: string, put: Put): Generator<Place> {
    const object = value as JsonObject;
    for (const field of this.#doc.structs[name]!.fields) {
      const isThere = Object.hasOwn(object, field.name);
      if (!isThere || meansAbsent(field, isThere, object[field.name]!)) continue;
      const within = `${path}${stepOf(field.name)}`;
      yield* this.#value(field.type, object[field.name]!, within, (v) => put({ ...object, [field.name]: v }));
      const isOptional = field.omit?.includes("null") === true;
      if (!isOptional) yield* this.#missing(field.type, within, (v) => put({ ...object, [field.name]: v }));
    }
  }

  /** Yields null in the place of a required value. */
  *#missing(type: DocumentType, path: string, put: Put): Generator<Place> {
    const { is } = shapeOf(type);
    if (is === "union" || is === "ref") yield { code: "ERR_UNSUPPORTED_TYPE", path, make: () => put(null) };
  }

  *#value(type: DocumentType, value: Json, path: string, put: Put): Generator<Place> {
    const shape = shapeOf(type);
    switch (shape.is) {
      case "utf8":
      case "ascii":
      case "enumeration":
        for (const [code, wrong] of wrongTexts(type, value as string)) yield { code, path, make: () => put(wrong) };
        return;
      case "ref":
        return yield* this.struct(shape.struct, value, path, put);
      case "union": {
        const arm = shape.arms.find(([name]) => name === (value as JsonObject)[shape.discriminator])!;
        return yield* this.struct(arm[1], value, path, put);
      }
      case "nullable":
        if (value !== null) yield* this.#value(shape.value, value, path, put);
        return;
      case "array": {
        const list = value as readonly Json[];
        for (const [i, item] of list.entries()) {
          const putItem: Put = (v) => put(list.with(i, v));
          yield* this.#value(shape.element, item, `${path}[${i}]`, putItem);
          yield* this.#missing(shape.element, `${path}[${i}]`, putItem);
        }
        return;
      }
      case "map":
        return yield* this.#pairs(shape.key, shape.value, value as readonly (readonly [Json, Json])[], path, put);
    }
  }

  *#pairs(
    keyType: DocumentType,
    valueType: DocumentType,
    pairs: readonly (readonly [Json, Json])[],
    path: string,
    put: Put,
  ): Generator<Place> {
    for (const [i, [key, value]] of pairs.entries()) {
      const within = `${path}[${JSON.stringify(key)}]`;
      const putValue: Put = (v) => put(pairs.with(i, [key, v]));
      yield* this.#value(valueType, value, within, putValue);
      yield* this.#missing(valueType, within, putValue);
      if (typeof key !== "string") continue;
      for (const [code, wrong] of wrongTexts(keyType, key)) {
        yield { code, path: `${path}[${JSON.stringify(wrong)}]`, make: () => put(pairs.with(i, [wrong, value])) };
      }
    }
  }
}

/** Returns the invalid texts of a type. */
function wrongTexts(type: DocumentType, text: string): readonly (readonly [string, string])[] {
  const shape = shapeOf(type);
  switch (shape.is) {
    case "utf8":
      return [["ERR_INVALID_UTF8", `${text}\ud800`]];
    case "enumeration":
      return [["ERR_OUT_OF_RANGE", NO_NAME]];
    case "ascii":
      if (shape.length === undefined) return [["ERR_INVALID_ASCII", `${text}é`]];
      return [
        ["ERR_OUT_OF_RANGE", `${text}a`],
        ["ERR_OUT_OF_RANGE", text.slice(1)],
        ["ERR_INVALID_ASCII", `${text.slice(1)}é`],
      ];
    default:
      return [];
  }
}
