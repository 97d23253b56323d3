import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const WORKER = new URL("../worker.js", import.meta.url);

/**
 * Runs a suite's `work` in a new process and returns its result. A new process starts without compiled code, type feedback
 * and heap of earlier measurements.
 */
export function runInChild<Result>(
  suite: string,
  job: unknown,
  runtimeOptions: readonly string[] = [],
  executable = process.execPath,
): Promise<Result> {
  return runScript<Result>(WORKER, [suite, JSON.stringify(job)], ["--expose-gc", ...runtimeOptions], executable);
}

/** The same for a script whose standard output is one line of JSON, the result. */
export async function runScript<Result>(
  script: URL,
  args: readonly string[],
  runtimeOptions: readonly string[] = [],
  executable = process.execPath,
): Promise<Result> {
  const child = spawn(executable, [...runtimeOptions, fileURLToPath(script), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  // If the runner ends early, its child must not continue measuring. A terminal interrupts both.
  const stop = () => child.kill();
  process.once("exit", stop);
  try {
    const exited = new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    const output = await text(child.stdout);
    const code = await exited;
    if (code !== 0) throw new Error(`${args.join(" ")}: the measuring process ended with ${code}`);
    return JSON.parse(output) as Result;
  } finally {
    process.removeListener("exit", stop);
  }
}
