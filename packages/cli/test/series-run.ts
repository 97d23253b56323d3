/** Runs `moonpack series` within this process: for tests that do not need a separate process. */
import { vi } from "vitest";
import { run } from "../src/program.js";

/** The outcome of a command. What goes to standard output past Node's stream, as data do, is not in it. */
export interface SeriesRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command. Paths must be absolute. */
export async function runSeries(...args: readonly string[]): Promise<SeriesRun> {
  const texts = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      texts[name] += String(text);
      return true;
    }),
  );
  const { exitCode } = process;
  process.exitCode = undefined;
  try {
    return { code: await run(["series", ...args]), ...texts };
  } finally {
    process.exitCode = exitCode;
    for (const spy of spies) spy.mockRestore();
  }
}
