/** Builds a model from schemas: follows references and checks every rule of docs/pck-format.md ("Schema errors"). */
import { toWellFormed } from "moonpack/bytes";
import { Field, type OmitFlag } from "../schema/field.js";
import { type AnySchema, Schema } from "../schema/schema.js";
import type { SchemaSource, TypeShape } from "../schema/types.js";
import { schemaError } from "./errors.js";
import type { OpenStruct } from "./layout.js";
import { measure } from "./measure.js";
import { BuiltMember } from "./member.js";
import { isNumberKind, type Member, type Model, type Node } from "./model.js";

const MAX_STRUCTS = 4096;
const MAX_FIELDS = 65_535;
const MAX_LENGTH = 65_535;
/** Limit of types nested within the type of one field; a u8 is level 1. */
export const MAX_TYPE_DEPTH = 64;

const KEYS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  ...["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64"],
  ...["uvar", "ivar", "uvar64", "ivar64", "enumeration", "utf8", "ascii"],
]);
const COUNTED: ReadonlySet<string> = /* @__PURE__ */ new Set(["utf8", "ascii", "bytes", "array", "map"]);

/** A model, and the fields whose defaults are to be normalized. */
export interface Built {
  readonly model: Model;
  readonly defaults: readonly { readonly member: BuiltMember; readonly where: string }[];
}

/** Builds the model of `roots` and of all structs that they reach; the first is its root. Throws `ERR_SCHEMA`. */
export function build(roots: readonly AnySchema[]): Built {
  const builder = new Builder();
  for (const root of roots) builder.structOf(root, "");
  const { structs, defaults } = builder;
  for (let i = 0; i < structs.length; i++) builder.fill(structs[i]!);
  measure(structs);
  for (const struct of structs) for (const member of struct.members) checkMeasured(member, whereIs(struct, member));
  return { model: { root: structs[0]!, structs }, defaults };
}

/** Returns the name of a struct, or of a field in it, for error texts. */
export function whereIs(
  struct: { readonly name: string; readonly index: number },
  member?: { readonly name: string },
): string {
  const name = struct.name === "" ? `struct #${struct.index}` : struct.name;
  return member === undefined ? name : `${name}.${member.name}`;
}

class Builder {
  readonly structs: OpenStruct[] = [];
  readonly defaults: { member: BuiltMember; where: string }[] = [];
  readonly #known = new Map<AnySchema, OpenStruct>();
  readonly #names = new Map<OpenStruct, ReadonlySet<string>>();

  structOf(source: SchemaSource | unknown, where: string): OpenStruct {
    const schema = resolved(source, where);
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    if (this.structs.length === MAX_STRUCTS) throw schemaError(where, `more than ${MAX_STRUCTS} structs`);
    const struct: OpenStruct = {
      index: this.structs.length,
      name: schema.name,
      doc: schema.doc,
      schema,
      members: [],
      ordered: [],
      optionals: [],
      bools: [],
      fixed: [],
      dynamic: [],
      storeBytes: 0,
      minBytes: Infinity,
      knownBytes: -1,
    };
    this.#known.set(schema, struct);
    this.structs.push(struct);
    return struct;
  }

  fill(struct: OpenStruct): void {
    const { schema } = struct;
    const where = whereIs(struct);
    if (typeof schema.name !== "string" || toWellFormed(schema.name) !== schema.name) {
      throw schemaError("", "the name of a struct must be a string without lone surrogates");
    }
    if (schema.fields.length > MAX_FIELDS) throw schemaError(where, `more than ${MAX_FIELDS} fields`);
    const names = new Set<string>();
    for (const field of schema.fields) addName(names, field.name, "a field", where);
    struct.members = schema.fields.map((field) => this.#member(field, names, `${where}.${field.name}`));
  }

  #member(field: Field, names: Set<string>, where: string): Member {
    for (const old of field.renamed) addName(names, old, "an old name", where);
    const type = this.#node(field.type, where, 1);
    if (type.kind === "nullable")
      throw schemaError(where, "nullable is for elements and map values; use omitNull for a field");
    const { omit } = field;
    for (const flag of omit) checkFlag(flag, type, where);
    if (new Set(omit).size < omit.length) throw schemaError(where, "a modifier is repeated");
    const member = new BuiltMember(field, type);
    if (member.hasDefault) this.defaults.push({ member, where });
    return member;
  }

