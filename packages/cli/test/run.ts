import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

/** The built command. */
export const bin = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const stats = new URL("./stats.mjs", import.meta.url).href;

/** The outcome of a run of the command. */
export interface Run {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** Peak resident memory in MB. */
  readonly peak: number;
}

export interface RunOptions {
  readonly input?: Uint8Array | string;
  readonly cwd?: string;
  readonly env?: Record<string, string>;
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder that is removed with the test file. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "moonpack-cli-"));
  folders.push(folder);
  return folder;
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

/** Runs the built command to its end. */
export async function moonpack(args: readonly string[], options: RunOptions = {}): Promise<Run> {
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

/** Runs `moonpack convert` on standard input. Returns its output; throws with its error text when it fails. */
export async function convert(input: Uint8Array | string, ...args: string[]): Promise<Buffer> {
  const { code, stdout, stderr } = await moonpack(["convert", ...args], { input });
  if (code !== 0) throw new Error(`exit ${code}: ${stderr}`);
  return stdout;
}
