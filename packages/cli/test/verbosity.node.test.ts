/** The options of every command: --quiet, --verbose, --no-color. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rows } from "./rows.js";
import { emptyFolder, moonpack, moonpackProcess } from "./run.js";

function folder(): string {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, "a.json"), '{"a":1}');
  writeFileSync(join(cwd, "a.ndjson"), '{"a":1}\n{"a":2}\n');
  writeFileSync(join(cwd, "points.ndjson"), '{"name":"m","tags":{},"timestamp":1700000000000,"value":1}\n');
  writeFileSync(join(cwd, "bad.json"), '{"a":}');
  writeFileSync(join(cwd, "s.json"), '{"pck":1,"root":"A","structs":{"A":{"fields":[{"name":"a","type":"u8"}]}}}');
  writeFileSync(join(cwd, "target.mjs"), "export const get = async () => {};\n");
  return cwd;
}

const LOAD = ["load", "target.mjs", "--operations", "50", "--warmup", "0", "--rounds", "1"];

describe("--quiet", () => {
  test.each(
    rows([
      ["pack", "a.json"],
      ["infer", "a.ndjson", "--out", "a.ts"],
      ["emit", "s.json", "--target", "ts"],
      ["series", "import", "metrics", "points.ndjson"],
      LOAD,
      ["convert", "a.json", "a.mp"],
    ]),
  )("%j says nothing; without it, the summary", async (...args) => {
    const cwd = folder();
    for (const quiet of ["--quiet", "-q"]) {
      const { code, stdout, stderr } = await moonpack([...args, quiet], { cwd });
      expect([code, stdout.toString(), stderr]).toEqual([0, "", ""]);
    }
    const { stdout, stderr } = await moonpack(args, { cwd });
    if (args[0] !== "convert") expect(stdout.toString() + stderr).not.toBe("");
  });

  test("data and errors are printed; the option may stand before the command", async () => {
    const cwd = folder();
    const { stdout } = await moonpack(["--quiet", "convert", "a.ndjson", "-", "--to", "ndjson"], { cwd });
    expect(stdout.toString()).toBe('{"a":1}\n{"a":2}\n');
    const failed = await moonpack(["convert", "-q", "bad.json", "-"], { cwd });
    expect([failed.code, failed.stderr]).toMatchObject([1, expect.stringMatching(/^moonpack: .*line 1 column 6\n$/)]);
    const missing = await moonpack(["infer", "--quiet", "-"], { cwd, input: '{"a":1}\n{"a":"x"}\n' });
    expect([missing.code, missing.stderr.split("\n").length]).toEqual([1, 2]);
  });
});

describe("--verbose", () => {
  test("what is read and written, the formats, and the time", async () => {
    const cwd = folder();
    for (const verbose of ["--verbose", "-v"]) {
      const { code, stdout, stderr } = await moonpack(["convert", "a.json", "a.mp", verbose], { cwd });
      expect([code, stdout.length]).toEqual([0, 0]);
      const [reads, ...others] = stderr.split("\n");
      expect([reads, ...others.slice(0, -2)]).toEqual([
        "moonpack: converts json to msgpack",
        `moonpack: reads ${join(cwd, "a.json")}`,
        `moonpack: writes ${join(cwd, "a.mp")}`,
      ]);
      expect(others.slice(-2)).toEqual([expect.stringMatching(/^moonpack: done in \d+\.\d\d s$/), ""]);
    }
  });

  test("the stack of an error and of its causes", async () => {
    const { code, stderr } = await moonpack(["-v", "convert", "bad.json", "a.mp"], { cwd: folder() });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^moonpack: .*bad\.json: ERR_INVALID_BYTE/m);
    expect(stderr).toMatch(/^caused by DecodeError: .*\n {4}at /m);
  });

  test("the store that is opened", async () => {
    const cwd = folder();
    const { stderr } = await moonpack(["series", "-v", "import", "metrics", "points.ndjson"], { cwd });
    expect(stderr).toContain(`moonpack: opens the store ${join(cwd, "metrics")} to write\n`);
  });
});

describe("colours", () => {
  const coloured = { NO_COLOR: "", FORCE_COLOR: "1" };

  test.each(
    rows<[string[], Record<string, string>, boolean]>([
      [[], coloured, true],
      [["--no-color"], coloured, false],
      [[], { ...coloured, NO_COLOR: "1" }, false],
    ]),
  )("%j %j", async (args, env, hasColours) => {
    const cwd = folder();
    for (const words of [
      ["pack", "a.json", ...args],
      [...args, "pack", "a.json"],
    ]) {
      const { code, stdout } = await moonpackProcess(words, { cwd, env });
      expect([code, stdout.includes("\x1b[")]).toEqual([0, hasColours]);
    }
  });
});

test("the help of each command lists these options", async () => {
  for (const args of [["convert"], ["series"], ["series", "import"], ["prometheus", "serve"], []]) {
    const { stdout } = await moonpack([...args, "--help"]);
    expect(stdout.toString()).toMatch(
      /^Options of every command:\n {2}-q, --quiet .*\n(?: {4}.*\n)*? {2}-v, --verbose .*\n(?: {4}.*\n)*? {2}--no-color .*\n(?: {4}.*\n)*? {2}-h, --help +print this help$/m,
    );
  }
});
