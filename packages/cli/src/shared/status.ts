import { type BigIntStats, fstatSync, statSync } from "node:fs";

/*
 * The status in bigints: `import` in Node 20 and 22 takes a status in numbers for its own. After the status of a pipe it does
 * not follow symbolic links, and loads a linked package twice.
 */

/** Returns the status of a file, or undefined if it does not exist. Throws the system's error if the status is not available. */
export function statusOf(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

/** Returns the status of what a descriptor refers to. */
export function statusOfOpen(descriptor: number): BigIntStats {
  return fstatSync(descriptor, { bigint: true });
}
