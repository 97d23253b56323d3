/** What TypeScript knows of schemas and types. Nothing of this exists at run time. */

/** Something whose values read as `Out` and are written from `In`. */
export interface Typed<Out, In> {
  readonly "~types"?: { readonly out: Out; readonly in: (value: In) => void };
}

/** What values of a type or schema read as. */
export type OutOf<T> = T extends Typed<infer Out, never> ? Out : never;

/** What they may be written from. */
export type InOf<T> = T extends { readonly "~types"?: { readonly in: (value: infer In) => void } } ? In : never;

/**
 * What `decode` answers for a schema: every field is there.
 *
 * @example
 * const Point = schema(ivar("x"), omitZero(ivar("y")));
 * type Point = Infer<typeof Point>; // { x: number; y: number }
 */
export type Infer<S> = OutOf<S>;

/**
 * What `encode` takes: optional fields may be missing, 64-bit integers may be safe numbers.
 *
 * @example
 * type PointInput = InferInput<typeof Point>; // { readonly x: number; readonly y?: number | undefined }
 */
export type InferInput<S> = InOf<S>;
