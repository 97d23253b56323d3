// Runs processes, as many at a time as there are processors.
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";

/** Runs a program. Returns its exit code and output; never throws. */
export function run(command, args, { cwd, env = process.env, timeout = 300_000 } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], timeout });
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"])
      child[name].setEncoding("utf8").on("data", (text) => (output[name] += text));
    child.on("error", (error) => resolve({ status: 1, ...output, stderr: `${output.stderr}${error.message}` }));
    child.on("close", (status, signal) => resolve({ status: status ?? signal, ...output }));
  });
}

export const runNode = (args, options) => run(process.execPath, args, options);

/** How to start the npm that started this process. */
export function runNpm(args, options) {
  const { npm_execpath: path } = process.env;
  return path !== undefined && /\bnpm-cli\.c?js$/.test(path)
    ? runNode([path, ...args], options)
    : run("npm", args, options);
}

/** Calls `work` for each item, a few at a time. Returns the results in order. */
export async function mapParallel(items, work) {
  const results = new Array(items.length);
  const queue = items.entries();
  const lane = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  return results;
}

/** The faults that `work` returns for the items, in order. */
export async function faultsOf(items, work) {
  return (await mapParallel(items, work)).flat();
}
