/** The vectors of containers and framed messages, and the outcome of reading them. */

import { fault } from "@moonpack/harness/caught.ts";
import { textOf } from "@moonpack/harness/files.ts";
import { fromHex } from "@moonpack/harness/hex.ts";
import { codec, type SchemaDocument } from "@moonpack/pck";

interface Failure {
  readonly code: string;
  readonly offset?: number;
  readonly needMore?: number;
}

/** A case: one line of a vector file. */
export interface Case {
  readonly name: string;
  readonly doc: SchemaDocument;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The outcome: values in their JSON form, or an error. */
  readonly expected: { readonly values: readonly unknown[] } | Failure;
  readonly writer?: SchemaDocument;
}

/** Returns the cases of vectors/pck/NAME.jsonl. */
export function casesOf(name: string): readonly Case[] {
  return textOf(`vectors/pck/${name}.jsonl`)
    .trimEnd()
    .split("\n")
    .map((line, i) => {
      const { doc, writer, bytes, values, value, error } = JSON.parse(line);
      return {
        name: `line ${i + 1}`,
        doc,
        writer,
        bytes: fromHex(bytes),
        expected: error ?? { values: values ?? [value] },
      };
    });
}

const forms = new WeakMap<SchemaDocument, { readonly toJSON: (value: unknown) => unknown }>();

/** Returns the JSON form of a document's values. */
function jsonOf(doc: SchemaDocument): { readonly toJSON: (value: unknown) => unknown } {
  const made = forms.get(doc);
  if (made !== undefined) return made;
  const one = codec(doc);
  const form = { toJSON: (value: unknown) => one.toJSON(value as never) };
  forms.set(doc, form);
  return form;
}

/** Returns values in their JSON form, or code, offset and needMore of the error, as the vectors have them. */
export function outcomeOf(doc: SchemaDocument, read: () => readonly unknown[]): Case["expected"] {
  try {
    const values = read();
    const { toJSON } = jsonOf(doc);
    return { values: values.map(toJSON) };
  } catch (error) {
    return failureOf(error);
  }
}

/** Returns an error as the vectors have it. */
export function failureOf(error: unknown): Failure {
  const { code, offset, needMore } = fault(() => {
    throw error;
  });
  return {
    code: code as string,
    ...(offset === undefined ? {} : { offset: offset as number }),
    ...(needMore === undefined || needMore === 0 ? {} : { needMore: needMore as number }),
  };
}
