/** A process that writes to a database until it is killed (writer-process.ts). */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import type { Subject } from "./subject.js";

/** A process that writes. */
export interface OtherProcess {
  /** Resolves when `count` batches are acknowledged; rejects if the process ends before. */
  waitFor(batches: number): Promise<void>;
  /** Number of acknowledged batches. It does not change after `kill`. */
  acknowledged(): number;
  /** Sends SIGKILL; resolves when the process has ended and all its output has been read. */
  kill(): Promise<void>;
}

/** Starts a process that opens the database of a subject, and writes one synced batch after the other. */
export async function start({ program, path }: Subject): Promise<OtherProcess> {
  const file = createRequire(import.meta.url).resolve("#writer-process");
  const child = spawn(process.execPath, [file, program!.module, program!.export, path!], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let acknowledged = 0;
  let hasEnded = false;
  let notify: (() => void) | null = null;
  const lines = createInterface(child.stdout);
  lines.on("line", (line) => {
    acknowledged = Number(line);
    notify?.();
  });
  const ended = Promise.all([once(child, "exit"), once(lines, "close")]).then(() => {
    hasEnded = true;
    notify?.();
  });
  return {
    acknowledged: () => acknowledged,
    async waitFor(batches) {
      while (acknowledged < batches) {
        if (hasEnded) throw new Error(`the other process ended after ${acknowledged} batches`);
        await new Promise<void>((resolve) => {
          notify = resolve;
        });
      }
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
