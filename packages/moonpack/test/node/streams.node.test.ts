/** Both streams together: what goes in comes out. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import fc from "fast-check";
import { DecodeStream, EncodeStream, NULL } from "moonpack/node";
import { expect, test } from "vitest";
import { anyValue } from "../harness/arbitrary.ts";
import { none } from "../harness/each.ts";
import { concat } from "../harness/hex.ts";
import { differ } from "../harness/same.ts";
import { randomParts } from "./tools.ts";

const nil = (value: unknown) => (value === null ? NULL : value);

test("1,000 random sequences, in random chunks", async () => {
  const modes = fc.constantFrom("turn" as const, "each" as const, "size" as const);
  await fc.assert(
    fc.asyncProperty(fc.array(anyValue, { maxLength: 6 }), modes, fc.nat(), async (values, flush, seed) => {
      const encoder = new EncodeStream({ flush, chunkSize: 1024, ...(seed % 3 === 0 ? { highWaterMark: 1 } : {}) });
      const chunks = (await Readable.from(values.map(nil)).pipe(encoder).toArray()) as Uint8Array[];
      const parts = randomParts(concat(...chunks), seed);
      const decoder = new DecodeStream({ unknownExtensions: "keep", ...(seed % 2 === 0 ? { highWaterMark: 1 } : {}) });
      const back = await Readable.from(parts, { objectMode: false }).pipe(decoder).toArray();
      none(differ(back, values.map(nil)));
    }),
    { numRuns: 1000 },
  );
});

test("values through both in one pipeline, a hundred thousand of them", async () => {
  function* numbers() {
    for (let i = 0; i < 100_000; i++) yield i % 1000 === 0 ? NULL : { i };
  }
  let count = 0;
  await pipeline(Readable.from(numbers()), new EncodeStream(), new DecodeStream(), async (values) => {
    for await (const value of values as AsyncIterable<unknown>) {
      const i = count++;
      if (i % 1000 === 0 ? value !== NULL : (value as { i: number }).i !== i) throw new Error(`wrong value at ${i}`);
    }
  });
  expect(count).toBe(100_000);
});
