/** The files of vectors/pck. */
import { textOf } from "@moonpack/harness/files.ts";
import { type BytesCase, named, type SchemaCase } from "./cases.ts";
import type { RefusedCase } from "./refusals.ts";

/** Returns the cases of a file, one for each line. */
export function linesOf<T>(file: string): readonly (T & { readonly name: string })[] {
  return named(
    textOf(`vectors/pck/${file}`)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as T),
    file,
  );
}

/** Cases with bytes: values, bytes that are only decoded, invalid bytes. */
export function byteCases(...files: readonly string[]): readonly (BytesCase & { readonly name: string })[] {
  return files.flatMap((file) => linesOf<BytesCase>(file));
}

/** Invalid values. */
export function refusedCases(): readonly (RefusedCase & { readonly name: string })[] {
  return linesOf<RefusedCase>("own/refused.jsonl");
}

/** Valid and invalid documents. */
export function schemaCases(...files: readonly string[]): readonly (SchemaCase & { readonly name: string })[] {
  return files.flatMap((file) => linesOf<SchemaCase>(file));
}
