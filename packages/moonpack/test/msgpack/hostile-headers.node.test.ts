/** Headers that declare more than the input contains allocate almost nothing. Separate processes, limited heap. */

import { childResult } from "@moonpack/harness/child.ts";
import { describe, expect, test } from "vitest";

const SMALL_HEAP = ["--expose-gc", "--max-old-space-size=64"];

describe("forged headers allocate almost nothing", () => {
  const forged: readonly [string, string][] = [
    ["array32", "ddffffffff"],
    ["array32 of 2^31 - 1", "dd7fffffff"],
    ["map32", "dfffffffff"],
    ["str32", "dbffffffff"],
    ["bin32", "c6ffffffff"],
    ["ext32", "c9ffffffff05"],
    ["timestamp in ext32", "c9ffffffffff"],
    ["array16", "dcffff"],
    ["map16", "deffff"],
    ["array32 in an array", "93ddffffffff"],
    ["array32 with some bytes", "dd01ffffff0102030405"],
    ["map32 with some bytes", "df01ffffffa161a162"],
    ["str32 as a key", "81dbffffffff"],
  ];

  test("each allocates less than 1 KB, in a heap of 64 MB", () => {
    const used = childResult<Record<string, number>>(
      `
      import { Decoder } from "moonpack";
      Error.stackTraceLimit = 0; // stack traces are the engine's cost
      const cases = ${JSON.stringify(forged)};
      const result = {};
      const decoder = new Decoder();
      const attempt = (bytes) => { try { decoder.decode(bytes); } catch (error) { return error.code; } };
      for (const [name, hex] of cases) {
        const bytes = Uint8Array.from(Buffer.from(hex, "hex"));
        for (let i = 0; i < 2000; i++) if (attempt(bytes) !== "ERR_TRUNCATED") throw new Error(name);
        // The minimum of five rounds, since the engine may compile during a round, which allocates too.
        result[name] = Infinity;
        for (let round = 0; round < 5; round++) {
          gc();
          const before = process.memoryUsage();
          for (let i = 0; i < 1000; i++) attempt(bytes);
          const after = process.memoryUsage();
          const used = (after.heapUsed - before.heapUsed + after.arrayBuffers - before.arrayBuffers) / 1000;
          result[name] = Math.min(result[name], used);
        }
      }
      console.log(JSON.stringify(result));`,
      // A young generation so large that nothing is collected during a round.
      ["--expose-gc", "--max-old-space-size=64", "--min-semi-space-size=16"],
    );
    for (const [name, bytes] of Object.entries(used)) expect(bytes, name).toBeLessThan(1024);
    expect(Object.keys(used).length).toBe(forged.length);
  });

  test("maps in maps of a stream, with numbers as keys: 4 KB of headers take less than 1 MB", () => {
    const held = childResult<number>(`
      import { StreamDecoder } from "moonpack/stream";
      const bytes = new Uint8Array(500 * 8);
      for (let i = 0; i < bytes.length; i += 8) bytes.set([0xdf, 0, 0xff, 0xff, 0xff, 1, 0, 2], i);
      const decoder = new StreamDecoder();
      const { arrayBuffers } = process.memoryUsage();
      if ([...decoder.push(bytes)].length > 0) throw new Error("a value");
      console.log(process.memoryUsage().arrayBuffers - arrayBuffers);`);
    expect(held).toBeLessThan(1_000_000);
  });

  test("72 KB of repeated dc ff ff and similar headers, in a heap of 64 MB", () => {
    const codes = childResult<string[]>(
      `
      import { decode, decodeAt, decodeMulti } from "moonpack";
      const codes = [];
      for (const unit of ["dcffff", "deffff", "dd0000ffff", "df0000ffff", "ddffffffff", "dc00ff", "9f", "8f", "81dcffff"]) {
        const bytes = Uint8Array.from(Buffer.from(unit.repeat(72000 / (unit.length / 2)), "hex"));
        for (const way of [decode, (b) => decodeAt(b, 0), (b) => [...decodeMulti(b)], (b) => decode(b, { maxDepth: 4096 }), (b) => decode(b, { maps: "map", maxDepth: 4096 })]) {
          try { way(bytes); codes.push("none"); } catch (error) { codes.push(error.code ?? String(error)); }
        }
      }
      console.log(JSON.stringify(codes));`,
      SMALL_HEAP,
      20_000,
    );
    expect(codes.length).toBe(45);
    for (const code of codes) expect(["ERR_TRUNCATED", "ERR_LIMIT_DEPTH"]).toContain(code);
  });
});
