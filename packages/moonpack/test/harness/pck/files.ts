/** The files of vectors/pck. */
import { textOf } from "../files.ts";
import { type BytesCase, named, type SchemaCase } from "./cases.ts";
import type { RefusedCase } from "./refusals.ts";

/** The cases of a file, each on its line. */
export function linesOf<T>(file: string): readonly (T & { readonly name: string })[] {
  return named(
    textOf(`vectors/pck/${file}`)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as T),
    file,
  );
}

/** Cases of bytes: values, what is only read, what is refused. */
export function byteCases(...files: readonly string[]): readonly (BytesCase & { readonly name: string })[] {
  return files.flatMap((file) => linesOf<BytesCase>(file));
}

/** Values that encoders refuse. */
export function refusedCases(): readonly (RefusedCase & { readonly name: string })[] {
  return linesOf<RefusedCase>("own/refused.jsonl");
}

/** Cases of documents. */
export function schemaCases(...files: readonly string[]): readonly (SchemaCase & { readonly name: string })[] {
  return files.flatMap((file) => linesOf<SchemaCase>(file));
}
