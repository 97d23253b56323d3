/** Runs code in a separate process: for tests of memory, of flags and of polluted globals. Node only. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("../../../packages/moonpack", import.meta.url));

/** The exit status, the signal and the output of a process. */
export interface ChildResult {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `code` as a module in the package's folder, so that `import .. from "moonpack"` loads the built package. */
export function runChild(code: string, flags: readonly string[] = [], timeout = 60_000): ChildResult {
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    [...flags, "--input-type=module", "-e", code],
    {
      cwd: PACKAGE,
      encoding: "utf8",
      timeout,
      env: { ...process.env, NODE_OPTIONS: "" },
    },
  );
  return { status, signal, stdout, stderr };
}

/** Runs code that prints one line of JSON, and returns the parsed line. */
export function childResult<T>(code: string, flags: readonly string[] = [], timeout?: number): T {
  const { status, signal, stdout, stderr } = runChild(code, flags, timeout);
  if (status !== 0) throw new Error(`exit ${status} ${signal ?? ""}\n${stderr.slice(0, 3000)}`);
  return JSON.parse(stdout) as T;
}
