/** Modifiers of fields. Each returns a new field; the given one does not change. */
import { MoonpackError } from "moonpack/bytes";
import { copyOfDefault } from "./copy-default.js";
import { Field, type Modifiers } from "./field.js";
import type { InferInput } from "./infer.js";
import { type AnySchema, Schema } from "./schema.js";

function changed(field: Field, changesOf: (field: Field) => Partial<Modifiers>): Field {
  if (!(field instanceof Field)) throw new MoonpackError("ERR_SCHEMA", "a modifier must be given a field");
  return new Field<string, unknown, never>(field.name, field.type, { ...field, ...changesOf(field) });
}

/** Makes a field optional: null and undefined are absent, and an absent field decodes as null. Any type but bool. */
export function omitNull<const Name extends string, Out, In, Optional extends boolean>(
  field: Field<Name, Out, In, Optional> & ([Out] extends [boolean] ? never : unknown),
): Field<Name, Out | null, In | null, true> {
  return changed(field, ({ omit }) => ({ omit: [...omit, "null"] })) as never;
}

/**
 * Makes a field optional: an empty value and undefined are absent (a presence bit 0 and no bytes), and an absent field
 * decodes as an empty value. For text, bytes, lists and maps without a fixed length.
 */
export function omitEmpty<
  const Name extends string,
  Out extends string | Uint8Array | readonly unknown[] | ReadonlyMap<unknown, unknown> | null,
  In,
  Optional extends boolean,
>(field: Field<Name, Out, In, Optional>): Field<Name, Out, In, true> {
  return changed(field, ({ omit }) => ({ omit: [...omit, "empty"] })) as never;
}

/**
 * Makes a field optional: 0 and undefined are absent, and an absent field decodes as 0. For numbers; -0 of a float is
 * not absent.
 */
export function omitZero<const Name extends string, Out extends number | bigint | null, In, Optional extends boolean>(
  field: Field<Name, Out, In, Optional>,
): Field<Name, Out, In, true> {
  return changed(field, ({ omit }) => ({ omit: [...omit, "zero"] })) as never;
}

/**
 * Sets the default of a field: its value in bytes of an older schema without the field. The value is copied, so that
 * later changes to it have no effect. See `resolve`.
 */
export function withDefault<F extends Field>(field: F, value: InferInput<F>): F {
  return changed(field, ({ name }) => ({ hasDefault: true, fallback: copyOfDefault(value, name) })) as F;
}

/** Adds names that the field has in older schemas. See `resolve`. */
export function renamed<F extends Field>(field: F, ...oldNames: string[]): F {
  return changed(field, (known) => ({ renamed: [...known.renamed, ...oldNames] })) as F;
}

/** Adds a comment to a field or schema. Emitted code contains it as a doc comment. */
export function doc<T extends Field | AnySchema>(of: T, text: string): T {
  if (of instanceof Schema) return new Schema<unknown, never>(of.name, of.fields, text) as T;
  return changed(of, () => ({ doc: text })) as T;
}
