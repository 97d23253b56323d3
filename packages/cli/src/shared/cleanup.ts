import { randomBytes } from "node:crypto";
import { unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Files that must not outlive this process unless they are finished. */
const unfinished = new Set<string>();

/** A name beside `target`, so that the finished file can take its place in one rename; removed if the process ends first. */
export function temporaryBeside(target: string): string {
  const name = join(dirname(target), `.${basename(target)}.${process.pid}-${randomBytes(4).toString("hex")}.part`);
  unfinished.add(name);
  return name;
}

/** The file is finished (or already gone): forget it. */
export function keep(path: string): void {
  unfinished.delete(path);
}

/** Removes a temporary file that is not wanted any more. */
export function removeTemporary(path: string): void {
  unfinished.delete(path);
  try {
    unlinkSync(path);
  } catch {
    // Never created, or already gone: nothing is left behind either way.
  }
}

/** Removes every unfinished file. Synchronous, so that it also works while the process is ending. */
export function removeUnfinished(): void {
  for (const path of unfinished) removeTemporary(path);
}

/** Ends on a signal with the exit code that shells expect (128 + its number), leaving no partial file. */
export function cleanUpOnSignals(beforeExit: () => void): void {
  const signals = [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const;
  for (const [signal, code] of signals) {
    process.on(signal, () => {
      beforeExit();
      removeUnfinished();
      process.exit(code);
    });
  }
}
