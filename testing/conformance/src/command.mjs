import { execFile } from "node:child_process";
import { promisify } from "node:util";

const start = promisify(execFile);

/** Runs a command for at most ten minutes. Throws an error with its output when it fails. */
export async function run(command, args, options) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  try {
    await start(command, args, { timeout: 600_000, maxBuffer: 2 ** 26, env, ...options });
  } catch (error) {
    throw new Error(`${command} ${args.slice(0, 3).join(" ")} .. failed\n${error.stderr || error.message}`);
  }
}
