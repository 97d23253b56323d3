/**
 * The model of a schema: its structs with all references resolved and their layout computed. Codecs, fingerprints,
 * evolution and emitters work on it. `modelOf` (document/to-model.ts) makes it; it never changes afterwards.
 */
import type { OmitFlag } from "../schema/field.js";
import type { AnySchema } from "../schema/schema.js";
import { NUMBER_KINDS, type NumberKind } from "../schema/types.js";

/** The name of a type: `u8`, `array`. */
export type Kind = Node["kind"];
/** A type whose references are resolved. `length` 0 stands for any length, with a count in the bytes. */
export type Node =
  | { readonly kind: "bool" | "utf8" | NumberKind }
  | { readonly kind: "bytes" | "ascii"; readonly length: number }
  | { readonly kind: "enumeration"; readonly values: readonly string[] }
  | { readonly kind: "ref"; readonly struct: Struct }
  | UnionNode
  | { readonly kind: "array"; readonly element: Node; readonly length: number }
  | { readonly kind: "map"; readonly key: Node; readonly value: Node }
  | { readonly kind: "nullable"; readonly value: Node };

/** One of several structs. */
export interface UnionNode {
  readonly kind: "union";
  /** In the order of their declaration, which is the index in the bytes. */
  readonly arms: readonly { readonly name: string; readonly struct: Struct }[];
  /** The index of each arm by its name: a union may have many arms. */
  readonly places: ReadonlyMap<string, number>;
  /** Name of the property that holds the arm's name. */
  readonly discriminator: string;
}

/** A type of one kind. */
export type NodeOf<K extends Kind> = Node & { readonly kind: K };
/** A list. */
export type ListNode = NodeOf<"array">;
/** A map. */
export type MapNode = NodeOf<"map">;
/** An element or map value that may be null. */
export type NullableNode = NodeOf<"nullable">;

/** A field of a struct. */
export interface Member {
  readonly name: string;
  readonly type: Node;
  /** The values that make the field absent. */
  readonly omit: ReadonlySet<OmitFlag>;
  /** The field can be absent, so that it has a presence bit. */
  readonly isOptional: boolean;
  /**
   * The default as `decode` would return it, for bytes of a schema without the field; undefined for none. Made when it
   * is read.
   */
  readonly fallback: unknown;
  readonly hasDefault: boolean;
  /** True if the default is null. Reading this does not make the default. */
  readonly isNullByDefault: boolean;
  /** Names of the field in older schemas. */
  readonly renamed: readonly string[];
  readonly doc: string;
}

/** A struct and its layout (docs/pck-format.md, "Layout of a struct"). */
export interface Struct {
  /** Index among the model's structs. */
  readonly index: number;
  /** Empty for a struct without a name. */
  readonly name: string;
  readonly doc: string;
  readonly schema: AnySchema;
  /** All fields, in the order of their declaration. */
  readonly members: readonly Member[];
  /** All fields, in canonical order: the order of the bytes. */
  readonly ordered: readonly Member[];
  /** Fields with a presence bit; the index here is the number of the bit. */
  readonly optionals: readonly Member[];
  /** Fields of type bool, whose value bits follow the presence bits. */
  readonly bools: readonly Member[];
  /** Required fields of known size, without bools. */
  readonly fixed: readonly Member[];
  /** The other required fields. */
  readonly dynamic: readonly Member[];
  /** Bytes of the bit store. */
  readonly storeBytes: number;
  /** Fewest bytes of a value. */
  readonly minBytes: number;
  /** Bytes of every value; -1 where sizes differ. */
  readonly knownBytes: number;
}

/** A root struct and every struct that belongs to it. */
export interface Model {
  readonly root: Struct;
  /** The structs that the root reaches, in the order of the first visit; then the others. */
  readonly structs: readonly Struct[];
}

/** Cap of computed sizes: larger than any memory, and small enough that sums over all fields stay exact. */
export const HUGE = 2 ** 40;

const NUMBERS: ReadonlySet<string> = /* @__PURE__ */ new Set(NUMBER_KINDS);

/** True for numbers, of fixed width and varints. */
export function isNumberKind(kind: string): kind is NumberKind {
  return NUMBERS.has(kind);
}

/** True for 64-bit integers, which are bigints in JavaScript and decimal strings in JSON. */
export function isWide(kind: Kind): boolean {
  return kind !== "f64" && kind.endsWith("64");
}

/** Returns the fewest bytes of a value: a field, an element or a map value. */
export function minBytesOf(node: Node): number {
  switch (node.kind) {
    case "u64":
    case "i64":
    case "f64":
      return 8;
    case "u32":
    case "i32":
    case "f32":
      return 4;
    case "u16":
    case "i16":
      return 2;
    case "bytes":
    case "ascii":
      return node.length === 0 ? 1 : node.length;
    case "ref":
      return node.struct.minBytes;
    case "union":
      return 1 + node.arms.reduce((least, arm) => Math.min(least, arm.struct.minBytes), Infinity);
    case "array":
      return node.length === 0 ? 1 : elementsBytes(node.element, node.length);
    default:
      return 1; // bool and nullable as a map's value, varints, an index, a count
  }
}

/** Returns the fewest bytes of `count` elements together. Bools and nullables take at least their bits. */
export function elementsBytes(element: Node, count: number): number {
  if (isInBits(element)) return Math.ceil(count / 8);
  return Math.min(HUGE, count * minBytesOf(element));
}

/** True for elements whose list begins with a bit for each of them. */
export function isInBits(element: Node): boolean {
  return element.kind === "bool" || element.kind === "nullable";
}

/** Returns the bytes of every value of a type; -1 where sizes differ, 0 for a bool (its bit is in the store). */
export function knownBytesOf(node: Node): number {
  switch (node.kind) {
    case "bool":
      return 0;
    case "u8":
    case "i8":
      return 1;
    case "u16":
    case "i16":
    case "u32":
    case "i32":
    case "f32":
    case "u64":
    case "i64":
    case "f64":
      return minBytesOf(node);
    case "bytes":
    case "ascii":
      return node.length === 0 ? -1 : node.length;
    case "ref":
      return node.struct.knownBytes;
    case "array": {
      if (node.length === 0 || node.element.kind === "nullable") return -1;
      if (node.element.kind === "bool") return Math.ceil(node.length / 8);
      const each = knownBytesOf(node.element);
      return each < 0 ? -1 : Math.min(HUGE, node.length * each);
    }
    default:
      return -1;
  }
}
