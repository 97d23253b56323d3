/** What changes a field: answers another one, the given one stays. */
import { MoonpackError } from "../../bytes/errors.js";
import { Field, type Modifiers } from "./field.js";
import type { InOf } from "./infer.js";
import { type AnySchema, Schema } from "./schema.js";

function changed(field: Field, changesOf: (field: Field) => Partial<Modifiers>): Field {
  if (!(field instanceof Field)) throw new MoonpackError("ERR_SCHEMA", "a modifier takes a field");
  return new Field<string, unknown, never>(field.name, field.type, { ...field, ...changesOf(field) });
}

/** Absent when null or undefined; read back as null. Any type but bool. */
export function omitNull<const Name extends string, Out, In, Optional extends boolean>(
  field: Field<Name, Out, In, Optional> & ([Out] extends [boolean] ? never : unknown),
): Field<Name, Out | null, In | null, true> {
  return changed(field, ({ omit }) => ({ omit: [...omit, "null"] })) as never;
}

/** What has a length. */
type Sized = string | Uint8Array | readonly unknown[] | ReadonlyMap<unknown, unknown> | null;

/** Absent when of length 0: text, bytes, lists and maps without a fixed length. */
export function omitEmpty<const Name extends string, Out extends Sized, In, Optional extends boolean>(
  field: Field<Name, Out, In, Optional>,
): Field<Name, Out, In, true> {
  return changed(field, ({ omit }) => ({ omit: [...omit, "empty"] })) as never;
}

/** Absent when 0: numbers. */
export function omitZero<const Name extends string, Out extends number | bigint | null, In, Optional extends boolean>(
  field: Field<Name, Out, In, Optional>,
): Field<Name, Out, In, true> {
  return changed(field, ({ omit }) => ({ omit: [...omit, "zero"] })) as never;
}

/**
 * What the field is in bytes of a schema that had none of it; copied for each value, and not to be changed itself. See
 * `resolve`.
 */
export function withDefault<F extends Field>(field: F, value: InOf<F>): F {
  return changed(field, () => ({ hasDefault: true, fallback: value })) as F;
}

/** Names that the field had in older schemas. See `resolve`. */
export function renamed<F extends Field>(field: F, ...oldNames: string[]): F {
  return changed(field, (known) => ({ renamed: [...known.renamed, ...oldNames] })) as F;
}

/** Says what a field or a schema is for; emitted code says it too. */
export function doc<T extends Field | AnySchema>(of: T, text: string): T {
  if (of instanceof Schema) return new Schema<unknown, never>(of.name, of.fields, text) as T;
  return changed(of, () => ({ doc: text })) as T;
}
