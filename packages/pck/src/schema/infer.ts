/** The TypeScript types of a schema's values. Nothing in this file exists at run time. */

/** A schema or type whose values decode to `Out` and are encoded from `In`. */
export interface Typed<Out, In> {
  /** For TypeScript only; never set. */
  readonly "~types"?: { readonly out: Out; readonly in: (value: In) => void };
}

/**
 * The type of decoded values: every field is there.
 *
 * @example
 * const Point = schema(ivar("x"), omitZero(ivar("y")));
 * type Point = Infer<typeof Point>; // { x: number; y: number }
 */
export type Infer<S> = S extends Typed<infer Out, never> ? Out : never;

/**
 * The type of values to encode: optional fields may be missing, 64-bit integers may be safe numbers.
 *
 * @example
 * type PointInput = InferInput<typeof Point>; // { readonly x: number; readonly y?: number | undefined }
 */
export type InferInput<S> = S extends { readonly "~types"?: { readonly in: (value: infer In) => void } } ? In : never;
