/** The owner of a store: `owner.json` names the process, for the text of `ERR_SERIES_LOCKED`. The database itself has the lock. */
import { readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { SeriesError } from "@moonpack/series";
import { storeError } from "@moonpack/series/driver";

/** Writes the file. */
export async function writeOwner(path: string): Promise<void> {
  const owner = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  try {
    await writeFile(join(path, "owner.json"), `${JSON.stringify(owner)}\n`);
  } catch (error) {
    throw storeError(error, "the folder of the store");
  }
}

/** True for the error of a store that another process has open. */
export function isLocked(error: unknown): boolean {
  return error instanceof SeriesError && error.code === "ERR_SERIES_LOCKED";
}

/** Returns the error for a locked store, which names its owner if it is known. */
export async function lockedError(path: string, cause: unknown): Promise<SeriesError> {
  const owner = await readFile(join(path, "owner.json"), "utf8").then(ownerOf, () => "another process");
  return new SeriesError("ERR_SERIES_LOCKED", `the store is open in ${owner}`, {}, cause);
}

function ownerOf(text: string): string {
  try {
    const { pid, host, since } = JSON.parse(text) as Record<string, unknown>;
    return `process ${String(pid)} on ${String(host)}, since ${String(since)}`;
  } catch {
    return "another process";
  }
}
