import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encode } from "moonpack";
import { describe, expect, test } from "vitest";
import { emptyFolder, moonpack } from "./run.js";

const SAMPLES = [
  { id: 1, name: "Ann", tags: [] },
  { id: 2, name: "Zoe", tags: ["a"], age: 7 },
];
const LINES = SAMPLES.map((sample) => `${JSON.stringify(sample)}\n`).join("");
const PACKED = SAMPLES.reduce((sum, sample) => sum + encode(sample).length, 0);
const SCHEMA = `import { array, doc, type Infer, omitEmpty, omitNull, schema, UTF8, u8, utf8 } from "moonpack/pck";

/** Inferred from 2 samples. */
export const Person = doc(
  schema("Person", u8("id"), utf8("name"), omitEmpty(array("tags", UTF8)), omitNull(u8("age"))),
  "Inferred from 2 samples.",
);
export type Person = Infer<typeof Person>;
`;

async function run(args: readonly string[], input?: string | Uint8Array, cwd = emptyFolder()) {
  const { code, stdout, stderr } = await moonpack(["infer", ...args], {
    cwd,
    ...(input === undefined ? {} : { input }),
  });
  return { code, out: stdout.toString(), said: stderr };
}

describe("infer", () => {
  test.each<[string, string | Uint8Array]>([
    ["ndjson", `\n${LINES}\n`],
    ["json", JSON.stringify(SAMPLES)],
    ["msgpack", Buffer.concat(SAMPLES.map((sample) => encode(sample)))],
    ["msgpack", encode(SAMPLES)],
  ])("reads %s from a pipe", async (format, input) => {
    const { code, out, said } = await run(["--from", format, "--name", "Person"], input);
    // PCK: bits, id and the name of 4 bytes; then age, and a list of one text.
    const pck = 1 + 1 + 4 + (1 + 1 + 4 + 1 + 1 + 2);
    expect(said).toBe(
      `2 samples: ${LINES.length - 2} bytes of JSON, ${PACKED} bytes of MessagePack, ${pck} bytes of PCK\n`,
    );
    expect([code, out]).toEqual([0, SCHEMA]);
  });

  test("what it writes converts the samples", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "a.ndjson"), LINES);
    expect((await run(["a.ndjson", "--out", "a.ts"], undefined, cwd)).code).toBe(0);
    expect((await run(["a.ndjson", "--document", "--out", "a.json"], undefined, cwd)).code).toBe(0);
    for (const schema of ["a.ts", "a.json"]) {
      const { code, stderr } = await moonpack(["convert", "a.ndjson", "a.pck", "--schema", schema], { cwd });
      expect([code, stderr]).toEqual([0, ""]);
      const back = await moonpack(["convert", "a.pck", "-", "--to", "ndjson"], { cwd });
      expect(back.stdout.toString()).toBe(
        '{"id":1,"name":"Ann","tags":[],"age":null}\n{"id":2,"name":"Zoe","tags":["a"],"age":7}\n',
      );
    }
    expect(JSON.parse(readFileSync(join(cwd, "a.json"), "utf8"))).toMatchObject({ pck: 1, root: "Root" });
  });

  test("problems are named, and the exit code is 1", async () => {
    const { code, out, said } = await run(["--from", "ndjson"], '{"a":1,"b":true}\n{"a":"x"}\n');
    expect(code).toBe(1);
    expect(out).toContain('schema("Root", bool("b"))');
    expect(said).toBe(
      "not in the schema as it is: $.a: a place has one type; the samples have numbers (1), text (1)\n" +
        "not in the schema as it is: $.b: 1 of 2 objects have no value, but a bool is never absent\n" +
        "2 samples\n",
    );
  });

  test("--samples tells what was left out", async () => {
    const { code, said } = await run(["--from", "ndjson", "--samples", "1"], LINES);
    expect([code, said]).toEqual([0, expect.stringContaining("the first 1 of 2 samples: ")]);
  });

  test.each<[string, readonly string[], string, number, RegExp]>([
    ["no samples", ["--from", "ndjson"], "\n", 1, /there are no samples/],
    ["no object", ["--from", "json"], "[1]", 1, /sample 0 is not a plain object/],
    ["invalid JSON", ["--from", "ndjson"], '{"a":1}\n{', 1, /standard input: .*at byte 9/],
    ["cut MessagePack", ["--from", "msgpack"], "\u0081", 1, /ERR_TRUNCATED|ends before|1 more/],
    ["an unknown format", [], "{}", 2, /standard input has no file name that tells its format/],
    ["an empty name", ["--from", "json", "--name", ""], "{}", 2, /--name must not be empty/],
    ["no number", ["--from", "json", "--samples", "0"], "{}", 2, /--samples must be a whole number/],
  ])("%s", async (_, args, input, code, said) => {
    const result = await run(args, Buffer.from(input, "latin1"));
    expect(result.said).toMatch(said);
    expect([result.code, result.out]).toEqual([code, ""]);
  });
});
