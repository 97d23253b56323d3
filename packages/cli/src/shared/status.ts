import { type BigIntStats, fstatSync, statSync } from "node:fs";

/*
 * The status in bigints, since `import` in Node 20 and 22 mistakes a status in numbers for its own. After that of a pipe it does
 * not follow symbolic links, and a linked package that is imported later is loaded twice.
 */

/** The status of a file, or undefined if there is none. Throws the system's error if it cannot be told. */
export function statusOf(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

/** The status of what a descriptor refers to. */
export function statusOfOpen(descriptor: number): BigIntStats {
  return fstatSync(descriptor, { bigint: true });
}
