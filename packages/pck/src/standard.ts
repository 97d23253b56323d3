/** Schemas as Standard Schemas (https://standardschema.dev, version 1): the interface that zod and others share. */
import { EncodeError, textWithoutPlace } from "moonpack/bytes";
import { codec } from "./codec.js";
import type { SchemaInput } from "./document/to-model.js";
import type { CodecOptions } from "./settings.js";

/** The value of `~standard`: the interface of Standard Schema, version 1. */
export interface StandardProps<In, Out> {
  readonly version: 1;
  readonly vendor: "moonpack";
  /** Returns the value as `decode` returns it, without unknown properties, or the error in it. */
  readonly validate: (value: unknown) => StandardResult<Out>;
  /** For TypeScript only; never set. */
  readonly types?: { readonly input: In; readonly output: Out } | undefined;
}

/** The result of {@link StandardProps.validate}. */
export type StandardResult<Out> =
  | { readonly value: Out; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** An error in a value, with its place. */
export interface StandardIssue {
  readonly message: string;
  readonly path: readonly (string | number)[];
}

/** A Standard Schema, version 1. */
export interface StandardSchema<In, Out> {
  readonly "~standard": StandardProps<In, Out>;
}

/**
 * Returns a schema as a Standard Schema, for routers, forms and other libraries that take one. A value is valid if a
 * codec with these options can encode it. The first invalid place is the only issue.
 *
 * Throws like {@link codec}. `validate` throws errors of the value's own code (`ERR_USER_CODE`).
 *
 * @example
 * const rename = procedure.input(standard(Player)).mutation(({ input }) => input.name); // tRPC
 */
export function standard<Out, In>(schema: SchemaInput<Out, In>, options?: CodecOptions): StandardSchema<In, Out> {
  const values = codec<Out, In>(schema, options);
  const validate = (value: unknown): StandardResult<Out> => {
    try {
      return { value: values.checkStrictly(value as In) };
    } catch (error) {
      if (!(error instanceof EncodeError) || error.code === "ERR_USER_CODE") throw error;
      // Forms show the message at the field.
      return { issues: [{ message: textWithoutPlace(error), path: stepsOf(error.path) }] };
    }
  };
  return { "~standard": { version: 1, vendor: "moonpack", validate } };
}

/** A step of a path: `.name`, `[3]`, `["a b"]`, `[-1]`, `[5n]`, `[an array]`. */
const STEP = /\.([A-Za-z_$][\w$]*)|\[(?:("(?:[^"\\]|\\.)*")|([^\]]*))\]/gy;

/** Returns the keys of an {@link EncodeError.path}; a bigint, which cannot be a property key, as text. */
function stepsOf(path: string): (string | number)[] {
  return Array.from(path.slice(1).matchAll(STEP), ([, name, text, key]) => {
    if (name !== undefined) return name;
    if (text !== undefined) return JSON.parse(text) as string;
    return Number.isNaN(Number(key)) ? key!.replace(/^(-?\d+)n$/, "$1") : Number(key);
  });
}
