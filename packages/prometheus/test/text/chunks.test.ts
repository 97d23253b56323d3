/** Pieces of any size, lines of any length, texts that end anywhere, and damaged ones. */

import { share } from "@moonpack/harness/effort.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { parseMetrics, type TextFormat } from "@moonpack/prometheus/text";
import { describe, expect, test } from "vitest";
import { readAll, readPieces } from "./read.ts";

const PLAIN = `# HELP a é🙂\\n
# TYPE a counter
a{b="é🙂\\"",c="d"} 1 5
bad{ 1
# comment
"a.b" 1

{"a.b",c="ü"} +Inf`;
const OPEN = `# TYPE a counter
# UNIT a_seconds seconds
a_total{b="é🙂\\""} 1 5.5 # {c="ü"} 1 2
bad{ 1
a_created 1
# EOF
`;

describe.each([
  ["prometheus", PLAIN],
  ["openmetrics", OPEN],
] as const)("%s", (format, text) => {
  const bytes = new TextEncoder().encode(text);
  const whole = readAll(text, format);

  test("two pieces, cut at every byte; pieces of every size", () => {
    expect(whole.errors.length).toBeGreaterThan(0);
    for (let cut = 0; cut <= bytes.length; cut++) expect(readPieces(text, format, [cut]), `${cut}`).toEqual(whole);
    for (let size = 1; size <= 20; size++) {
      const ends = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        Math.min((i + 1) * size, bytes.length),
      );
      expect(readPieces(text, format, ends), `${size}`).toEqual(whole);
    }
  });

  test("a text that ends anywhere: the lines before are the same, an OpenMetrics is never complete", () => {
    for (let end = 0; end < bytes.length; end++) {
      const part = readAll(bytes.slice(0, end), format);
      const lines = new TextDecoder().decode(bytes.slice(0, end)).split("\n").length;
      const before = part.samples.slice(0, -1);
      expect(before).toEqual(whole.samples.slice(0, before.length));
      for (const [, line] of part.errors) expect(line!).toBeLessThanOrEqual(lines + 1);
      const isComplete = end >= bytes.length - 1;
      if (format === "openmetrics")
        expect(part.errors.some(([code, line]) => code === "ERR_TRUNCATED" && line! >= lines)).toBe(!isComplete);
    }
  });
});

test("lines that are too long are skipped, whatever the pieces", () => {
  const text = `a 1\n${"b".repeat(30)} 2\nc 3\n# ${"d".repeat(40)}\ne 4`;
  const whole = readPieces(text, "prometheus", [], 20);
  expect(whole.samples.map(({ name }) => name)).toEqual(["a", "c", "e"]);
  expect(whole.errors).toEqual([
    ["ERR_LIMIT_BYTES", 2, 1],
    ["ERR_LIMIT_BYTES", 4, 1],
  ]);
  for (let cut = 0; cut <= text.length; cut++) expect(readPieces(text, "prometheus", [cut], 20)).toEqual(whole);
  const exact = readPieces("a 12345678901234567\na 123456789012345678\na 1234567890123456789", "prometheus", [], 20);
  expect(exact.samples.length).toBe(2);
  expect(exact.errors).toEqual([["ERR_LIMIT_BYTES", 3, 1]]);
});

test("an endless line is one error", () => {
  const ends = Array.from({ length: 64 }, (_, i) => (i + 1) * 65_536);
  const { errors, counts } = readPieces(new Uint8Array(65 * 65_536).fill(0x61), "prometheus", ends);
  expect(errors).toEqual([["ERR_LIMIT_BYTES", 1, 1]]);
  expect(counts).toMatchObject({ samples: 0, errors: 1 });
});

test("damaged texts: errors and samples only, the same for any pieces, and what is read is written back", () => {
  const next = randomSource(7);
  const characters = '{}"\\,=# \t\n\r0aé+-.eE_:"\u0000';
  for (let round = 0; round < share(4000); round++) {
    const format: TextFormat = next(2) === 0 ? "prometheus" : "openmetrics";
    const list = [...(format === "prometheus" ? PLAIN : OPEN)];
    for (let i = 0; i <= next(4); i++) list.splice(next(list.length), next(3), characters[next(characters.length)]!);
    const text = list.join("");
    const whole = readAll(text, format);
    const { length } = new TextEncoder().encode(text);
    expect(readPieces(text, format, [next(length + 1)])).toEqual(whole);
    const errors: unknown[] = [];
    const { families, counts } = parseMetrics(text, { format, onError: (error) => errors.push(error.code) });
    expect(counts).toEqual(whole.counts);
    expect(families.reduce((sum, { samples }) => sum + samples.length, 0)).toBe(whole.samples.length);
    expect(errors).toEqual(whole.errors.map(([code]) => code));
  }
});

test("time is linear in the length of a line", () => {
  const long = 2 ** 18;
  const lines = [
    `a ${"1".repeat(long)}x`,
    `a{b="${"\\\\".repeat(long / 2)}`,
    `a{${'b="c",'.repeat(long / 7)}`,
    `a{${Array.from({ length: 15_000 }, (_, i) => `b${i}="c"`).join(",")}} 1`,
    `a${" ".repeat(long)}x`,
    `# HELP a ${"\\".repeat(long)}`,
    `# TYPE a ${" ".repeat(long)}x`,
    `a 1 ${"1".repeat(long)}`,
  ];
  const started = performance.now();
  for (const line of lines) for (const format of ["prometheus", "openmetrics"] as const) readAll(`${line}\n`, format);
  expect(performance.now() - started).toBeLessThan(5000);
});
