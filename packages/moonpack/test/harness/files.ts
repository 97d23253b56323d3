/**
 * Files of the repository that tests read, by their paths in it. Here from the disk; where there is none, the bundler
 * puts a module in this one's place that holds them (scripts/test-runtimes/bundle.mjs).
 */
import { readdirSync, readFileSync } from "node:fs";

const ROOT = new URL("../../../../", import.meta.url);

/** A file's text. */
export function textOf(path: string): string {
  return readFileSync(new URL(path, ROOT), "utf8");
}

/** A file's bytes. */
export function bytesOf(path: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(new URL(path, ROOT)));
}

/** The names of the files in a folder, whose path ends with a slash; in order. */
export function namesIn(folder: string): readonly string[] {
  return readdirSync(new URL(folder, ROOT), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}
