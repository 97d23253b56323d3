/**
 * Counts what native code moves, since block counters (work.ts) do not see it: the elements that `shift`, `splice` and
 * similar methods of arrays move, and the bytes that `set`, `slice` and `copyWithin` of typed arrays copy.
 */
import { expect } from "vitest";

type Method = (this: { readonly length: number }, ...args: unknown[]) => unknown;

/** Each call counts the length of its array, or of its argument for `set`: an upper bound of what it moves. */
const OF_ARRAYS = ["shift", "unshift", "splice", "slice", "concat", "copyWithin"] as const;
const OF_BYTES = ["slice", "copyWithin", "set"] as const;

/** Returns the number of elements and bytes moved while `act` runs. */
export function movedBy(act: () => void): number {
  let moved = 0;
  const restore: (() => void)[] = [];
  const count = (prototype: object, names: readonly string[]): void => {
    for (const name of names) {
      const original = Reflect.get(prototype, name) as Method;
      Reflect.set(prototype, name, function (this: { readonly length: number }, ...args: unknown[]): unknown {
        moved += name === "set" ? (args[0] as { readonly length: number }).length : this.length;
        return original.apply(this, args);
      });
      restore.push(() => Reflect.set(prototype, name, original));
    }
  };
  count(Array.prototype, OF_ARRAYS);
  count(Object.getPrototypeOf(Uint8Array.prototype) as object, OF_BYTES);
  try {
    act();
  } finally {
    for (const back of restore) back();
  }
  return moved;
}

/** Asserts that `act` moves in proportion to its size: at most size^1.1 from `size` to 16 times `size`. */
export function expectLinearMoves(act: (size: number) => void, size: number): void {
  const [small, large] = [size, size * 16].map((n) => movedBy(() => act(n))) as [number, number];
  expect(Math.log((large + size) / (small + size)) / Math.log(16)).toBeLessThan(1.1);
}
