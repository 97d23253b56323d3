import { basename } from "node:path";
import type { AnySchema, Bundle } from "@moonpack/pck";
import { UsageError } from "../shared/failure.js";
import { loadSchemas } from "./schema-file.js";

/** `NAME=FILE`. */
const NAMED = /^(\w+)=(.+)$/;

/** An older schema of `--older`: its file, and the name of its decoders. */
export interface OlderSchemaFile {
  readonly name: string;
  readonly file: string;
}

/** Reads the values of `--older`: `V1=player-v1.ts`, or a file whose name gives the name `PlayerV1`. */
export function olderSchemaFiles(given: readonly string[]): readonly OlderSchemaFile[] {
  const found = given.map((text): OlderSchemaFile => {
    const [, name, file] = NAMED.exec(text) ?? [];
    return name === undefined ? { name: nameOf(text), file: text } : { name, file: file! };
  });
  for (const [i, { name }] of found.entries()) {
    const isThere = found.findIndex((one) => one.name === name) < i;
    if (isThere) throw new UsageError(`--older has the name ${name} twice: rename one of them, as in --older V1=FILE`);
  }
  return found;
}

/** Loads the older schemas. `exported` is the export that is emitted, where the older file has it too. */
export async function loadOlderSchemas(
  older: readonly OlderSchemaFile[],
  exported: string | undefined,
): Promise<{ readonly [name: string]: AnySchema | Bundle }> {
  const schemas: [string, AnySchema | Bundle][] = [];
  for (const { name, file } of older) schemas.push([name, await loadSchemas(file, exported, false)]);
  return Object.fromEntries(schemas);
}

function nameOf(file: string): string {
  const words = basename(file)
    .replace(/\.[^.]*$/, "")
    .split(/[^A-Za-z0-9]+/);
  const name = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
  if (name === "") throw new UsageError(`--older needs a name for this schema, as in --older V1=${file}`);
  return name;
}
