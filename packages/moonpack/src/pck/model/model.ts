/**
 * What a schema is once its references are followed and its layout is known: the ground of codecs, fingerprints, evolution
 * and emitters. Made by `modelOf` (build.ts), never changed afterwards.
 */
import type { OmitFlag } from "../schema/field.js";
import type { AnySchema } from "../schema/schema.js";
import type { NumberKind } from "../schema/types.js";

/** A type with its structs in place. `length` 0: counted. */
export type Kind = Node["kind"];
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
  readonly arms: readonly { readonly name: string; readonly struct: Struct }[];
  /** Where each arm is in `arms`, by its name: there may be many. */
  readonly places: ReadonlyMap<string, number>;
  readonly discriminator: string;
}

/** A field of a struct. */
export interface Member {
  readonly name: string;
  readonly type: Node;
  readonly omit: ReadonlySet<OmitFlag>;
  /** Absent under some condition: has a presence bit. */
  readonly isOptional: boolean;
  /** What it is in bytes of a schema without it, as `decode` would answer it; undefined for none. Made when it is asked for. */
  readonly fallback: unknown;
  readonly hasDefault: boolean;
  /** Is the default null? To ask costs nothing. */
  readonly isNullByDefault: boolean;
  readonly renamed: readonly string[];
  readonly doc: string;
}

/** A struct and its layout (docs/pck-format.md, "Layout of a struct"). */
export interface Struct {
  /** Place among the model's structs. */
  readonly index: number;
  /** "" for none. */
  readonly name: string;
  readonly doc: string;
  readonly schema: AnySchema;
  /** In the order of their declaration. */
  readonly members: readonly Member[];
  /** In canonical order. */
  readonly ordered: readonly Member[];
  /** Those with a presence bit, which is their place here. */
  readonly optionals: readonly Member[];
  /** Those with a value bit, behind the presence bits. */
  readonly bools: readonly Member[];
  /** Required, of known size, no bools. */
  readonly fixed: readonly Member[];
  /** The other required ones. */
  readonly dynamic: readonly Member[];
  /** Bytes of the bit store. */
  readonly storeBytes: number;
  /** The fewest bytes that a value takes. */
  readonly minBytes: number;
  /** Bytes of every value; -1 where they differ. */
  readonly knownBytes: number;
}

/** A root and every struct that belongs to it. */
export interface Model {
  readonly root: Struct;
  /** The root's, in order of first visit; then what it does not reach. */
  readonly structs: readonly Struct[];
}

/** Larger sizes than any memory are all the same; sums of this many fields stay exact. */
export const HUGE = 2 ** 40;

/** The fewest bytes a value of a type takes; of a bool or nullable as element or map value too. */
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

/** The fewest bytes that `count` elements take together. Bools and nullables owe their bits only. */
export function elementsBytes(element: Node, count: number): number {
  if (isInBits(element)) return Math.ceil(count / 8);
  return Math.min(HUGE, count * minBytesOf(element));
}

/** Do elements of this type begin with ceil(count / 8) bytes of bits? */
export function isInBits(element: Node): boolean {
  return element.kind === "bool" || element.kind === "nullable";
}

/** Bytes that every value of a type takes, -1 where they differ; of a bool, 0 (its bit is in the store). */
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
