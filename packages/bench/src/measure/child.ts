import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const WORKER = new URL("../worker.js", import.meta.url);

/**
 * Runs a suite's `work` in a process of its own and returns its answer. A new process starts without compiled code,
 * type feedback and heap of the measurements before it.
 */
export function runInChild<Answer>(
  suite: string,
  job: unknown,
  runtimeOptions: readonly string[] = [],
  executable = process.execPath,
): Promise<Answer> {
  return runScript<Answer>(WORKER, [suite, JSON.stringify(job)], ["--expose-gc", ...runtimeOptions], executable);
}

/** The same for a module of its own, whose one line of standard output is the answer as JSON. */
export async function runScript<Answer>(
  script: URL,
  args: readonly string[],
  runtimeOptions: readonly string[] = [],
  executable = process.execPath,
): Promise<Answer> {
  const child = spawn(executable, [...runtimeOptions, fileURLToPath(script), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  // A runner that ends early must not leave its child measuring; a terminal interrupts both.
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
    return JSON.parse(output) as Answer;
  } finally {
    process.removeListener("exit", stop);
  }
}
