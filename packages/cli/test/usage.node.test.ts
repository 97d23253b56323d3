import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { rows } from "./rows.js";
import { bin, moonpack, plainEnvironment } from "./run.js";

const COMMANDS = [
  "convert",
  "inspect",
  "pick",
  "bench",
  "pack",
  "compare",
  "fingerprint",
  "emit",
  "series",
  "prometheus",
  "load",
  "infer",
  "completions",
];

/** The lines of a help, without the path of the guide, which is not wrapped. */
function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => !line.startsWith("Guide: "));
}

test("--help names every command and shows examples", async () => {
  const { code, stdout } = await moonpack(["--help"]);
  expect(code).toBe(0);
  for (const command of COMMANDS) expect(stdout.toString()).toMatch(new RegExp(`^  ${command} `, "m"));
  expect(stdout.toString()).toContain("Examples:");
  for (const line of linesOf(stdout.toString())) expect(line.length).toBeLessThanOrEqual(80);
});

test.each(
  rows(COMMANDS),
)("%s --help has examples that use it, its exit codes, and fits 80 columns", async (command) => {
  const { code, stdout } = await moonpack([command, "--help"]);
  const text = stdout.toString();
  expect(code).toBe(0);
  expect(text).toMatch(/^Usage: moonpack /);
  expect(text).toContain("Exit codes:");
  expect(text.slice(text.indexOf("Examples:"))).toContain(`moonpack ${command} `);
  expect(text).not.toContain("(default: false)");
  for (const line of linesOf(text)) expect(line.length).toBeLessThanOrEqual(80);
});

test.each(
  rows([
    ["", "cli/README.md"],
    ["convert", "cli/README.md"],
    ["compare", "pck/guide/pck-evolution.md"],
    ["emit", "pck/guide/pck.md"],
    ["load", "load/guide/load.md"],
    ["series", "series/guide/series.md"],
    ["series import", "series/guide/series.md"],
    ["prometheus serve", "prometheus/guide/prometheus.md"],
  ]),
)("%s --help ends with the path of its guide, which exists", async (command, path) => {
  const { stdout } = await moonpack([...command.split(" ").filter((word) => word !== ""), "--help"]);
  const [, guide] = /\nGuide: (.+)\n$/.exec(stdout.toString()) ?? [];
  expect(guide!.endsWith(path)).toBe(true);
  expect(readFileSync(guide!, "utf8")).toMatch(/^# /);
});

test("the path of a guide below the folder of the user is relative to it", async () => {
  const cwd = fileURLToPath(new URL("../", import.meta.url));
  const { stdout } = await moonpack(["convert", "--help"], { cwd });
  expect(stdout.toString()).toContain("\nGuide: README.md\n");
});

test("convert --help documents every typed form", async () => {
  const { stdout } = await moonpack(["convert", "--help"]);
  for (const form of ["$bin", "$int", "$float", "$time", "$ext", "$map", "$obj"])
    expect(stdout.toString()).toContain(`{"${form}": `);
});

test("--version prints the package's version", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  expect((await moonpack(["--version"])).stdout.toString()).toBe(`${version}\n`);
});

test("no command: the help on stderr, as bad usage", async () => {
  const { code, stdout, stderr } = await moonpack([]);
  expect([code, stdout.length]).toEqual([2, 0]);
  expect(stderr).toContain("Usage: moonpack");
});

test.each(
  rows([
    [["convert", "--from", "json"], "the text is empty, but JSON needs one value (at byte 0)"],
    [["convert", "--from", "msgpack"], "the input is empty (at byte 0, 1 more needed)"],
    [["inspect"], "the input is empty (at byte 0, 1 more needed)"],
  ]),
)("empty input is bad data: %j", async (args, text) => {
  const { code, stdout, stderr } = await moonpack(args, { input: "" });
  expect([code, stdout.length]).toEqual([1, 0]);
  expect(stderr).toBe(`moonpack: standard input: ERR_TRUNCATED: ${text}\n`);
});

const script = spawnSync("script", ["--version"]).status === 0;

test.runIf(script)("inspect at a terminal asks for a file instead of waiting for input", () => {
  const command = `${process.execPath} ${bin} inspect`;
  const { status, stdout } = spawnSync("script", ["-qec", command, "/dev/null"], { env: plainEnvironment() });
  expect(stdout.toString()).toContain("moonpack: inspect needs a file or a pipe");
  expect(status).toBe(2);
});
