import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { rows } from "./rows.js";
import { bin, moonpack, plainEnvironment } from "./run.js";

const COMMANDS = ["convert", "inspect", "bench", "pack", "compare", "fingerprint", "emit", "load"];

test("--help names every command and shows examples", async () => {
  const { code, stdout } = await moonpack(["--help"]);
  expect(code).toBe(0);
  for (const command of COMMANDS) expect(stdout.toString()).toMatch(new RegExp(`^  ${command} `, "m"));
  expect(stdout.toString()).toContain("Examples:");
  for (const line of stdout.toString().split("\n")) expect(line.length).toBeLessThanOrEqual(80);
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
  for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
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

const REFUSED: [string[], string][] = [
  [["frobnicate"], "moonpack: unknown command 'frobnicate'"],
  [["convrt", "a.json"], "Did you mean convert?"],
  [["--frobnicate"], "unknown option '--frobnicate'"],
  [["convert", "--frobnicate"], "unknown option '--frobnicate'"],
  [["convert", "a.json", "b.msgpack", "c"], "too many arguments"],
  [["convert", "--from", "xml"], "Allowed choices are json, ndjson, msgpack"],
  [["convert"], "the format of standard input is unknown"],
  [["convert", "data.txt"], "data.txt is unknown"],
  [["convert", "data.json", "out.bin"], "out.bin is unknown"],
  [["convert", "a.ndjson", "b.json"], "NDJSON holds many values, but JSON holds one"],
  [["convert", "a.mp", "b.mp", "--typed"], "neither input nor output is JSON"],
  [["convert", "a.json", "b.mp", "--pretty"], "the output is msgpack"],
  [["convert", "a.json", "b.mp", "--big-integers"], "the output is msgpack"],
  [["convert", "a.mp", "b.json", "--canonical"], "the output is json"],
  [["inspect", "a.mp", "b.mp"], "too many arguments"],
  [["inspect", "a.mp", "--limit", "x"], "--limit must be a whole number"],
  [["inspect", "a.json"], "inspect reads MessagePack, but a.json is JSON by its name; use: moonpack convert a.json |"],
  [["bench"], "missing required argument 'file'"],
  [["bench", "a.ndjson"], "bench needs a file with one value"],
  [["bench", "a.json", "--rounds", "0"], "--rounds must be a whole number"],
  [["pack"], "missing required argument 'files'"],
  [["bench", "a.pck"], "bench needs a file with one value"],
  [["convert", "a.ndjson", "b.pck"], "PCK needs a schema: add --schema FILE"],
  [["convert", "a.pck", "b.mp"], "PCK converts only to and from JSON and NDJSON"],
  [["convert", "a.json", "b.mp", "--schema", "s.ts"], "neither input nor output is PCK"],
  [["convert", "a.pck", "b.json", "--typed"], "the schema sets the types"],
  [["convert", "a.pck", "--pretty"], "the output is ndjson"],
  [
    ["convert", "a.ndjson", "b", "--to", "message", "--schema", "s.ts"],
    "NDJSON holds many values, but a message holds one",
  ],
  [["convert", "a.pck", "--framed"], "--framed needs a PCK message"],
  [["convert", "a.pck", "--export", "A"], "--export needs --schema"],
  [["convert", "a.bin", "--schema", "schema.txt"], "schema.txt is not a schema"],
  [["inspect", "a.pck", "--schema", "s.ts"], "a.pck is a container by its name"],
  [["inspect", "a.bin", "--framed"], "need --schema"],
  [["inspect", "a.bin", "--sequence", "--schema", "s.ts"], "cannot be combined"],
  [["inspect", "a.pck", "--sequence"], "--sequence needs MessagePack"],
  [["compare", "a.json"], "missing required argument 'new'"],
  [["compare", "a.json", "b.json", "--export", "A"], "--export needs a module"],
  [["fingerprint"], "missing required argument 'schema'"],
];

test.each(rows(REFUSED))("bad usage: exit 2 and the reason: %j", async (args, text) => {
  const { code, stdout, stderr } = await moonpack(args);
  expect([code, stdout.length]).toEqual([2, 0]);
  expect(stderr).toContain(text);
  expect(stderr).not.toMatch(/^\s+at /m);
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
