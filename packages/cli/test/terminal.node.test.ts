import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AnySchema, ContainerWriter, schema, u8 } from "@moonpack/pck";
import { encode } from "moonpack";
import { expect, test } from "vitest";
import { rows } from "./rows.js";
import { bin, emptyFolder, fileOf, moonpack, plainEnvironment } from "./run.js";

/** A colour, a window title by C1, a backspace, a change of direction, and a forged line of our own. */
const CONTROLS = "a\u001b[31mb\u009d0;title\u0007\b\u007f\u202ec\u2028\u2066";
const FORGED = `${CONTROLS}\nmoonpack: all is well`;

/** The characters that our own lines need; a terminal would obey any other control character. */
function expectHarmless(text: string): void {
  expect([...text.matchAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu)].filter(([found]) => found !== "\n")).toEqual([]);
  expect(text).not.toMatch(/^moonpack: all is well/m);
}

const onPosix = process.platform !== "win32";

test.runIf(onPosix)("names of files are escaped in every message", async () => {
  const cwd = emptyFolder();
  const name = (ending: string) => FORGED + ending;
  for (const ending of [".json", ".ndjson", ".mp", ".pck", ".go"]) writeFileSync(join(cwd, name(ending)), "[1, x");
  writeFileSync(join(cwd, name(".ts")), "throw new Error('\\u009b31m\\nmoonpack: all is well \\x1b[0m')");
  const document = '{"pck":1,"root":"A","structs":{"A":{"fields":[]}}}';
  writeFileSync(join(cwd, "s.json"), document);
  const out = join(cwd, name(""));
  mkdirSync(out);
  writeFileSync(join(out, "good.json"), document);
  const commands = [
    ["convert", name(".json"), "out.mp"],
    ["convert", name(".ndjson"), "out.mp"],
    ["convert", name(".mp"), "out.json"],
    ["convert", name(".pck")],
    ["convert", name("")],
    ["convert", "s.json", name("/out.mp")],
    ["convert", "s.json", name("/none/out.mp")],
    ["inspect", name(".mp")],
    ["inspect", name(".json")],
    ["inspect", "none.mp", "--limit", FORGED],
    ["bench", name(".json")],
    ["bench", "s.json", "--rounds", FORGED],
    ["pack", name(".json"), name(".mp")],
    ["pack", "s.json", "--out", name("/packed")],
    ["compare", name(".ts"), "s.json"],
    ["fingerprint", name(".json")],
    ["fingerprint", name(".ts")],
    ["fingerprint", name(".txt")],
    ["emit", name("/good.json"), "--target", "ts", "--out", name("/code")],
    ["emit", "s.json", "--target", "ts", "--out", name("/code"), "--check"],
    ["emit", "s.json", "--target", "go", "--package", FORGED],
    ["emit", "s.json", "--target", "ts", "--name", FORGED],
    ["emit", "s.json", "--target", "ts", "--runtime", FORGED],
    ["emit", "s.json", "--target", "ts", "--older", `${FORGED}=s.json`],
    ["emit", "s.json", "--region", name(".go")],
    ["emit", "s.json", "--region", FORGED],
    ["emit", name("/good.json"), "--target", "go", "--package", "a", "--names", name(".json")],
    [FORGED],
    [`--${FORGED}`],
    ["convert", `--${FORGED}`],
    ["convert", "--from", FORGED],
  ];
  for (const args of rows(commands)) {
    const { stdout, stderr } = await moonpack(args, { cwd });
    expectHarmless(stdout.toString() + stderr);
  }
});

function container(schema: AnySchema, values: readonly object[]): Uint8Array {
  const writer = new ContainerWriter<never>(schema);
  for (const value of values) writer.add(value as never);
  return writer.take();
}

test("keys, values and names of a schema are escaped in dumps, tables and errors", async () => {
  const data = fileOf("data.mp", encode({ [FORGED]: [CONTROLS, { [CONTROLS]: 2n ** 63n }] }));
  const one = fileOf("one.pck", container(schema(FORGED, u8(CONTROLS)), [{ [CONTROLS]: 1 }]));
  const other = fileOf("other.pck", container(schema(FORGED, u8(`${CONTROLS}2`)), []));
  const commands = [
    ["inspect", data],
    ["inspect", data, "--json"],
    ["inspect", data, "--sizes"],
    ["inspect", data, "--sizes", "--json"],
    ["inspect", one],
    ["inspect", one, "--json"],
    ["inspect", one, "--sizes"],
    ["convert", data, "--to", "json"],
    ["compare", one, other],
    ["compare", one, other, "--json"],
    ["emit", one, "--target", "go", "--package", "a", "--check"],
  ];
  for (const args of rows(commands)) {
    const { stdout, stderr } = await moonpack(args);
    expect(stdout.length + stderr.length).toBeGreaterThan(0);
    expectHarmless(stdout.toString() + stderr);
  }
});

test("inspect --json and convert print the same values, escaped or not", async () => {
  const data = fileOf("data.mp", encode({ [FORGED]: CONTROLS }));
  const { stdout } = await moonpack(["inspect", data, "--json"]);
  const [, key] = stdout.toString().split("\n");
  expect(JSON.parse(JSON.parse(key!).meaning)).toBe(FORGED);
  // A file or a pipe gets the text unchanged.
  const plain = await moonpack(["convert", data, "--to", "json"]);
  expect(plain.stdout.toString()).toBe(`${JSON.stringify({ [FORGED]: CONTROLS })}\n`);
});

const hasTerminal = spawnSync("script", ["--version"]).status === 0;

test.runIf(hasTerminal)("convert escapes control characters for a terminal", () => {
  const data = fileOf("data.mp", encode({ [FORGED]: CONTROLS }));
  const { stdout } = spawnSync(
    "script",
    ["-qec", `${process.execPath} ${bin} convert ${data} --to json`, "/dev/null"],
    {
      env: plainEnvironment(),
    },
  );
  const text = stdout.toString().trim();
  expectHarmless(text);
  expect(JSON.parse(text)).toEqual({ [FORGED]: CONTROLS });
});
