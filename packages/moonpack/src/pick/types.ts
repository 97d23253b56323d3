/** The types of picked values, from the paths. */
import type { Path } from "./paths.js";

/** The paths of a Picker: one path, a list of paths, or an object of paths. */
export type Paths = Path | readonly Path[] | { readonly [name: string]: Path };

/** The result for paths `P` into messages of the type `T`: a value, a list or an object. */
export type Picked<T, P> = P extends string
  ? ValueAt<T, P>
  : P extends readonly unknown[]
    ? P extends readonly (readonly unknown[] | `/${string}` | "")[]
      ? { -readonly [K in keyof P]: PathValue<T, P[K]> }
      : unknown
    : { -readonly [K in keyof P]: PathValue<T, P[K]> };

/** The type of the value at a path of any form. A list of keys has no type. */
export type PathValue<T, P> = P extends string ? ValueAt<T, P> : unknown;

/** The type of the value at a pointer. Undefined is part of it where the value may be missing. */
export type ValueAt<T, P extends string> = unknown extends T
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

/** The type of one step. */
export type Member<T, K extends string> = T extends readonly (infer E)[]
  ? K extends `${number}`
    ? E | undefined
    : undefined
  : T extends ReadonlyMap<string, infer V>
    ? V | undefined
    : T extends object
      ? K extends keyof T
        ? T[K]
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
