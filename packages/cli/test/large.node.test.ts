import { closeSync, createReadStream, openSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { decode } from "moonpack";
import { describe, expect, test } from "vitest";
import { rows } from "./rows.js";
import { convert, emptyFolder, moonpack, moonpackProcess } from "./run.js";

const full = process.env.CI === "true" || process.env.MOONPACK_ALL === "1";
const MEGABYTES = full ? 200 : 20;
const LIMIT = 150;

/** Writes records to a file: about 200 bytes of JSON each, with numbers of all sizes and text beyond ASCII. */
function writeRecords(path: string, before: string, between: string, after: string): void {
  const file = openSync(path, "w");
  writeSync(file, before);
  for (let id = 0, size = 0; size < MEGABYTES * 1e6; ) {
    const records: string[] = [];
    for (let count = 0; count < 1000; count++, id++) {
      const nested = { x: id, y: [id, id + 0.5], at: "2026-01-01T00:00:00Z" };
      records.push(
        JSON.stringify({
          id,
          name: `user ${id}`,
          tags: ["a", "bé", `c${id % 17}`],
          score: id * 1.1,
          ok: id % 3 === 0,
          nested,
        }),
      );
    }
    size += writeSync(file, (id > 1000 ? between : "") + records.join(between));
  }
  writeSync(file, after);
  closeSync(file);
}

async function sameContent(a: string, b: string): Promise<boolean> {
  if (statSync(a).size !== statSync(b).size) return false;
  const others = createReadStream(b)[Symbol.asyncIterator]();
  for await (const chunk of createReadStream(a)) if (!chunk.equals((await others.next()).value)) return false;
  return true;
}

describe(`${MEGABYTES} MB in less than ${LIMIT} MB of memory`, () => {
  test.each(
    rows([
      [
        "one JSON object, its array three levels down",
        "deep.json",
        '{"first":1,"a":{"b":{"rows":[',
        ",",
        ']},"last":null}}\n',
      ],
      ["NDJSON", "lines.ndjson", "", "\n", "\n"],
      ["one JSON array", "array.json", "[", ",", "]\n"],
    ]),
  )(
    "%s, there and back to the same bytes",
    async (_, name, before, between, after) => {
      const folder = emptyFolder();
      const [json, packed, again] = [join(folder, name), join(folder, "packed.mp"), join(folder, `again-${name}`)];
      writeRecords(json, before, between, after);
      const there = await moonpackProcess(["convert", json, packed]);
      expect([there.code, there.stderr]).toEqual([0, ""]);
      const back = await moonpackProcess(["convert", packed, again]);
      expect([back.code, back.stderr]).toEqual([0, ""]);
      expect(await sameContent(json, again)).toBe(true);
      expect(there.peak).toBeLessThan(LIMIT);
      expect(back.peak).toBeLessThan(LIMIT);
      rmSync(folder, { recursive: true });
    },
    600_000,
  );

  test("typed, an array of maps within a map", async () => {
    const folder = emptyFolder();
    const [json, packed, typed, again] = ["a.json", "a.mp", "typed.json", "again.mp"].map((name) =>
      join(folder, name),
    ) as [string, string, string, string];
    writeRecords(json, '{"rows":[', ",", '],"wide":9007199254740993}');
    expect((await moonpack(["convert", json, packed])).code).toBe(0);
    const there = await moonpackProcess(["convert", "--typed", packed, typed]);
    const back = await moonpackProcess(["convert", "--typed", typed, again]);
    expect([there.stderr, back.stderr]).toEqual(["", ""]);
    expect(await sameContent(packed, again)).toBe(true);
    expect(Math.max(there.peak, back.peak)).toBeLessThan(LIMIT);
    rmSync(folder, { recursive: true });
  }, 600_000);
});

describe("headers are the shortest, although JSON shows the count last", () => {
  test.each([
    [3, "93"],
    [16, "dc0010"],
    [70_000, "dd00011170"],
  ])("%i long strings", async (count, header) => {
    const strings = Array.from({ length: count }, (_, index) => String(index).repeat(index < 3 ? 700_000 : 5));
    const bytes = await convert(JSON.stringify(strings), "--from", "json");
    expect(bytes.subarray(0, header.length / 2).toString("hex")).toBe(header);
    expect(decode(bytes)).toEqual(strings);
  });

  test("in the middle of large containers too", async () => {
    const value = { a: [["x".repeat(1_500_000)], [[{ b: "y".repeat(1_500_000) }], 1]], c: [] };
    const bytes = await convert(JSON.stringify(value), "--from", "json");
    expect(decode(bytes)).toEqual(value);
    expect(bytes.subarray(0, 5).toString("hex")).toBe("82a1619291");
  });
});

test("one string of many megabytes, both ways", async () => {
  const text = "aé\n\u{1f600}".repeat(full ? 3_000_000 : 1_000_000);
  const bytes = await convert(JSON.stringify([text]), "--from", "json");
  expect(decode<string[]>(bytes)[0] === text).toBe(true);
  expect((await convert(bytes, "--from", "msgpack")).equals(Buffer.from(`${JSON.stringify([text])}\n`))).toBe(true);
});

test("an error far into a file has its offset, and leaves no output", async () => {
  const text = `[${"12345,".repeat(500_000)}18446744073709551616]`;
  const { code, stdout, stderr } = await moonpack(["convert", "--from", "json"], { input: text });
  expect([code, stdout.length]).toEqual([1, 0]);
  expect(stderr).toContain(
    "ERR_OUT_OF_RANGE: the integer 18446744073709551616 does not fit in 64 bits (at byte 3000001)",
  );
});
