/** Go's types for those of a schema, and what of a field's value means that it is absent. */
import type { Member, Node } from "../../model/model.js";
import type { GoNames } from "./names.js";

/** Types that Go has by name. */
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

/** The type of a value, if nobody chose another one; `typeOf` answers those of what lies in it. */
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
      // An interface can be nil itself.
      return `${node.value.kind === "union" ? "" : "*"}${typeOf(node.value)}`;
    default:
      return PLAIN_TYPES[node.kind];
  }
}

/** May a value of this type have a named type of one's own? Structs, unions and enumerations have one already. */
export function takesOwnType({ kind }: Node): boolean {
  return isPlain(kind) || kind === "bytes" || kind === "array" || kind === "map";
}

/** Is it a type that Go has by name? */
export function isPlain(kind: Node["kind"]): kind is keyof typeof PLAIN_TYPES {
  return Object.hasOwn(PLAIN_TYPES, kind);
}

/** How a field says that it is absent: it cannot, its value is nil, or its value means so. */
export type Absence = "never" | "nil" | "value";

/** null is nil, unless another value means the same: then that one is both. */
export function absenceOf({ isOptional, omit }: Member): Absence {
  if (!isOptional) return "never";
  return omit.has("empty") || omit.has("zero") ? "value" : "nil";
}

/** Is a field a pointer to its value, because it may be absent? What has a nil of its own is none. */
export function isPointer(member: Member): boolean {
  const { type } = member;
  if (absenceOf(member) !== "nil") return false;
  if (type.kind === "union" || type.kind === "map") return false;
  return !((type.kind === "bytes" || type.kind === "array") && type.length === 0);
}

/** The condition that a field's value, `x`, is there; `floatBits` answers the bits of one that is a float. */
export function presenceOf(member: Member, x: string, floatBits: (bits: 32 | 64) => string): string {
  const { type, omit } = member;
  if (absenceOf(member) === "nil") return `${x} != nil`;
  if (omit.has("empty")) return type.kind === "utf8" || type.kind === "ascii" ? `${x} != ""` : `len(${x}) > 0`;
  // Of floats, only +0 is absent.
  if (type.kind === "f32") return `${floatBits(32)} != 0`;
  return type.kind === "f64" ? `${floatBits(64)} != 0` : `${x} != 0`;
}

/** What an absent field is. */
export function zeroOf(member: Member): string {
  if (absenceOf(member) === "nil") return "nil";
  const { kind } = member.type;
  if (kind === "utf8" || kind === "ascii") return '""';
  return member.omit.has("empty") ? "nil" : "0";
}

/** Is it a number of a fixed width, which can be one of a block that is checked at once? */
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

/** Is it a varint, one that is no place of a name? */
export function isVarint(node: Node): boolean {
  return node.kind === "uvar" || node.kind === "ivar" || node.kind === "uvar64" || node.kind === "ivar64";
}

/** The value of what may be nil and is not, as it is written, measured and read: of structs Go finds it by the pointer. */
export function pointed(value: Node, x: string): string {
  return value.kind === "union" || value.kind === "ref" ? x : `*${x}`;
}

/** The name of a varint's functions in the runtime. */
export function varintName(node: Node): string {
  return `${node.kind[0]!.toUpperCase()}${node.kind.slice(1)}`;
}
