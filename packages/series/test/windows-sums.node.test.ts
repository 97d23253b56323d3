/** Sums and means that leave the range of floats on their way, against exact ones of bigints. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { WindowRow } from "../src/api.ts";
import { run, scaled } from "./harness/naive-windows.ts";

const MAX = Number.MAX_VALUE;

async function aggregates(values: readonly number[], batches?: readonly number[]): Promise<WindowRow> {
  const points = values.map((value, time) => ({ time, value }));
  const rows = await run({ window: 1000, aggregate: ["sum", "avg"], points, ...(batches && { batches }) });
  return rows[0]!;
}

const size = (value: bigint) => (value < 0n ? -value : value);

describe("sums of values whose sum overflows on the way", () => {
  test.each([
    [[9.988e307, 9.988e307], Infinity, 9.988e307],
    [[1e308, 1e308, -1e308], 1e308, 1e308 / 3],
    [[1e308, -1e308, 1e308], 1e308, 1e308 / 3],
    [[-1e308, 1e308, 1e308], 1e308, 1e308 / 3],
    [[3, MAX, MAX, -MAX, -MAX, 4], 7, 7 / 6],
    [[-MAX, -MAX, MAX, MAX, 1e-300], 1e-300, 1e-300 / 5],
    [[-MAX, -MAX, -MAX], -Infinity, -MAX],
    [[MAX, MAX, Infinity], Infinity, Infinity],
    [[MAX, MAX, Infinity, -Infinity], NaN, NaN],
    [[Infinity, 1, -1], Infinity, Infinity],
    [[NaN, 1e308, NaN, 1e308, NaN], Infinity, 1e308],
  ])("%j: %d, %d", async (values, sum, avg) => {
    expect(await aggregates(values)).toEqual({ start: 0, sum, avg });
  });

  test("the next window begins anew", async () => {
    const points = [MAX, MAX, 1, 2].map((value, i) => ({ time: 5 * i, value }));
    expect(await run({ window: 10, aggregate: ["sum", "avg"], points })).toEqual([
      { start: 0, sum: Infinity, avg: MAX },
      { start: 10, sum: 3, avg: 1.5 },
    ]);
  });

  test("as exact arithmetic says, in whatever batches the values come", async () => {
    const large = fc.double({ min: -MAX, max: MAX, noNaN: true });
    const value = fc.oneof(
      large,
      fc.constantFrom(MAX, -MAX, 1e308, -1e308, 2 ** 900, 2 ** 970, -(2 ** 970), 1, 5e-324),
    );
    const values = fc.array(value, { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(values, fc.array(fc.nat({ max: 8 }), { maxLength: 8 }), async (values, batches) => {
        const { sum, avg } = await aggregates(values);
        expect(await aggregates(values, batches)).toEqual({ start: 0, sum, avg });
        const exact = values.reduce((total, each) => total + scaled(each), 0n);
        const all = values.reduce((total, each) => total + size(scaled(each)), 0n);
        const n = BigInt(values.length);
        const allowed = size(exact) / 2n ** 51n + all / 2n ** 95n + 2n * n;
        expect(avg).not.toBe(Infinity);
        expect(size(scaled(avg as number) * n - exact) <= allowed).toBe(true);
        if (Number.isFinite(sum)) expect(size(scaled(sum as number) - exact) <= allowed).toBe(true);
        else expect(size(exact) + allowed >= scaled(MAX)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
