import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encode } from "moonpack";
import { describe, expect, test } from "vitest";
import { emptyFolder, moonpack, moonpackProcess } from "./run.js";

const SAMPLES = [
  { id: 1, name: "Ann", tags: [] },
  { id: 2, name: "Zoe", tags: ["a"], age: 7 },
];
const LINES = SAMPLES.map((sample) => `${JSON.stringify(sample)}\n`).join("");
const PACKED = SAMPLES.reduce((sum, sample) => sum + encode(sample).length, 0);
const SCHEMA = `import { array, doc, type Infer, omitEmpty, omitNull, schema, UTF8, utf8, uvar } from "@moonpack/pck";

/** Inferred from 2 samples. */
export const Person = doc(
  schema("Person", uvar("id"), utf8("name"), omitEmpty(array("tags", UTF8)), omitNull(uvar("age"))),
  "Inferred from 2 samples.",
);
export type Person = Infer<typeof Person>;

export default Person;
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
    expect(out).toContain('doc(schema("Root"), ');
    expect(said).toBe(
      "not in the schema as it is: $.a: a place has one type; the samples have numbers (1), text (1)\n" +
        "not in the schema as it is: $.b: 1 of 2 objects have no value, but a bool is never absent: fill in false\n" +
        "2 samples: 25 bytes of JSON, 12 bytes of MessagePack, 0 bytes of PCK\n",
    );
  });

  test.each<[string, readonly unknown[]]>([
    ["nested objects", [{ at: { x: 1, y: { z: [{ w: 1 }] } } }]],
    ["equal structs of several names", [{ from: { x: 1 }, to: { x: 2 } }]],
    ["maps", [{ prices: { "2026-01-01": 1, "2026-01-02": 2.5, "2026-01-03": 0, "2026-01-04": 9 } }]],
    ["maps of structs", Array.from({ length: 40 }, (_, i) => ({ by: { [`user${i}`]: { n: i } } }))],
    ["a missing boolean", [{ a: 1, on: true }, { a: 2 }]],
    ["names that are indices", [{ "1023": 1, x: { "7": [{ "1": 0 }] } }]],
    ["a struct of itself", [{ name: "a", size: 1, in: [{ name: "b", size: 2, in: [{ name: "c", size: 3 }] }] }]],
  ])("%s: what it writes converts the samples, by its default export", async (_, samples) => {
    await convertsBack(samples.map((sample) => JSON.stringify(sample)).join("\n"));
  });

  test("integers beyond 2^53 beside small ones convert, too", async () => {
    await convertsBack('{"id":9007199254740993,"n":1152921504606846976}\n{"id":1,"n":0.5}\n');
  });

  test.each([
    "aws-ip-ranges.min",
    "clinical",
    "google-maps-distance-matrix",
    "hn-top-stories",
    "small-mixed",
  ])("data/%s.json converts by the schema that is made of it", async (name) => {
    const json: unknown = JSON.parse(readFileSync(new URL(`../../../data/${name}.json`, import.meta.url), "utf8"));
    await convertsBack((Array.isArray(json) ? json : [json]).map((sample) => JSON.stringify(sample)).join("\n"));
  });

  test("--headroom 1 is the narrowest type", async () => {
    const { out } = await run(["--from", "ndjson", "--headroom", "1"], LINES);
    expect(out).toContain('u8("id")');
  });

  test("--samples reports what was left out", async () => {
    const { code, said } = await run(["--from", "ndjson", "--samples", "1"], LINES);
    expect([code, said]).toEqual([0, expect.stringContaining("the first 1 of 2 samples: ")]);
  });

  test.each<[string, readonly string[], string, number, RegExp]>([
    ["no samples", ["--from", "ndjson"], "\n", 1, /the input has no samples/],
    ["no object", ["--from", "json"], "[1]", 1, /sample 0 is not a plain object/],
    ["invalid JSON", ["--from", "ndjson"], '{"a":1}\n{', 1, /standard input: .*at byte 9/],
    ["cut MessagePack", ["--from", "msgpack"], "\u0081", 1, /ERR_TRUNCATED|ends before|1 more/],
    ["an unknown format", [], "hello", 2, /the format of standard input is unknown/],
    ["an empty name", ["--from", "json", "--name", ""], "{}", 2, /--name must not be empty/],
    ["no headroom", ["--from", "json", "--headroom", "0"], "{}", 2, /--headroom must be a whole number/],
    ["no number", ["--from", "json", "--samples", "0"], "{}", 2, /--samples must be a whole number/],
  ])("%s", async (_, args, input, code, said) => {
    const result = await run(args, Buffer.from(input, "latin1"));
    expect(result.said).toMatch(said);
    expect([result.code, result.out]).toEqual([code, ""]);
  });
});

test("names that are indices do not become arrays: 100,000 samples in less than 300 MB", async () => {
  const { code, peak } = await moonpackProcess(["infer", "--from", "ndjson"], {
    input: '{"1023":0}\n'.repeat(100_000),
  });
  expect(code).toBe(0);
  expect(peak).toBeLessThan(300);
});

/** Infers a schema, and converts the samples by it to a container and back. */
async function convertsBack(lines: string): Promise<void> {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, "a.ndjson"), lines);
  await run(["a.ndjson", "--out", "a.ts"], undefined, cwd);
  const there = await moonpack(["convert", "a.ndjson", "a.pck", "--schema", "a.ts"], { cwd });
  expect([there.code, there.stderr]).toEqual([0, ""]);
  const back = await moonpack(["convert", "a.pck", "b.ndjson", "--schema", "a.ts"], { cwd });
  expect([back.code, back.stderr]).toEqual([0, ""]);
}
