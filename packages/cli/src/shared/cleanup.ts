import { randomBytes } from "node:crypto";
import { unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { tellSupervisor } from "./supervisor.js";

/** Paths of unfinished files, to be removed when the process ends. */
const unfinished = new Set<string>();

/**
 * Returns a path beside `target`, so that one rename puts the finished file in place. The file is removed if the
 * process ends first.
 */
export function temporaryBeside(target: string): string {
  const name = join(dirname(target), `.${basename(target)}.${process.pid}-${randomBytes(4).toString("hex")}.part`);
  unfinished.add(name);
  tellSupervisor({ kind: "file", path: name });
  return name;
}

/** Forgets a file that is finished or already gone. */
export function forgetTemporary(path: string): void {
  unfinished.delete(path);
  tellSupervisor({ kind: "fileGone", path });
}

/** Removes a temporary file. */
export function removeTemporary(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Never created, or already removed.
  }
  forgetTemporary(path);
}

/** Removes every unfinished file. */
export function removeUnfinished(): void {
  for (const path of unfinished) removeTemporary(path);
}
