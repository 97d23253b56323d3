import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { rows } from "./rows.js";
import { bin, emptyFolder, plainEnvironment, shellCode } from "./run.js";

const onPosix = process.platform !== "win32";
const canPipe = onPosix && spawnSync("mkfifo", ["--version"]).error === undefined;

/** A command that runs for minutes or forever. A file or output shows when it is busy. */
interface Endless {
  readonly args: readonly string[];
  readonly input?: string;
  /** Its output goes to a file instead of a pipe that is never read. */
  readonly toFile?: boolean;
  prepare?(cwd: string): void;
  /** True once the process is where the signal must be able to end it. Polled. */
  isBusy?(cwd: string, child: ChildProcess): boolean;
}

/** A schema's module that writes its process id and never returns. */
const LOOP =
  'import { writeFileSync } from "node:fs";\nwriteFileSync(process.env.BUSY!, String(process.pid));\nfor (;;);\n';
const isLooping = (cwd: string) => pidIn(cwd) > 0;

function pidIn(cwd: string): number {
  const file = join(cwd, "busy");
  return existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
}

function fifo(cwd: string): void {
  expect(spawnSync("mkfifo", [join(cwd, "pipe")]).status).toBe(0);
}

/** True if a thread waits for the other end of a named pipe. Known on Linux; elsewhere half a second must be enough. */
function waitsForPartner(_: string, child: ChildProcess): boolean {
  const { stdout } = spawnSync("sh", ["-c", `cat /proc/${child.pid}/task/*/wchan`], { encoding: "utf8" });
  return stdout.includes("fifo") || stdout.includes("wait_for_partner") || !stdout.trim();
}

const ENDLESS: Record<string, Endless> = {
  "inspect, printing a large file": {
    args: ["inspect", "large.mp"],
    prepare: (cwd) => writeFileSync(join(cwd, "large.mp"), largeArray()),
    toFile: true,
    isBusy: (cwd) => statSync(join(cwd, "printed")).size > 0,
  },
  "inspect, adding up a large file": {
    args: ["inspect", "large.mp", "--sizes"],
    prepare: (cwd) => writeFileSync(join(cwd, "large.mp"), largeArray()),
    isBusy: reads("large.mp"),
  },
  "inspect, printing to a pipe that is not read": {
    args: ["inspect", "large.mp"],
    prepare: (cwd) => writeFileSync(join(cwd, "large.mp"), largeArray()),
  },
  "convert, reading a pipe that never ends": {
    args: ["convert", "-", "out.mp", "--from", "json"],
    input: `[${"1,".repeat(300_000)}`,
    isBusy: (cwd) => readdirSync(cwd).length > 0,
  },
  "convert, with a schema's module that never returns": {
    args: ["convert", "in.ndjson", "out.pck", "--schema", "loop.ts"],
    prepare(cwd) {
      writeFileSync(join(cwd, "loop.ts"), LOOP);
      writeFileSync(join(cwd, "in.ndjson"), "1\n");
    },
    isBusy: isLooping,
  },
  "emit, with such a module": {
    args: ["emit", "loop.ts", "--target", "ts"],
    prepare: (cwd) => writeFileSync(join(cwd, "loop.ts"), LOOP),
    isBusy: isLooping,
  },
  "emit --watch, with such a module": {
    args: ["emit", "loop.ts", "--target", "ts", "--watch"],
    prepare: (cwd) => writeFileSync(join(cwd, "loop.ts"), LOOP),
    isBusy: isLooping,
  },
  "bench, timing": {
    args: ["bench", "in.json", "--rounds", "1000"],
    prepare: (cwd) => writeFileSync(join(cwd, "in.json"), JSON.stringify(Array.from({ length: 300_000 }, String))),
    isBusy: reads("in.json"),
  },
  ...(canPipe && {
    "convert from a named pipe without a writer": {
      args: ["convert", "pipe", "out.mp", "--from", "json"],
      prepare: fifo,
      isBusy: waitsForPartner,
    },
    "convert to a named pipe without a reader": {
      args: ["convert", "-", "pipe", "--from", "json", "--to", "msgpack"],
      input: "[1]",
      prepare: fifo,
      isBusy: waitsForPartner,
    },
    "inspect a named pipe without a writer": { args: ["inspect", "pipe"], prepare: fifo, isBusy: waitsForPartner },
  }),
};

/** 32 MB of small integers: printing one per line takes minutes. */
function largeArray(): Uint8Array {
  const bytes = Buffer.alloc(32_000_005, 1);
  bytes.writeUInt8(0xdd);
  bytes.writeUInt32BE(bytes.length - 5, 1);
  return bytes;
}

/** True once the process has read the whole file. What follows takes minutes. */
function reads(name: string): (cwd: string, child: ChildProcess) => boolean {
  return (cwd, child) => {
    const { stdout } = spawnSync("grep", ["rchar", `/proc/${child.pid}/io`], { encoding: "utf8" });
    const size = spawnSync("wc", ["-c", join(cwd, name)], { encoding: "utf8" }).stdout;
    return stdout === "" || Number(stdout.slice(7)) > Number.parseInt(size, 10);
  };
}

describe.runIf(onPosix)("a signal ends a long command and leaves nothing partial", () => {
  const signals = [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const;
  const cases = Object.keys(ENDLESS).flatMap((name) => signals.map((signal) => [name, ...signal] as const));

  test.each(rows(cases))("%s: %s", async (name, signal, exit) => {
    const { args, input, prepare, isBusy, toFile = false } = ENDLESS[name]!;
    const cwd = emptyFolder();
    const temporary = emptyFolder();
    prepare?.(cwd);
    const before = readdirSync(cwd);
    const printed = toFile ? openSync(join(cwd, "printed"), "w") : "pipe";
    const child = spawn(process.execPath, [bin, ...args], {
      cwd,
      env: { ...plainEnvironment(), TMPDIR: temporary, BUSY: join(cwd, "busy") },
      stdio: ["pipe", printed, "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    if (printed !== "pipe") closeSync(printed);
    const ended = new Promise((resolve) => child.on("exit", (code, by) => resolve(shellCode(code, by))));
    child.stdin!.on("error", () => {});
    if (input !== undefined) child.stdin!.write(input);
    if (isBusy === undefined) await new Promise((resolve) => child.stdout!.once("readable", resolve));
    else await until(() => isBusy(cwd, child));
    child.kill(signal);
    expect(await ended).toBe(exit);
    // --watch loads the schema in a child process, which ends by itself.
    await until(() => !isAlive(pidIn(cwd)));
    expect(readdirSync(cwd).filter((file) => file !== "busy" && file !== "printed")).toEqual(before);
    expect(readdirSync(temporary)).toEqual([]);
  });
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}
