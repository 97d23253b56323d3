/**
 * The reference model of PCK, 8: a writer's values as values of a reader (docs/pck-evolution.md). Values are in the
 * JSON form and complete: an absent field has the value that the writer decodes.
 */
import { absentJson } from "./decode.ts";
import { compareKeys, meansAbsent } from "./encode.ts";
import { type DocumentField, type DocumentType, isOptional, type Json, type SchemaDocument, shapeOf } from "./shape.ts";

type JsonObject = { readonly [name: string]: Json };

/** A name or an arm that the reader lacks and that no default replaces. */
export class UnknownName extends Error {}

/** Converts values of one schema to values of another. */
export class Evolution {
  readonly #writer: SchemaDocument;
  readonly #reader: SchemaDocument;

  constructor(writer: SchemaDocument, reader: SchemaDocument) {
    this.#writer = writer;
    this.#reader = reader;
  }

  /** True if the schemas fit; else `resolve` throws `ERR_SCHEMA`. */
  isReadable(): boolean {
    const seen = new Set<string>();
    const structs = (from: string, to: string): boolean => {
      const pair = JSON.stringify([from, to]);
      if (seen.has(pair)) return true;
      seen.add(pair);
      return this.#fields(this.#reader, to).every((field) => {
        const source = this.#sourceOf(from, field);
        if (source === undefined) return this.#added(field) !== undefined;
        const mayBeNull = source.omit?.includes("null") === true;
        if (mayBeNull && this.#nullFor(field) === undefined) return false;
        return types(source.type, field.type);
      });
    };
    const types = (a: DocumentType, b: DocumentType): boolean => {
      const from = shapeOf(a);
      const to = shapeOf(b);
      if (to.is === "nullable") return types(from.is === "nullable" ? from.value : a, to.value);
      if (from.is === "ref" && to.is === "ref") return structs(from.struct, to.struct);
      if (from.is === "union" && to.is === "union") {
        const known = from.arms.map(([arm, struct]) => [struct, to.arms.find(([name]) => name === arm)?.[1]] as const);
        return known.every(([struct, other]) => other === undefined || structs(struct, other));
      }
      if (from.is === "array" && to.is === "array") {
        return (to.length === undefined || to.length === from.length) && types(from.element, to.element);
      }
      if (from.is === "map" && to.is === "map") return types(from.key, to.key) && types(from.value, to.value);
      return isLeafReadable(a, b);
    };
    return structs(this.#writer.root, this.#reader.root);
  }

  /** Returns the reader's value. Throws {@link UnknownName}. */
  value(json: Json): Json {
    return this.#struct(this.#writer.root, this.#reader.root, json as JsonObject, []);
  }

