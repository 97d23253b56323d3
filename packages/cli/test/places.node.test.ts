/** Where an error is: line and column of texts, from files and from pipes; folders and missing files. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { windowOf } from "./in-process.js";
import { rows } from "./rows.js";
import { bin, emptyFolder, moonpack, plainEnvironment } from "./run.js";

const BAD = '{"a":1}\n{"a":2}\n{"a" 3}\n';
const JSON_TEXT = '{\n  "a": 1,\n  "b": tru\n}\n';

describe("a pipe has the same place as a file", () => {
  test.each(
    rows<[string, string, string[]]>([
      ["a.ndjson", BAD, ["convert", "FILE", "-", "--to", "msgpack"]],
      ["a.json", JSON_TEXT, ["convert", "FILE", "-", "--to", "msgpack"]],
      ["a.ndjson", BAD, ["pick", "FILE", "/a"]],
      ["a.json", JSON_TEXT, ["pick", "FILE", "/a"]],
      ["a.ndjson", BAD, ["infer", "FILE"]],
      ["a.ndjson", BAD, ["convert", "FILE", "-", "--to", "pck", "--schema", "s.json"]],
    ]),
  )("%s %j %j", async (name, text, args) => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, name), text);
    writeFileSync(join(cwd, "s.json"), '{"pck":1,"root":"A","structs":{"A":{"fields":[{"name":"a","type":"u8"}]}}}');
    const file = await moonpack(
      args.map((word) => (word === "FILE" ? name : word)),
      { cwd },
    );
    const pipe = await moonpack(
      args.map((word) => (word === "FILE" ? "-" : word)),
      { cwd, input: text },
    );
    expect(file.code).toBe(1);
    expect(file.stderr).toMatch(/ \(at byte \d+.*\), line 3 column \d+\n$/);
    expect(pipe.stderr).toBe(file.stderr.replace(join(cwd, name), "standard input"));
  });
});

test("the place is right far into a pipe, whose first bytes are gone", async () => {
  const lines = 300_000;
  const { stderr } = await moonpack(["convert", "-", "out.mp"], { input: `${'{"a":1}\n'.repeat(lines)}{"a" 1}\n` });
  expect(stderr).toMatch(new RegExp(`, line ${lines + 1} column 6\n$`));
});

test("lines of a window: as they are counted in the whole text", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("a", "bc", "\n", "\n\n", "é"), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 7 }),
      fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 20 }),
      async (parts, chunk, steps) => {
        const text = Buffer.from(parts.join(""));
        const window = windowOf(text, chunk, true);
        await window.more();
        for (const step of steps) {
          await window.more();
          window.consume(Math.min(step, window.size));
        }
        for (let offset = window.position; offset <= window.position + window.size; offset++) {
          const before = text.subarray(0, offset);
          const line = before.filter((byte) => byte === 10).length + 1;
          expect(window.lineOf(offset)).toEqual({ line, column: offset - before.lastIndexOf(10) });
        }
      },
    ),
  );
});

test.runIf(spawnSync("bash", ["--version"]).status === 0)("the shell's <(..) has a place, too", () => {
  const command = `"${process.execPath}" "${bin}" convert <(printf '[1,\\n2 3]') out.mp`;
  const { stderr } = spawnSync("bash", ["-c", command], { cwd: emptyFolder(), env: plainEnvironment() });
  expect(stderr.toString()).toMatch(/, line 2 column 3\n$/);
});

describe("a folder and a missing file are called that", () => {
  test.each(
    rows([
      ["convert", "NAME.json", "-", "--to", "msgpack"],
      ["inspect", "NAME.mp"],
      ["pick", "NAME.mp", "/a"],
      ["bench", "NAME.json"],
      ["pack", "NAME.json"],
      ["infer", "NAME.json"],
      ["compare", "NAME.json", "NAME.json"],
      ["compare", "NAME.ts", "NAME.ts"],
      ["compare", "NAME.pck", "NAME.pck"],
      ["fingerprint", "NAME.json"],
      ["emit", "NAME.ts", "--target", "ts"],
      ["emit", "good.json", "--region", "NAME.ts"],
      ["emit", "good.json", "--target", "go", "--package", "a", "--names", "NAME.json"],
      ["convert", "good.json", "-", "--to", "pck", "--schema", "NAME.json"],
      ["load", "NAME.mjs"],
      ["load", "good.mjs", "--payload", "NAME.json"],
      ["load", "good.mjs", "--compare", "NAME.json"],
      ["series", "import", "metrics", "NAME.csv"],
    ]),
  )("%j", async (...args) => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "good.json"), '{"pck":1,"root":"A","structs":{"A":{"fields":[]}}}');
    writeFileSync(join(cwd, "good.mjs"), "export const get = async () => {};\n");
    for (const ending of [".json", ".mp", ".ts", ".pck", ".mjs", ".csv"]) mkdirSync(join(cwd, `folder${ending}`));
    const run = (name: string) =>
      moonpack(
        args.map((word) => word.replace("NAME", name)),
        { cwd },
      );
    const missing = await run("none");
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("no such file or folder")]);
    const folder = await run("folder");
    expect([folder.code, folder.stderr]).toEqual([1, expect.stringContaining("it is a folder, not a file")]);
  });
});
