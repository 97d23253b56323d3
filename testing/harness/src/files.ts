/**
 * Files of the repository that tests read, by their paths in it. This module reads them from disk. For runtimes
 * without a file system the bundler replaces it by a module with their contents (tools/src/portable/bundle.mjs).
 */
import { readdirSync, readFileSync } from "node:fs";

const ROOT = new URL("../../../", import.meta.url);

/** Returns a file's text. */
export function textOf(path: string): string {
  return readFileSync(new URL(path, ROOT), "utf8");
}

/** Returns a file's bytes. */
export function bytesOf(path: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(new URL(path, ROOT)));
}

/** Returns the sorted names of the files in a folder. The folder's path ends with a slash. */
export function namesIn(folder: string): readonly string[] {
  return readdirSync(new URL(folder, ROOT), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}