  #fields(doc: SchemaDocument, struct: string): readonly DocumentField[] {
    return doc.structs[struct]!.fields;
  }

  #sourceOf(struct: string, field: DocumentField): DocumentField | undefined {
    const fields = this.#fields(this.#writer, struct);
    for (const name of [field.name, ...(field.renamed ?? [])]) {
      const source = fields.find((candidate) => candidate.name === name);
      if (source !== undefined) return source;
    }
    return undefined;
  }

  /** Returns the value of an added field; undefined for `ERR_SCHEMA`. */
  #added(field: DocumentField): Json | undefined {
    if (Object.hasOwn(field, "default")) return field.default as Json;
    if (isOptional(field)) return absentJson(field);
    const shape = shapeOf(field.type);
    if (shape.is === "bool") return false;
    if (shape.is !== "ref") return undefined;
    const members: [string, Json][] = [];
    for (const member of this.#fields(this.#reader, shape.struct)) {
      const value = this.#added(member);
      if (value === undefined) return undefined;
      members.push([member.name, value]);
    }
    return Object.fromEntries(members);
  }

  /** Returns the value of a field for the writer's null; undefined for `ERR_SCHEMA`. */
  #nullFor(field: DocumentField): Json | undefined {
    if (field.omit?.includes("null")) return null;
    if (Object.hasOwn(field, "default")) return field.default as Json;
    return isOptional(field) ? absentJson(field) : undefined;
  }

  #struct(from: string, to: string, object: JsonObject, first: readonly (readonly [string, Json])[]): Json {
    const members = this.#fields(this.#reader, to).map((field) => {
      const source = this.#sourceOf(from, field);
      const value = source === undefined ? this.#added(field)! : this.#member(source, field, object[source.name]!);
      return [field.name, meansAbsent(field, true, value) ? absentJson(field) : value] as const;
    });
    return Object.fromEntries([...first, ...members]);
  }

  #member(source: DocumentField, field: DocumentField, value: Json): Json {
    if (value === null) return this.#nullFor(field)!;
    const shape = shapeOf(field.type);
    const isOwn = shape.is === "enumeration" || shape.is === "union";
    try {
      return this.#value(source.type, field.type, value);
    } catch (error) {
      // Only unknown names of the field's own type; unknown names within an arm stay unknown.
      const isKnown = !isOwn || this.#hasName(field.type, source.type, value);
      if (isKnown || !(error instanceof UnknownName) || !Object.hasOwn(field, "default")) throw error;
      return field.default as Json;
    }
  }

  #hasName(to: DocumentType, from: DocumentType, value: Json): boolean {
    const type = shapeOf(to);
    const source = shapeOf(from);
    if (type.is === "enumeration") return type.values.includes(value as string);
    if (type.is !== "union" || source.is !== "union") return true;
    const name = (value as JsonObject)[source.discriminator];
    return type.arms.some(([arm]) => arm === name);
  }

  #value(a: DocumentType, b: DocumentType, value: Json): Json {
    const from = shapeOf(a);
    const to = shapeOf(b);
    if (to.is === "nullable") {
      if (from.is !== "nullable") return this.#value(a, to.value, value);
      return value === null ? null : this.#value(from.value, to.value, value);
    }
    if (from.is === "ref" && to.is === "ref") return this.#struct(from.struct, to.struct, value as JsonObject, []);
    if (from.is === "union" && to.is === "union") {
      const name = (value as JsonObject)[from.discriminator];
      const arm = to.arms.find((candidate) => candidate[0] === name);
      if (arm === undefined) throw new UnknownName(String(name));
      const struct = from.arms.find((candidate) => candidate[0] === name)![1];
      return this.#struct(struct, arm[1], value as JsonObject, [[to.discriminator, arm[0]]]);
    }
    if (from.is === "array" && to.is === "array") {
      return (value as readonly Json[]).map((item) => this.#value(from.element, to.element, item));
    }
    if (from.is === "map" && to.is === "map") {
      const pairs = (value as readonly (readonly [Json, Json])[]).map(
        ([key, item]) => [this.#value(from.key, to.key, key), this.#value(from.value, to.value, item)] as const,
      );
      return pairs.sort((x, y) => compareKeys(to.key, x[0], y[0]));
    }
    if (to.is === "enumeration" && !to.values.includes(value as string)) throw new UnknownName(String(value));
    if (to.is === "fixed" || to.is === "varint") return to.bytes === 8 ? String(value) : Number(value);
    return value;
  }
}

function isLeafReadable(a: DocumentType, b: DocumentType): boolean {
  const from = shapeOf(a);
  const to = shapeOf(b);
  switch (from.is) {
    case "fixed":
    case "varint": {
      if (to.is === "float") return from.bytes <= (to.bytes === 4 ? 2 : 4);
      if (to.is !== "fixed" && to.is !== "varint") return false;
      if (from.isSigned === to.isSigned) return from.bytes <= to.bytes;
      return to.isSigned && from.bytes < to.bytes;
    }
    case "float":
      return to.is === "float" && from.bytes <= to.bytes;
    case "bytes":
      return to.is === "bytes" && (to.length === undefined || to.length === from.length);
    case "ascii":
      return to.is === "utf8" || (to.is === "ascii" && (to.length === undefined || to.length === from.length));
    default:
      return from.is === to.is && ["bool", "utf8", "enumeration"].includes(from.is);
  }
}
