import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isNamed, isWhole } from "./rows.js";

/** The built command. */
export const bin = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const stats = new URL("./stats.mjs", import.meta.url).href;
const hostModule = fileURLToPath(new URL("./host.mjs", import.meta.url));

/** The outcome of a run of the command. */
export interface Run {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** The outcome of a run of the command as a process. */
export interface MeasuredRun extends Run {
  /** Peak resident memory in MB. */
  readonly peak: number;
}

export interface RunOptions {
  readonly input?: Uint8Array | string;
  readonly cwd?: string;
  readonly env?: Record<string, string>;
}

let runs = 0;
let host: ChildProcess | undefined;

/** An empty folder. It is removed after the run of all tests (tools/src/vitest/scratch.mjs). */
export function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), "moonpack-cli-"));
}

/** A file in a new folder. */
export function fileOf(name: string, content: Uint8Array | string): string {
  const path = join(emptyFolder(), name);
  writeFileSync(path, content);
  return path;
}

/** The environment of a user's plain shell: without npm's variables and without colours. */
export function plainEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|INIT_CWD$|FORCE_COLOR$|NODE_OPTIONS$|VITEST)/.test(name),
  );
  return { ...(Object.fromEntries(kept) as Record<string, string>), NO_COLOR: "1" };
}

/** The exit code as a shell shows it: 128 plus the signal's number if a signal ended the process. */
export function shellCode(code: number | null, by: NodeJS.Signals | null): number | null {
  return by === null ? code : 128 + constants.signals[by];
}

/**
 * Runs the built command to its end: as a process, or in one that many runs share (host.mjs) and that ends with the worker of vitest.
 * Processes are all runs of a named test file, a quarter in CI, and otherwise the first of each worker.
 */
export function moonpack(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const isProcess = isNamed || runs++ === 0 || (isWhole && isInQuarter(args));
  return isProcess ? moonpackProcess(args, options) : inHost(args, options);
}

/** The same quarter in every run of the tests: paths are not looked at, since those of temporary folders differ. */
function isInQuarter(args: readonly string[]): boolean {
  const words = args.filter((arg) => !arg.includes("/")).join(" ");
  const sum = Array.from(words, (char) => char.charCodeAt(0)).reduce((total, unit) => total + unit, 0);
  return sum % 4 === 0;
}

/** Runs the built command to its end, in a new process. */
export async function moonpackProcess(args: readonly string[], options: RunOptions = {}): Promise<MeasuredRun> {
  const peakFile = join(emptyFolder(), "peak");
  const child = spawn(process.execPath, ["--import", stats, bin, ...args], {
    cwd: options.cwd ?? emptyFolder(),
    env: { ...plainEnvironment(), MOONPACK_TEST_PEAK: peakFile, ...options.env },
  });
  const stdout: Buffer[] = [];
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  // A command that rejects its arguments does not read its input.
  child.stdin.on("error", () => {});
  child.stdin.end(options.input);
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, stdout: Buffer.concat(stdout), stderr, peak: Number(readFileSync(peakFile, "utf8")) };
}

async function inHost(args: readonly string[], options: RunOptions): Promise<Run> {
  host ??= spawn(process.execPath, [hostModule, bin], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const folder = emptyFolder();
  const files = ["in", "out", "err"].map((name) => join(folder, name)) as [string, string, string];
  writeFileSync(files[0], options.input ?? "");
  const ended = new AbortController();
  const died = once(host, "exit", { signal: ended.signal }).then(() => Promise.reject(new Error("the host ended")));
  try {
    const env = { ...plainEnvironment(), ...options.env };
    host.send({ args, cwd: options.cwd ?? emptyFolder(), env, files });
    const [code] = await Promise.race([once(host, "message", { signal: ended.signal }), died]);
    return { code, stdout: readFileSync(files[1]), stderr: readFileSync(files[2], "utf8") };
  } finally {
    died.catch(() => {});
    ended.abort();
  }
}

/** Runs `moonpack convert` on standard input. Returns its output; throws with its error text when it fails. */
export async function convert(input: Uint8Array | string, ...args: string[]): Promise<Buffer> {
  const { code, stdout, stderr } = await moonpack(["convert", ...args], { input });
  if (code !== 0) throw new Error(`exit ${code}: ${stderr}`);
  return stdout;
}
