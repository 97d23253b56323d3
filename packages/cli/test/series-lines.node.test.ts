import fc from "fast-check";
import { expect, test } from "vitest";
import { lineBlocks } from "../src/series/lines.js";
import { windowOf } from "./in-process.js";
import { readPoints } from "./series-points.js";

/** All lines with their numbers, and the reasons of those without text. */
async function linesOf(input: Uint8Array, chunk: number, maxLine?: number): Promise<[number, string][]> {
  const found: [number, string][] = [];
  for await (const { lines, first } of lineBlocks(windowOf(input, chunk, true), maxLine))
    for (const [i, line] of lines.entries()) found.push([first + i, typeof line === "string" ? line : `<${line.bad}>`]);
  return found;
}

const bytes = (...parts: (string | number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)));

test.each([1, 2, 3, 5, 1000])("line breaks, byte order marks and ends, %i bytes at a time", async (chunk) => {
  expect(await linesOf(bytes(""), chunk)).toEqual([]);
  expect(await linesOf(bytes("\n"), chunk)).toEqual([[1, ""]]);
  expect(await linesOf(bytes("a"), chunk)).toEqual([[1, "a"]]);
  expect(await linesOf(bytes("\ufeffa\r\n\r\nb\n"), chunk)).toEqual([
    [1, "a"],
    [2, ""],
    [3, "b"],
  ]);
  expect(await linesOf(bytes("a\ufeff\n\ufeffb"), chunk)).toEqual([
    [1, "a\ufeff"],
    [2, "\ufeffb"],
  ]);
  expect(await linesOf(bytes("é\rx\n日本"), chunk)).toEqual([
    [1, "é\rx"],
    [2, "日本"],
  ]);
});

test.each([1, 4, 1000])("a line that is not UTF-8 does not harm the others, %i bytes at a time", async (chunk) => {
  const input = bytes("a\nb", [0xff], "\nc\n", [0xe2, 0x82], "\n", [0xc3]);
  expect(await linesOf(input, chunk)).toEqual([
    [1, "a"],
    [2, "<not UTF-8>"],
    [3, "c"],
    [4, "<not UTF-8>"],
    [5, "<not UTF-8>"],
  ]);
});

test.each([1, 3, 7, 1000])("a line that is too long is passed over, %i bytes at a time", async (chunk) => {
  const long = "x".repeat(50);
  expect(await linesOf(bytes(`a\n${long}\nb\n`), chunk, 10)).toEqual([
    [1, "a"],
    [2, "<too long>"],
    [3, "b"],
  ]);
  expect(await linesOf(bytes(`a\n${long}`), chunk, 10)).toEqual([
    [1, "a"],
    [2, "<too long>"],
  ]);
  expect(await linesOf(bytes(`${"y".repeat(10)}\n${long}\r\n`), chunk, 10)).toEqual([
    [1, "y".repeat(10)],
    [2, "<too long>"],
  ]);
});

test("a text in any pieces has the same lines", async () => {
  const text = fc.string({ unit: fc.constantFrom("a", "\n", "\r\n", "é", "𝄞", "\r"), maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 20 }), async (text, chunk) => {
      const lines = text
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => line.replace(/\r$/, ""));
      const expected = text === "" ? [] : lines;
      // The last line keeps nothing of its break either.
      expect((await linesOf(bytes(text), chunk)).map(([, line]) => line)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

// The timeout is a guard against work that grows with the square of the fields, which would take minutes.
test("lines of a megabyte: a valid one with 60,000 fields, and an invalid one", { timeout: 60_000 }, async () => {
  const fields = Array.from({ length: 60_000 }, (_, i) => `f${i}=${i}`);
  const line = `m,host=a ${fields.join(",")} 5000000`;
  const open = `m a="${"x".repeat(1e6)}`;
  const { points, errors } = await readPoints(`${line}\n${open}\nm a=1 5000000`, { format: "line", chunk: 65_536 });
  expect(points).toHaveLength(60_001);
  expect(points[59_999]).toBe('m.f59999{host="a"} 5 59999');
  expect(errors).toEqual(["2:5 ERR_TRUNCATED the quote of a string is not closed"]);
});
