/** The files of vectors/pck. Node only. */
import { readFileSync } from "node:fs";
import { type BytesCase, named, type SchemaCase } from "./cases.ts";

const FOLDER = new URL("../../../../../vectors/pck/", import.meta.url);

/** The cases of a file, each on its line. */
export function linesOf<T>(file: string): readonly (T & { readonly name: string })[] {
  const text = readFileSync(new URL(file, FOLDER), "utf8");
  return named(
    text
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

/** Cases of documents. */
export function schemaCases(...files: readonly string[]): readonly (SchemaCase & { readonly name: string })[] {
  return files.flatMap((file) => linesOf<SchemaCase>(file));
}
