import fc from "fast-check";
import { type Diagnosis, diagnose, encode } from "moonpack";
import { describe, expect, test } from "vitest";
import { partsOf } from "../src/inspect/parts.js";
import { windowOf } from "./in-process.js";
import { json } from "./json-texts.js";

const RUNS = process.env.CI === "true" || process.env.MOONPACK_ALL ? 5000 : 500;
const chunks = fc.constantFrom(1, 3, 17, 1 << 20);

/** Returns the dump of a pipe, and how much of it was read. */
async function piped(bytes: Uint8Array, chunk: number, sequence: boolean): Promise<[Diagnosis[], number]> {
  const window = windowOf(bytes, chunk, true);
  const items: Diagnosis[] = [];
  for await (const part of partsOf(window, sequence)) {
    for (const item of part.items) {
      expect(part.position).toBeLessThanOrEqual(item.offset);
      items.push(item);
    }
  }
  return [items, window.position + window.size];
}

/** Messages with values that JSON lacks: keys of all kinds, an invalid timestamp, malformed text. */
const messages = fc.array(
  fc.oneof(
    json.map((value) => encode(value).slice()),
    json.map((value) => encode(new Map([[3, value]])).slice()),
    json.map((value) => encode([[[value]], "x".repeat(40)]).slice()),
    fc.constantFrom(Uint8Array.of(0xd4, 0xff, 1), Uint8Array.of(0x91, 0xa1, 0xff), Uint8Array.of(0xc7, 0, 5)),
  ),
  { minLength: 1, maxLength: 4 },
);

test("a sequence in parts has the same dump as in one piece, up to where it is cut", async () => {
  await fc.assert(
    fc.asyncProperty(messages, fc.nat(), chunks, async (list, cut, chunk) => {
      const all = Buffer.concat(list);
      const bytes = all.subarray(0, 1 + (cut % all.length));
      expect((await piped(bytes, chunk, true))[0]).toEqual([...diagnose(bytes, { sequence: true })]);
    }),
    { numRuns: RUNS },
  );
});

test("so has a single message, and trailing bytes have the same error", async () => {
  await fc.assert(
    fc.asyncProperty(messages, fc.nat(), chunks, async (list, cut, chunk) => {
      const all = Buffer.concat(list.slice(0, 2));
      const bytes = all.subarray(0, 1 + (cut % all.length));
      const whole = [...diagnose(bytes)];
      const [items] = await piped(bytes, chunk, false);
      const last = whole.at(-1)!;
      const { code, offset } = last.error ?? {};
      if (code !== "ERR_TRAILING_BYTES") expect(items).toEqual(whole);
      else {
        // The total is not known yet.
        expect(items.slice(0, -1)).toEqual(whole.slice(0, -1));
        expect(items.at(-1)).toMatchObject({ offset, depth: 0, path: "$", format: "broken", error: { code, offset } });
      }
    }),
    { numRuns: RUNS },
  );
});

describe("a pipe is read no further than its first error", () => {
  const rest = Buffer.alloc(4_000_000, 0x79);
  test.each([
    ["an invalid byte", "92a161c1", "ERR_INVALID_BYTE", 3],
    ["a second message", "92010203", "ERR_TRAILING_BYTES", 3],
    ["text instead of MessagePack", "7b22", "ERR_TRAILING_BYTES", 1],
    ["deep nesting", "91".repeat(600), "ERR_LIMIT_DEPTH", 512],
  ])("%s", async (_, bytes, code, offset) => {
    const [items, read] = await piped(Buffer.concat([Buffer.from(bytes, "hex"), rest]), 65536, false);
    expect(items.at(-1)!.error).toMatchObject({ code, offset });
    expect(read).toBeLessThan(300_000);
  });
});

test("elements and messages are shown before the next are read", async () => {
  for (const [bytes, sequence] of [
    [encode(Array.from({ length: 1000 }, (_, index) => ({ index }))), false],
    [Buffer.concat(Array.from({ length: 1000 }, (_, index) => encode({ index }))), true],
  ] as const) {
    const window = windowOf(bytes, 100, true);
    for await (const part of partsOf(window, sequence)) {
      expect(part.bytes.length).toBeLessThan(120);
      expect(window.position + window.size - part.position).toBeLessThan(220);
    }
    expect(window.position + window.size).toBe(bytes.length);
  }
});
