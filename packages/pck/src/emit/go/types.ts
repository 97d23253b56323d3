/** The Go types of a schema's types, and which values of a field mean absent. */
import type { Member, Node } from "../../model/model.js";
import type { GoNames } from "./names.js";

/** The predeclared types of Go. */
export const PLAIN_TYPES = {
  bool: "bool",
  u8: "uint8",
  u16: "uint16",
  u32: "uint32",
  u64: "uint64",
  i8: "int8",
  i16: "int16",
  i32: "int32",
  i64: "int64",
  f32: "float32",
  f64: "float64",
  uvar: "uint32",
  ivar: "int32",
  uvar64: "uint64",
  ivar64: "int64",
  utf8: "string",
  ascii: "string",
} as const;

/** Returns the default type of a value. `typeOf` returns the types of the values in it. */
export function goTypeOf(node: Node, names: GoNames, typeOf: (node: Node) => string): string {
  switch (node.kind) {
    case "bytes":
      return node.length === 0 ? "[]byte" : `[${node.length}]byte`;
    case "enumeration":
    case "union":
      return names.named(node).name;
    case "ref":
      return names.struct(node.struct);
    case "array":
      return `[${node.length === 0 ? "" : node.length}]${typeOf(node.element)}`;
    case "map":
      return `map[${typeOf(node.key)}]${typeOf(node.value)}`;
    case "nullable":
      // An interface can itself be nil.
      return `${node.value.kind === "union" ? "" : "*"}${typeOf(node.value)}`;
    default:
      return PLAIN_TYPES[node.kind];
  }
}

/** Whether the caller can choose a named type for this type. Structs, unions and enumerations have names already. */
export function takesOwnType({ kind }: Node): boolean {
  return hasPlainType(kind) || kind === "bytes" || kind === "array" || kind === "map";
}

/** True for a type that is predeclared in Go. */
export function hasPlainType(kind: Node["kind"]): kind is keyof typeof PLAIN_TYPES {
  return Object.hasOwn(PLAIN_TYPES, kind);
}

/** How a field is absent: never, as nil, or as a zero value. */
export type AbsentForm = "never" | "nil" | "value";

/** Returns the form of an absent field. An absent null is nil, unless another value means absent too: that value then stands for both. */
export function absentFormOf({ isOptional, omit }: Member): AbsentForm {
  if (!isOptional) return "never";
  return omit.has("empty") || omit.has("zero") ? "value" : "nil";
}

/** Whether a field is a pointer because it may be absent. Types that can be nil themselves need no pointer. */
export function isPointer(member: Member): boolean {
  const { type } = member;
  if (absentFormOf(member) !== "nil") return false;
  if (type.kind === "union" || type.kind === "map") return false;
  return !((type.kind === "bytes" || type.kind === "array") && type.length === 0);
}

/** Returns the condition that the field `x` is present. `floatBits` returns the expression of a float's bits. */
export function presenceOf(member: Member, x: string, floatBits: (bits: 32 | 64) => string): string {
  const { type, omit } = member;
  if (absentFormOf(member) === "nil") return `${x} != nil`;
  if (omit.has("empty")) return type.kind === "utf8" || type.kind === "ascii" ? `${x} != ""` : `len(${x}) > 0`;
  // Only +0 means absent, not -0.
  if (type.kind === "f32") return `${floatBits(32)} != 0`;
  return type.kind === "f64" ? `${floatBits(64)} != 0` : `${x} != 0`;
}

/** Returns the value of an absent field. */
export function zeroOf(member: Member): string {
  if (absentFormOf(member) === "nil") return "nil";
  const { kind } = member.type;
  if (kind === "utf8" || kind === "ascii") return '""';
  return member.omit.has("empty") ? "nil" : "0";
}

/** Returns the width of a number of fixed width in bytes; 0 for other types. */
export function widthOf(node: Node): number {
  switch (node.kind) {
    case "u8":
    case "i8":
      return 1;
    case "u16":
    case "i16":
      return 2;
    case "u32":
    case "i32":
    case "f32":
      return 4;
    case "u64":
    case "i64":
    case "f64":
      return 8;
    default:
      return 0;
  }
}

/** True for a varint that is a number, not an index. */
export function isVarint(node: Node): boolean {
  return node.kind === "uvar" || node.kind === "ivar" || node.kind === "uvar64" || node.kind === "ivar64";
}

/**
 * Returns the expression of a pointer's target. Go finds a struct's fields through the pointer, so structs need no
 * dereference.
 */
export function pointed(value: Node, x: string): string {
  return value.kind === "union" || value.kind === "ref" ? x : `*${x}`;
}

/** Returns the name of a varint's functions in the runtime. */
export function varintName(node: Node): string {
  return `${node.kind[0]!.toUpperCase()}${node.kind.slice(1)}`;
}
