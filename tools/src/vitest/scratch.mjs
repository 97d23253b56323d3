// Runs once around all tests: their temporary folders are in one folder, which is removed at the end, also what tests
// that failed or were stopped have left in it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The variables from which os.tmpdir() takes the folder: in this process, in vitest's workers and in what these start. */
const NAMES = ["TMPDIR", "TMP", "TEMP"];

/** Set once the folder exists. Vitest calls the setup for each project. */
const MARK = "MOONPACK_SCRATCH";

export default function setup() {
  // One folder within another makes paths too long for the sockets that browsers put there.
  if (process.env[MARK] !== undefined) return undefined;
  const saved = [...NAMES, MARK].map((name) => [name, process.env[name]]);
  const folder = mkdtempSync(join(tmpdir(), "moonpack-"));
  for (const name of [...NAMES, MARK]) process.env[name] = folder;
  return () => {
    for (const [name, value] of saved) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    rmSync(folder, { recursive: true, force: true });
  };
}
