// The schemas in a text: a module in TypeScript, or a schema document.

import { type AnySchema, bundle, Schema } from "@moonpack/pck";
import { MoonpackError } from "moonpack/bytes";
import { shownText } from "../shared/shown.ts";
import { readDocument } from "./document-text.ts";
import { isPlain } from "./evaluate/members.ts";
import { evaluateModule, type ModuleContent } from "./evaluate/module.ts";
import { SourceError } from "./evaluate/source-error.ts";
import { formOf, type SchemaForm } from "./form.ts";
import { lineOf, lineRanges } from "./lines.ts";
import { placeOfError } from "./places.ts";

/** A schema of a text, and the name that the text gives it. */
export interface NamedSchema {
  readonly name: string;
  readonly schema: AnySchema;
}

/** An error and its place. Lines and columns begin at 1. */
export interface SourceFault {
  readonly message: string;
  /** The code of an error of moonpack. */
  readonly code: string | undefined;
  /** Offsets of characters. */
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly column: number;
}

/** The content of a text. With errors, it has no schemas. */
export interface SchemaText {
  readonly form: SchemaForm;
  readonly schemas: readonly NamedSchema[];
  /** The schema to begin with, by its index. */
  readonly preferred: number;
  readonly faults: readonly SourceFault[];
  /** A remark on the text. */
  readonly note: string;
}

/** Reads a text. Errors are in the result. */
export function readSchema(text: string): SchemaText {
  const form = formOf(text);
  const failed = (errors: readonly SourceError[], note = ""): SchemaText => ({
    ...{ form, schemas: [], preferred: 0, note },
    faults: errors.map((error) => faultAt(error, text)),
  });
  if (form === "document") {
    try {
      const schema = readDocument(text);
      return { form, schemas: [{ name: schema.name, schema }], preferred: 0, faults: [], note: "" };
    } catch (error) {
      if (error instanceof SourceError) return failed([error]);
      throw error;
    }
  }
  const content = evaluateModule(text);
  const note = leftOutText(content, text);
  if (content.errors.length > 0) return failed(content.errors, note);
  const { schemas, preferred } = schemasIn(content);
  const fault = faultOfSchemas(schemas, content);
  return fault === undefined ? { form, schemas, preferred, faults: [], note } : failed([fault], note);
}

function faultAt({ message, code, start, end }: SourceError, text: string): SourceFault {
  const from = Math.min(start, text.length);
  const line = lineOf(text, from);
  return {
    message: shownText(message),
    code,
    from,
    to: Math.min(Math.max(end, from), text.length),
    line: line.number,
    column: from - line.from + 1,
  };
}

/** The schemas to choose from: exported ones, or all if none is exported. */
function schemasIn({ values, exported, used }: ModuleContent): { schemas: NamedSchema[]; preferred: number } {
  const found = new Map<AnySchema, string>();
  const add = (name: string, value: unknown) => {
    if (value instanceof Schema && !found.has(value as AnySchema)) found.set(value as AnySchema, name);
  };
  const names =
    exported.size > 0 && [...exported].some((name) => holdsSchemas(values.get(name))) ? exported : values.keys();
  for (const name of names) {
    const value = values.get(name);
    if (isPlain(value)) for (const [key, inner] of Object.entries(value)) add(key, inner);
    else add(name === "default" ? ((value as Partial<AnySchema>).name ?? "default") : name, value);
  }
  for (const value of used) add((value as Partial<AnySchema> | null)?.name ?? "", value);
  const schemas = [...found].map(([schema, name]) => ({ name: name === "" ? "without a name" : name, schema }));
  const byDefault = schemas.findIndex(({ schema }) => schema === values.get("default"));
  // A schema comes after the schemas that it contains.
  return { schemas, preferred: byDefault >= 0 ? byDefault : Math.max(0, schemas.length - 1) };
}

function holdsSchemas(value: unknown): boolean {
  return value instanceof Schema || (isPlain(value) && Object.values(value).some((one) => one instanceof Schema));
}

/** Returns errors of schemas that were created without an exception. */
function faultOfSchemas(schemas: readonly NamedSchema[], { places }: ModuleContent): SourceError | undefined {
  if (schemas.length === 0)
    return new SourceError(
      'No schema found. Declare one: export const Player = schema("Player", utf8("name"), u8("level"));',
      { start: 0, end: 0 },
    );
  try {
    bundle(Object.fromEntries(schemas.map(({ schema }, index) => [index, schema])));
    return undefined;
  } catch (error) {
    if (!(error instanceof MoonpackError)) throw error;
    const inner = error.cause instanceof SourceError ? error.cause : error;
    return new SourceError(inner.message, placeOfError(error, places), error.code);
  }
}

function leftOutText({ leftOut }: ModuleContent, text: string): string {
  if (leftOut.length === 0) return "";
  const lines = lineRanges(text, leftOut);
  return `Left out, since it makes no schema: ${lines}.`;
}
