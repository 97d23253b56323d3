/** The memory that hostile bytes cost, measured in a separate process: forged counts allocate nothing. */

import { childResult } from "@moonpack/harness/child.ts";
import { expect, test } from "vitest";

test("forged counts of every type cost no memory", () => {
  const grown = childResult<Record<string, number>>(
    `
    import * as pck from "@moonpack/pck";
    const { array, ascii, bytes, codec, map, nullable, schema, utf8, ARRAY, BOOL, F64, U8, UTF8 } = pck;
    const MOST = [0xff, 0xff, 0xff, 0xff, 0x0f];
    const zeros = (n) => new Array(n).fill(0);
    const cases = {
      array: [schema(array("v", F64)), MOST],
      typed: [schema(array("v", F64)), MOST, { typedArrays: true }],
      fixed: [schema(array("v", F64, 65535)), zeros(100), { typedArrays: true }],
      bits: [schema(array("v", BOOL)), MOST],
      nullables: [schema(array("v", nullable(UTF8))), MOST],
      map: [schema(map("v", UTF8, U8)), MOST],
      bytes: [schema(bytes("v")), MOST],
      text: [schema(utf8("v")), MOST],
      ascii: [schema(ascii("v")), MOST],
      nested: [schema(array("v", ARRAY(ARRAY(U8)))), [200, 1, ...zeros(300).map(() => 100)]],
    };
    const grown = {};
    for (const codeGeneration of [true, false]) {
      for (const [name, [schema, bytes, options]] of Object.entries(cases)) {
        const one = codec(schema, { ...options, codeGeneration });
        const input = Uint8Array.from(bytes);
        const act = () => { try { one.decode(input); } catch (error) { if (error.offset === undefined) throw error; } };
        for (let i = 0; i < 20; i++) act();
        gc();
        const before = process.memoryUsage();
        for (let i = 0; i < 20; i++) act();
        const after = process.memoryUsage();
        const each = (after.heapUsed - before.heapUsed + after.arrayBuffers - before.arrayBuffers) / 20;
        grown[name + (codeGeneration ? "" : ", closures")] = Math.max(0, Math.round(each));
      }
    }
    console.log(JSON.stringify(grown));`,
    ["--expose-gc", "--min-semi-space-size=64", "--max-semi-space-size=64"],
  );
  // An error and its stack. The declared arrays would take gigabytes.
  const costly = Object.entries(grown).filter(([, bytes]) => bytes > 40_000);
  expect(costly).toEqual([]);
  expect(Object.keys(grown).length).toBe(20);
});
