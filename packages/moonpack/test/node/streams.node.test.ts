/** Both streams together: values make a round trip. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { anyValue } from "@moonpack/harness/arbitrary.ts";
import { none } from "@moonpack/harness/each.ts";
import { share } from "@moonpack/harness/effort.ts";
import { concat } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { retainedByEach } from "@moonpack/harness/retained-memory.ts";
import { differ } from "@moonpack/harness/same.ts";
import fc from "fast-check";
import { DecodeStream, EncodeStream, NULL } from "moonpack/node";
import { expect, test } from "vitest";
import { randomParts } from "./tools.ts";

const nil = (value: unknown) => (value === null ? NULL : value);

test("random sequences, in random chunks", async () => {
  const seed = Date.now() % 1_000_000;
  // Creating a value takes as long as sending it, so each is sent several times, in other sequences.
  const pool = fc.sample(anyValue, { seed, numRuns: share(800) });
  const random = randomSource(seed);
  for (let run = 0; run < share(1000); run++) {
    const values = Array.from({ length: random(7) }, () => nil(pool[random(pool.length)]));
    const flush = (["turn", "each", "size"] as const)[random(3)]!;
    const encoder = new EncodeStream({ flush, chunkSize: 1024, ...(random(3) === 0 ? { highWaterMark: 1 } : {}) });
    const chunks = (await Readable.from(values).pipe(encoder).toArray()) as Uint8Array[];
    const parts = randomParts(concat(...chunks), seed + run);
    const decoder = new DecodeStream({ unknownExtensions: "keep", ...(random(2) === 0 ? { highWaterMark: 1 } : {}) });
    const back = await Readable.from(parts, { objectMode: false }).pipe(decoder).toArray();
    none(differ(back, values), `seed ${seed}, run ${run}`);
  }
});

test("a hundred thousand values through both in one pipeline", async () => {
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

test("destroyed streams that are still referenced hold no memory", () => {
  const held = retainedByEach(
    `
    import { encode } from "moonpack";
    import { DecodeStream, EncodeStream } from "moonpack/node";
    const half = encode("x".repeat(500_000)).slice(0, 400_000);`,
    {
      open: `() => {
        const encoder = new EncodeStream();
        encoder.write("x".repeat(1000));
        const decoder = new DecodeStream();
        decoder.write(half);
        return [encoder, decoder];
      }`,
      destroyed: `(streams) => {
        for (const stream of streams) stream.destroy();
        return streams;
      }`,
    },
    20,
  );
  // 64 KiB of the encoder, the unfinished text of the decoder.
  expect(held.open).toBeGreaterThan(450_000);
  expect(held.destroyed).toBeLessThan(30_000);
});
