/** Rows over batches: every way to read them, in order and out of turn, and how a loop ends. */
import { expect, test } from "vitest";
import type { PointBatch, WindowBatch } from "../src/api.ts";
import { PointRows, WindowRows } from "../src/rows.ts";

/** Batches of points 0, 1, 2 .. of the given sizes, all in the same memory; and what became of them. */
function source(sizes: readonly number[], failsAfter = Number.POSITIVE_INFINITY) {
  const seen = { opened: 0, read: 0, closed: 0 };
  async function* batches(): AsyncGenerator<PointBatch> {
    seen.opened++;
    const timestamps = new Float64Array(8);
    const values = new Float64Array(8);
    let next = 0;
    try {
      for (const [i, length] of sizes.entries()) {
        if (i === failsAfter) throw new Error("no more");
        for (let k = 0; k < length; k++, next++) {
          timestamps[k] = next;
          values[k] = next / 2;
        }
        seen.read++;
        yield { length, timestamps, values };
        timestamps.fill(-1);
        await Promise.resolve();
      }
    } finally {
      seen.closed++;
    }
  }
  return { seen, rows: new PointRows(batches) };
}

const points = (n: number) => Array.from({ length: n }, (_, i) => ({ timestamp: i, value: i / 2 }));

test.each([[[]], [[0]], [[1]], [[3, 8, 1]], [[0, 2, 0, 0, 5, 0]]])("all rows of batches of %j", async (sizes) => {
  const expected = points(sizes.reduce((sum, n) => sum + n, 0));
  const { rows, seen } = source(sizes);
  expect(await rows.toArray()).toEqual(expected);
  const looped = [];
  for await (const row of rows) looped.push(row);
  expect(looped).toEqual(expected);
  let n = 0;
  for await (const batch of rows.batches()) n += batch.length;
  expect(n).toBe(expected.length);
  // Each way reads from the start.
  expect(seen).toEqual({ opened: 3, read: 3 * sizes.length, closed: 3 });
});

test("the read starts when the first row is requested", async () => {
  const { rows, seen } = source([1]);
  const iterator = rows[Symbol.asyncIterator]();
  expect(seen.opened).toBe(0);
  expect(await iterator.return!()).toEqual({ value: undefined, done: true });
  expect(await iterator.next()).toEqual({ value: undefined, done: true });
  expect(seen.opened).toBe(0);
});

test("calls that do not wait for each other are answered in order", async () => {
  const { rows, seen } = source([2, 3]);
  const iterator = rows[Symbol.asyncIterator]();
  const results = await Promise.all(Array.from({ length: 8 }, () => iterator.next()));
  expect(results.map(({ value }) => value)).toEqual([...points(5), undefined, undefined, undefined]);
  expect(results.map(({ done }) => done)).toEqual([false, false, false, false, false, true, true, true]);
  expect(seen.closed).toBe(1);
});

test("a loop that is left closes the batches", async () => {
  const { rows, seen } = source([2, 2]);
  for await (const { timestamp } of rows) if (timestamp === 2) break;
  expect(seen).toEqual({ opened: 1, read: 2, closed: 1 });
  const iterator = rows[Symbol.asyncIterator]();
  // return() waits for the requested rows.
  const [first, ended, after] = await Promise.all([iterator.next(), iterator.return!(), iterator.next()]);
  expect([first.value, ended.done, after.done]).toEqual([{ timestamp: 0, value: 0 }, true, true]);
  expect(seen).toEqual({ opened: 2, read: 3, closed: 2 });
  await iterator.return!();
  expect(seen.closed).toBe(2);
});

test("throw() closes the batches and rejects with its error", async () => {
  const { rows, seen } = source([2, 2]);
  const iterator = rows[Symbol.asyncIterator]();
  await iterator.next();
  const error = new Error("of the loop");
  await expect(iterator.throw!(error)).rejects.toBe(error);
  expect(seen.closed).toBe(1);
  expect(await iterator.next()).toEqual({ value: undefined, done: true });
});

test("an error of the batches comes after their rows, once", async () => {
  const { rows } = source([1, 1], 1);
  await expect(rows.toArray()).rejects.toThrow("no more");
  const iterator = rows[Symbol.asyncIterator]();
  const results = await Promise.allSettled([iterator.next(), iterator.next(), iterator.next()]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await iterator.next()).toEqual({ value: undefined, done: true });
});

test("points of int64 metrics have bigints", async () => {
  const rows = new PointRows(async function* () {
    yield { length: 2, timestamps: Float64Array.of(1, 2), values: BigInt64Array.of(-(2n ** 63n), 7n) };
  });
  expect(await rows.toArray()).toEqual([
    { timestamp: 1, value: -(2n ** 63n) },
    { timestamp: 2, value: 7n },
  ]);
});

test("windows without values are null, all others may be NaN", async () => {
  const batch: WindowBatch = {
    length: 4,
    starts: Float64Array.of(0, 10, 20, 30),
    columns: {
      last: Float64Array.of(1, Number.NaN, Number.NaN, 5),
      avg: Float64Array.of(1.5, Number.NaN, Number.NaN, Number.NaN),
      max: BigInt64Array.of(2n, 0n, 0n, 5n),
    },
    empty: Uint8Array.of(0b100),
    nulls: { last: Uint8Array.of(0b100), avg: Uint8Array.of(0b110), max: Uint8Array.of(0b100) },
  };
  const rows = new WindowRows(
    async function* () {
      yield batch;
    },
    ["last", "avg", "max"],
  );
  expect(await rows.toArray()).toEqual([
    { start: 0, last: 1, avg: 1.5, max: 2n },
    { start: 10, last: Number.NaN, avg: null, max: 0n },
    { start: 20, last: null, avg: null, max: null },
    { start: 30, last: 5, avg: Number.NaN, max: 5n },
  ]);
  expect(Object.keys((await rows.toArray())[0]!)).toEqual(["start", "last", "avg", "max"]);
});
