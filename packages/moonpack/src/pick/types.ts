/** The types of picked values, from the paths. */
import type { Timestamp } from "../msgpack/timestamp.js";
import type { Path } from "./paths.js";
import type { Raw } from "./raw.js";

/** The paths of a Picker: one path, a list of paths, or an object of paths. */
export type Paths = Path | readonly Path[] | { readonly [name: string]: Path };

/** Which values are a {@link Raw}: true for all, or their names. */
export type RawNames = boolean | readonly string[];

/**
 * The result for paths `P` into messages of the type `T`: a value, a list or an object. `R`: the option `raw`.
 */
export type Picked<T, P, R = false> = P extends string
  ? PathValue<T, P, R>
  : P extends readonly unknown[]
    ? P extends readonly (readonly unknown[] | `/${string}` | "")[]
      ? { -readonly [K in keyof P]: PathValue<T, P[K], R> }
      : unknown
    : {
        -readonly [K in keyof P]: PathValue<T, P[K], R extends readonly (infer N)[] ? (K extends N ? true : false) : R>;
      };

/** The type of the value at a path of any form. A list of keys has no type. */
export type PathValue<T, P, R = false> = boolean extends R
  ? unknown
  : P extends string
    ? R extends true
      ? RawAt<P>
      : ValueAt<T, P>
    : unknown;

/** The type of a raw value at a pointer: a list for each `*`. */
export type RawAt<P extends string> = string extends P
  ? unknown
  : P extends `/${infer Head}/${infer Rest}`
    ? Head extends "*"
      ? RawAt<`/${Rest}`>[]
      : RawAt<`/${Rest}`>
    : P extends "/*"
      ? (Raw | undefined)[]
      : Raw | undefined;

/** The type of the value at a pointer. Undefined is part of it where the value may be missing. */
export type ValueAt<T, P extends string> = unknown extends T
  ? unknown
  : string extends P
    ? unknown
    : P extends `/${infer Head}/${infer Rest}`
      ? Head extends "*"
        ? Every<T, `/${Rest}`>
        : ValueAt<Member<T, Unescaped<Head>>, `/${Rest}`>
      : P extends `/${infer Last}`
        ? Last extends "*"
          ? Every<T, "">
          : Member<T, Unescaped<Last>>
        : T;

/** The types of the values in all elements of an array. */
export type Every<T, Rest extends string> = T extends readonly (infer E)[] ? ValueAt<E, Rest>[] : undefined;

/** The type of one step. Values that are not maps or arrays in a message have no members: binary, times, functions. */
export type Member<T, K extends string> = T extends ArrayBufferView | Date | Timestamp
  ? undefined
  : T extends readonly (infer E)[]
    ? K extends `${number}`
      ? E | undefined
      : undefined
    : T extends ReadonlyMap<string, infer V>
      ? V | undefined
      : T extends object
        ? K extends keyof T
          ? T[K] extends (...args: never) => unknown
            ? undefined
            : T[K]
          : `${K}` extends `${infer N extends number}`
            ? N extends keyof T
              ? T[N]
              : undefined
            : undefined
        : undefined;

/** A step of a pointer as a key: `~0` is `~`, `~1` is `/`. */
export type Unescaped<K extends string> = K extends `${infer A}~1${infer B}`
  ? Unescaped<`${A}/${B}`>
  : K extends `${infer A}~0${infer B}`
    ? `${A}~${Unescaped<B>}`
    : K;