  #node(type: TypeShape, where: string, depth: number): Node {
    if (depth > MAX_TYPE_DEPTH) throw schemaError(where, `types nested deeper than ${MAX_TYPE_DEPTH}`);
    const kind: unknown = typeof type === "object" && type !== null ? type.kind : undefined;
    if (kind === "bool" || kind === "utf8" || isNumberKind(kind as string)) return { kind } as Node;
    if (kind === undefined) throw schemaError(where, unknownType(type));
    switch (type.kind) {
      case "bytes":
      case "ascii":
        return { kind: type.kind, length: lengthOf(type.length, where) };
      case "enumeration": {
        const values = Object.freeze([...type.values]);
        if (values.length === 0) throw schemaError(where, "an enumeration must have values");
        const names = new Set<string>();
        for (const value of values) addName(names, value, "a value", where);
        return { kind: "enumeration", values };
      }
      case "ref":
        return { kind: "ref", struct: this.structOf(type.schema, where) };
      case "union":
        return this.#union(type, where);
      case "array": {
        const length = lengthOf(type.length, where);
        return { kind: "array", element: this.#node(type.element, where, depth + 1), length };
      }
      case "map": {
        const key = this.#node(type.key, where, depth + 1);
        if (!KEYS.has(key.kind))
          throw schemaError(where, `a map's keys must be integers, utf8, ascii or enumerations, not ${key.kind}`);
        return { kind: "map", key, value: this.#node(type.value, where, depth + 1) };
      }
      case "nullable": {
        const value = this.#node(type.value, where, depth + 1);
        if (value.kind === "nullable") throw schemaError(where, "nullable must not contain nullable");
        return { kind: "nullable", value };
      }
      default:
        throw schemaError(where, `unknown type ${JSON.stringify(kind)}`);
    }
  }

  #union(type: TypeShape & { kind: "union" }, where: string): Node {
    const { discriminator } = type;
    if (type.arms.length === 0) throw schemaError(where, "a union must have arms");
    addName(new Set(), discriminator, "a discriminator", where);
    const names = new Set<string>();
    const arms = type.arms.map(([name, source]) => {
      addName(names, name, "an arm", where);
      const struct = this.structOf(source, where);
      if (this.#namesIn(struct).has(discriminator)) {
        throw schemaError(where, `a field of arm ${name} has the name of the discriminator, ${discriminator}`);
      }
      return { name, struct };
    });
    return { kind: "union", arms, places: new Map(arms.map(({ name }, place) => [name, place])), discriminator };
  }

  /** Returns the names of a struct's fields. Kept, since many arms may refer to one struct with many fields. */
  #namesIn(struct: OpenStruct): ReadonlySet<string> {
    const known = this.#names.get(struct);
    if (known !== undefined) return known;
    const names = new Set(struct.schema.fields.map((field) => field.name));
    this.#names.set(struct, names);
    return names;
  }
}

function resolved(source: unknown, where: string): AnySchema {
  let schema = source;
  if (typeof source === "function") {
    try {
      schema = source();
    } catch (cause) {
      throw schemaError(where, "the function that returns a schema threw; see cause", cause);
    }
  }
  if (schema instanceof Schema) return schema as AnySchema;
  throw schemaError(where, "expected a schema, made by `schema(..)`, or a function that returns one");
}

function addName(names: Set<string>, name: unknown, what: string, where: string): void {
  if (typeof name !== "string" || name === "")
    throw schemaError(where, `the name of ${what} must be a string that is not empty`);
  if (toWellFormed(name) !== name) throw schemaError(where, `the name of ${what} has a lone surrogate`);
  if (names.has(name)) throw schemaError(where, `the name ${JSON.stringify(name)} is used twice`);
  names.add(name);
}

function lengthOf(length: unknown, where: string): number {
  if (length === undefined) return 0;
  if (Number.isInteger(length) && (length as number) >= 1 && (length as number) <= MAX_LENGTH) return length as number;
  throw schemaError(where, `a fixed length must be an integer from 1 to ${MAX_LENGTH}`);
}

function checkFlag(flag: OmitFlag, type: Node, where: string): void {
  const isCounted = COUNTED.has(type.kind) && !isSized(type);
  const fits =
    flag === "null" ? type.kind !== "bool" : flag === "empty" ? isCounted : flag === "zero" && isNumberKind(type.kind);
  if (!fits) throw schemaError(where, `omit ${JSON.stringify(flag)} is not allowed for ${type.kind}`);
}

function isSized(type: Node): boolean {
  return (type.kind === "bytes" || type.kind === "ascii" || type.kind === "array") && type.length > 0;
}

/** Checks the rules that need the sizes of structs. */
function checkMeasured(member: Member, where: string): void {
  const { type } = member;
  if (!member.isOptional && type.kind === "ref" && type.struct.members.length === 0) {
    throw schemaError(where, "a ref to an empty struct must be optional");
  }
  for (let node: Node | undefined = type; node !== undefined; node = inner(node)) {
    if (node.kind !== "array" || node.element.kind !== "ref" || node.element.struct.minBytes > 0) continue;
    throw schemaError(where, "the elements of an array must take bytes");
  }
}

function inner(node: Node): Node | undefined {
  if (node.kind === "array") return node.element;
  return node.kind === "map" || node.kind === "nullable" ? node.value : undefined;
}

/** Returns the error text for a value that is not a type, with what to write instead. */
function unknownType(given: unknown): string {
  if (given instanceof Schema) return `a schema is not a type: write REF(${given.name === "" ? ".." : given.name})`;
  if (given instanceof Field) return `a field is not a type: write ${typeName(given.type)}`;
  if (typeof given === "function")
    return "unknown type: call it, as in BYTES(); for a schema that is declared later, write REF(() => ..)";
  return typeof given === "string"
    ? `unknown type ${JSON.stringify(given)}: types are constants, such as U8`
    : "unknown type";
}

/** Returns the name of the constant or function of a type. */
function typeName({ kind }: TypeShape): string {
  return kind === "nullable" ? "nullable(..)" : kind.toUpperCase();
}
