/** Runs code in a process of its own: for tests of memory, of flags, and of a polluted global. Node only. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));

export interface ChildResult {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The code is a module in the package's folder, so `import .. from "moonpack"` finds what users get. */
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

/** The same, for code that prints one line of JSON. */
export function childResult<T>(code: string, flags: readonly string[] = [], timeout?: number): T {
  const { status, signal, stdout, stderr } = runChild(code, flags, timeout);
  if (status !== 0) throw new Error(`exit ${status} ${signal ?? ""}\n${stderr.slice(0, 3000)}`);
  return JSON.parse(stdout) as T;
}
