// Code and texts that are made of a schema, as the command line makes them.

import { type AnySchema, fingerprint, toDocument } from "@moonpack/pck";
import { type EmittedFile, emit, emitGo, schemaSource } from "@moonpack/pck/emit";
import { MoonpackError } from "moonpack/bytes";
import { shownText } from "../shared/shown.ts";
import type { Emission, MadeFile } from "./answers.ts";
import { MAX_SHOWN } from "./limits.ts";

/** A language of code, or a form of the schema itself. */
export type EmitForm = "typescript" | "go" | "document" | "module";

/** The package of Go that a schema's name gives: `TopStories` is topstories. */
function goPackage(schema: AnySchema): string {
  const letters = schema.name.toLowerCase().replace(/[^a-z0-9]/g, "");
  return /^[a-z]/.test(letters) && letters !== "main" ? letters : "messages";
}

/** Makes the files of a form. */
export function emitted(schema: AnySchema, form: EmitForm): Emission {
  try {
    return { files: filesOf(schema, form).map(madeFile), fault: "" };
  } catch (error) {
    if (!(error instanceof MoonpackError)) throw error;
    return { files: [], fault: shownText(`${error.code}: ${error.message}`) };
  }
}

function madeFile({ path, text }: EmittedFile): MadeFile {
  const { length } = text;
  const isLong = length > MAX_SHOWN;
  return { path, text: text.slice(0, MAX_SHOWN), length, whole: isLong ? new Blob([text]) : undefined };
}

function filesOf(schema: AnySchema, form: EmitForm): readonly EmittedFile[] {
  switch (form) {
    case "typescript":
      return emit(schema, { target: "ts" });
    case "go":
      return packageFor(schema);
    case "document":
      return [{ path: "schema.json", text: `${JSON.stringify(toDocument(schema), null, 2)}\n` }];
    case "module":
      return [{ path: "schema.ts", text: schemaSource(schema) }];
  }
}

/** Names such as `type` cannot be a package. */
function packageFor(schema: AnySchema): readonly EmittedFile[] {
  try {
    return emitGo(schema, { package: goPackage(schema) });
  } catch (error) {
    if (!(error instanceof MoonpackError) || error.code !== "ERR_INVALID_ARGUMENT") throw error;
    return emitGo(schema, { package: "messages" });
  }
}

/** The fingerprint of a schema in hexadecimal digits. */
export function printOf(schema: AnySchema): string {
  return Array.from(fingerprint(schema), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
