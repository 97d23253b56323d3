/** Encoders and decoders keep no memory of earlier messages. Measured in separate processes. */

import { childResult } from "@moonpack/harness/child.ts";
import { describe, expect, test } from "vitest";

/** True in CI, where the slow cases have their full size. */
const FULL = process.env.CI === "true" || process.env.MOONPACK_ALL === "1";

describe("memory does not grow", () => {
  test("300,000 distinct short strings as values and as keys keep less than 1 MB", () => {
    const { values, keys, ints, rows } = childResult<Record<"values" | "keys" | "ints" | "rows", number>>(
      `
      import { decode, Decoder, encode } from "moonpack";
      const decoder = new Decoder();
      const used = () => { gc(); gc(); const m = process.memoryUsage(); return m.heapUsed + m.arrayBuffers; };
      // 1,000 messages of 300 strings each. Only one message is alive at a time.
      const run = (make, read) => {
        for (let i = 0; i < 20; i++) read(encode(make(-i - 1)));
        const before = used();
        for (let i = 0; i < 1000; i++) read(encode(make(i)));
        return used() - before;
      };
      const values = run((i) => Array.from({ length: 300 }, (_, j) => "s" + (i * 300 + j)), decode);
      const keys = run((i) => Array.from({ length: 60 }, (_, k) => Object.fromEntries(Array.from({ length: 5 }, (_, j) => ["k" + (i * 300 + k * 5 + j), 1]))), decode);
      const ints = run((i) => new Map(Array.from({ length: 300 }, (_, j) => [i * 300 + j, "v" + j])), (bytes) => decoder.decode(bytes));
      const rows = run((i) => Array.from({ length: 300 }, (_, j) => ({ ["shape" + (i * 300 + j)]: j, fixed: 1 })), (bytes) => decoder.decode(bytes));
      console.log(JSON.stringify({ values, keys, ints, rows }));`,
      ["--expose-gc"],
      120_000,
    );
    expect(values).toBeLessThan(1_000_000);
    expect(keys).toBeLessThan(1_000_000);
    expect(ints).toBeLessThan(1_000_000);
    expect(rows).toBeLessThan(1_000_000);
  });

  test(`${FULL ? "2 GB" : "256 MB"} of distinct strings, encoded and decoded, with flat RSS`, () => {
    const total = FULL ? 2 ** 31 : 2 ** 28;
    const { first, last } = childResult<{ first: number; last: number }>(
      `
      import { decode, Encoder, encode, encodeShared } from "moonpack";
      const encoder = new Encoder();
      const filler = "é".repeat(2000) + "x".repeat(6000);
      let done = 0;
      let first = 0;
      for (let i = 0; done < ${total}; i++) {
        const text = i + filler + i;
        const bytes = i % 3 === 0 ? encode({ ["key" + i]: text }) : i % 3 === 1 ? encoder.encodeShared([text, "short" + i]) : encodeShared(text);
        done += bytes.length;
        if (i % 16 === 0) decode(bytes);
        // After the first eighth all caches are full and all code is compiled.
        if (first === 0 && done > ${total} / 8) first = process.memoryUsage().rss;
      }
      console.log(JSON.stringify({ first, last: process.memoryUsage().rss }));`,
      // A small young generation. By default V8 lets it grow to 48 MB, which would count as growth here.
      ["--max-old-space-size=128", "--max-semi-space-size=2"],
      180_000,
    );
    expect((last - first) / 2 ** 20).toBeLessThan(40);
  });

  test("messages that fail keep no memory either", () => {
    const growth = childResult<number>(
      `
      import { Decoder, Encoder } from "moonpack";
      const encoder = new Encoder();
      const decoder = new Decoder();
      const attempt = (act) => { try { act(); } catch (error) { if (!error.code) throw error; } };
      const used = () => { gc(); gc(); const m = process.memoryUsage(); return m.heapUsed + m.arrayBuffers; };
      const run = (n) => {
        for (let i = 0; i < n; i++) {
          const list = Array.from({ length: 200 }, (_, j) => ({ ["k" + (j % 50)]: "text " + i + " " + j }));
          attempt(() => encoder.encode([list, () => 1]));
          const bytes = encoder.encode(list);
          attempt(() => decoder.decode(bytes.subarray(0, bytes.length - 1)));
          attempt(() => decoder.decode(new Uint8Array([0x92, ...bytes.subarray(0, 100), 0xc1])));
        }
      };
      // As often as measured: before, code and caches still grow (100 to 560 KB, by when V8 compiles).
      run(3000);
      const before = used();
      run(3000);
      console.log(JSON.stringify(used() - before));`,
      ["--expose-gc"],
      120_000,
    );
    expect(growth).toBeLessThan(200_000);
  });

  test("memory of one huge message is released", () => {
    const kept = childResult<number>(
      `
      import { decode, encode } from "moonpack";
      const used = () => { gc(); gc(); const m = process.memoryUsage(); return m.heapUsed + m.arrayBuffers; };
      encode({ a: 1 }); decode(encode({ a: 1 }));
      const before = used();
      (() => { const bytes = encode(Array.from({ length: 300000 }, (_, i) => ({ id: i, text: "some text " + i, list: [i] }))); decode(bytes); })();
      for (let i = 0; i < 1000; i++) decode(encode({ a: 1 }));
      console.log(JSON.stringify(used() - before));`,
      ["--expose-gc"],
    );
    expect(kept).toBeLessThan(6_000_000);
  });

  test("a string from a large message does not keep the message alive", () => {
    const kept = childResult<number>(
      `
      import { decode, encode } from "moonpack";
      const used = () => { gc(); gc(); const m = process.memoryUsage(); return m.heapUsed + m.arrayBuffers; };
      const texts = (i) => Array.from({ length: 1000 }, (_, j) => ("text " + i + "/" + j + " é".repeat(j % 3)).padEnd(40 + (j % 200), "x"));
      const pick = (i) => { const list = decode(encode(texts(i))); return [list[500], list[999]]; };
      pick(0);
      const before = used();
      const keep = [];
      for (let i = 0; i < 500; i++) keep.push(pick(i));
      const growth = used() - before;
      if (keep.length !== 500) throw new Error();
      console.log(JSON.stringify(growth / 1000));`,
      ["--expose-gc"],
    );
    // A thousand strings of 140 characters on average, of one or two bytes each, and their arrays.
    expect(kept).toBeLessThan(600);
  });
});
