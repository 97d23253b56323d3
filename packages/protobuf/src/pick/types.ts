/** Paths into Protobuf messages, and the types of the values at them. */
import type { Int64Form, Int64Value } from "../int64.js";

/**
 * How a value is read: a scalar type of Protobuf (an enum is an `int32`), or `message` for the bytes of a message or group. A message that
 * is there twice is the bytes of both, which is how Protobuf merges messages.
 */
export type FieldKind = Int32Kind | Int64Kind | "bool" | "float" | "double" | "string" | "bytes" | "message";

/** Kinds of 32-bit integers. */
export type Int32Kind = "int32" | "uint32" | "sint32" | "fixed32" | "sfixed32";

/** Kinds of 64-bit integers, in the form of the option `int64`. */
export type Int64Kind = "int64" | "uint64" | "sint64" | "fixed64" | "sfixed64";

/**
 * A place in a message. With numbers: the fields from the message to the value, and then its kind; a field in brackets is repeated. Without
 * a kind the bytes decide: `uint64`, `fixed64`, `fixed32` or bytes. With a type of protobuf.js: the names of the fields, with dots.
 *
 * @example
 * const paths = { id: [1, "uint64"], name: [2, 1, "string"], prices: [[4], 3, "double"] }; // each price of the repeated field 4
 */
export type FieldPath = string | readonly (number | readonly [number] | FieldKind)[];

/** The paths of a FieldPicker, by the names of their values. */
export interface FieldPaths {
  readonly [name: string]: FieldPath;
}

/** The values at paths `P`. `I`: the option `int64`. A value that the message lacks is undefined; a list is empty. */
export type PickedFields<P, I extends Int64Form = "long"> = { -readonly [N in keyof P]: FieldValue<P[N], I> };

/** The type of the value at a path with numbers. Names have no type. */
export type FieldValue<P, I extends Int64Form> = P extends readonly [infer Step, ...infer Rest]
  ? Step extends readonly [number]
    ? ListItem<Rest, I>[]
    : Rest extends readonly []
      ? unknown
      : Rest extends readonly [infer K extends FieldKind]
        ? KindValue<K, I> | undefined
        : FieldValue<Rest, I>
  : unknown;

/** The type of an element of a list. */
export type ListItem<Rest, I extends Int64Form> = Rest extends readonly [infer K extends FieldKind]
  ? KindValue<K, I>
  : FieldValue<Rest, I>;

/** The type of a kind. */
export type KindValue<K extends FieldKind, I extends Int64Form> = K extends "string"
  ? string
  : K extends "bool"
    ? boolean
    : K extends "bytes" | "message"
      ? Uint8Array
      : K extends Int64Kind
        ? I extends "bigint"
          ? bigint
          : I extends "number"
            ? number
            : Int64Value
        : number;

/** A message type of protobuf.js by reflection: what is used of `protobuf.Type`. */
export interface ReflectedType {
  /** The fields by name. */
  readonly fields: { readonly [name: string]: object };
  /** Decodes a message. */
  decode(bytes: Uint8Array): object;
}
