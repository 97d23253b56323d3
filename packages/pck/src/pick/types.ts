/** The types of picked values, from the paths. */
import type { Path } from "./paths.js";

/** The paths of a picker: one path, a list of paths, or an object of paths. */
export type Paths = string | readonly Path[] | { readonly [name: string]: Path };

/** The result for paths `P` into values of the type `T`: a value, a list or an object. */
export type Picked<T, P> = P extends string
  ? PathValue<T, P>
  : { -readonly [K in keyof P]: P[K] extends Path ? PathValue<T, P[K]> : unknown };

/** The type of the value at a path. */
export type PathValue<T, P extends Path> = P extends string
  ? string extends P
    ? unknown
    : ValueAt<T, Split<P>>
  : P extends readonly string[]
    ? ValueAt<T, P>
    : never;

/** The steps of a path whose names are joined by dots. */
export type Split<P extends string> = P extends `${infer Head}.${infer Rest}` ? [Head, ...Split<Rest>] : [P];

/** The type of the value at a list of names. Undefined is part of it where a struct may be absent or the arm of a union another one. */
export type ValueAt<T, Steps extends readonly string[]> = unknown extends T
  ? unknown
  : Steps extends readonly [infer Head extends string, ...infer Rest extends readonly string[]]
    ? T extends readonly (infer E)[]
      ? Head extends "*"
        ? ValueAt<E, Rest>[]
        : undefined
      : T extends object
        ? Head extends keyof T
          ? ValueAt<T[Head], Rest>
          : undefined
        : undefined
    : Steps extends readonly []
      ? T
      : unknown;
