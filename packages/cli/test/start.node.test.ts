import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isBrief } from "../src/commands/brief.js";
import { COMMANDS, commandOf, onlyPrints } from "../src/commands/index.js";
import { bin, emptyFolder, moonpack, plainEnvironment } from "./run.js";

test("the help of the program lists each command as its own help shows it", async () => {
  const { stdout } = await moonpack(["--help"]);
  const listed = stdout.toString().replace(/\n {30,}/g, " ");
  for (const [name, { usage, summary }] of COMMANDS) {
    expect(listed).toMatch(new RegExp(`^  ${usage.replace(/[[\]().]/g, "\\$&")} +${summary}$`, "m"));
    // Subcommands have no arguments.
    if (name === "series" || name === "prometheus") continue;
    expect((await moonpack([name, "--help"])).stdout.toString()).toContain(`Usage: moonpack ${usage}\n`);
  }
});

test("the command is the first word, or the one after help", () => {
  expect(commandOf(["convert", "inspect"])).toBe("convert");
  expect(commandOf(["help", "series"])).toBe("series");
  expect(commandOf(["--", "pack"])).toBe("pack");
  for (const args of [[], ["help"], ["--version"], ["frobnicate", "convert"], ["toString"]])
    expect(commandOf(args)).toBeUndefined();
});

test("only a text is printed by help, the version and unknown commands", () => {
  for (const args of [
    [],
    ["--help"],
    ["help", "load"],
    ["frobnicate"],
    ["convert", "-h"],
    ["series", "import", "--help"],
  ])
    expect(onlyPrints(args)).toBe(true);
  for (const args of [["convert"], ["convert", "--export", "--help"], ["load", "target", "--help", "more"]])
    expect(onlyPrints(args)).toBe(false);
});

test("brief is a small file to a file, without a schema", () => {
  const folder = emptyFolder();
  const [small, large, none, inner] = ["small.json", "large.json", "none.mp", "folder"].map((name) =>
    join(folder, name),
  );
  writeFileSync(small!, "[]");
  writeFileSync(large!, `[${" ".repeat(64 * 1024)}]`);
  mkdirSync(inner!);
  for (const args of [
    [small!, none!],
    ["--typed", small!, large!],
  ])
    expect(isBrief(["convert", ...args])).toBe(true);
  for (const args of [
    [small!],
    [small!, "-"],
    ["-", none!],
    [large!, none!],
    [none!, small!],
    [inner!, none!],
    [small!, inner!],
    [small!, "/dev/stdout/none"],
    [small!, none!, "--schema", small!],
  ])
    expect(isBrief(["convert", ...args])).toBe(false);
  expect(isBrief(["inspect", small!, none!])).toBe(false);
});

/** Writes the number of threads that the process has started. */
const COUNTING = `data:text/javascript,${encodeURIComponent(`
import { syncBuiltinESMExports } from "node:module";
import threads from "node:worker_threads";
let count = 0;
const { Worker } = threads;
threads.Worker = class extends Worker {
  constructor(...rest) {
    super(...rest);
    count++;
  }
};
syncBuiltinESMExports();
if (threads.isMainThread) process.on("exit", () => process.stderr.write("threads: " + count));
`)}`;

test("the version, help and brief conversions start no thread", () => {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, "a.json"), "[1]");
  const threadsOf = (...args: string[]) =>
    spawnSync(process.execPath, ["--import", COUNTING, bin, ...args], {
      cwd,
      env: plainEnvironment(),
    }).stderr.toString();
  for (const args of [["--version"], ["--help"], ["convert", "--help"], ["convert", "a.json", "a.mp"]])
    expect(threadsOf(...args)).toBe("threads: 0");
  expect(readFileSync(join(cwd, "a.mp"))).toEqual(Buffer.from([0x91, 1]));
  expect(threadsOf("convert", "a.json", "--to", "msgpack")).toBe("threads: 1");
});
