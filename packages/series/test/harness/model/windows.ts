/** Compares rows of windows: sums as far as their rounding allows, and zeros of both signs. */
import type { WindowRow } from "../../../src/api.ts";
import type { ModelPoint } from "./model.ts";

/** Throws unless the rows are equal. */
export function expectRows(
  actual: readonly WindowRow[],
  expected: readonly WindowRow[],
  points: readonly ModelPoint[],
  what: string,
): void {
  if (actual.length !== expected.length)
    throw new Error(`${what}: ${actual.length} windows instead of ${expected.length}`);
  let size = 0;
  for (const { value } of points) if (Number.isFinite(Number(value))) size += Math.abs(Number(value));
  expected.forEach((row, i) => {
    for (const [name, value] of Object.entries(row)) {
      const got = actual[i]![name as keyof WindowRow];
      const isSum = name === "sum" || name === "avg";
      if (isSum ? isNear(got, value, size) : isSame(got, value)) continue;
      throw new Error(`${what}: ${name} of window ${i} (${row.start}) is ${String(got)} instead of ${String(value)}`);
    }
  });
}

function isSame(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || (a === 0 && b === 0);
}

function isNear(a: unknown, b: unknown, size: number): boolean {
  if (typeof a !== "number" || typeof b !== "number" || !Number.isFinite(b)) return isSame(a, b);
  return Math.abs(a - b) <= 4e-16 * Math.abs(b) + 4e-16 * size + 1e-300;
}
