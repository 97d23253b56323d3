/** Sorts numbers without blocking the event loop: by digits, and in slices. */
import type { TimeSlices } from "../store/time-slices.js";

const BITS = 11;
const DIGITS = 1 << BITS;
/** Numbers between two looks at the clock. */
const STEP = 8192;

/** Returns the positions of the first `n` numbers, by ascending number; equal numbers stay in order. */
export async function sortedOrder(numbers: Uint32Array, n: number, slices: TimeSlices): Promise<Uint32Array> {
  let order = new Uint32Array(n);
  let next = new Uint32Array(n);
  for (let i = 0; i < n; i++) order[i] = i;
  for (let shift = 0; shift < 32; shift += BITS) {
    const places = new Uint32Array(DIGITS + 1);
    for (let from = 0; from < n; from += STEP) {
      const to = Math.min(from + STEP, n);
      for (let i = from; i < to; i++) places[((numbers[i]! >>> shift) & (DIGITS - 1)) + 1]!++;
      await slices.pause();
    }
    for (let digit = 0; digit < DIGITS; digit++) places[digit + 1]! += places[digit]!;
    for (let from = 0; from < n; from += STEP) {
      const to = Math.min(from + STEP, n);
      for (let i = from; i < to; i++) {
        const at = order[i]!;
        next[places[(numbers[at]! >>> shift) & (DIGITS - 1)]!++] = at;
      }
      await slices.pause();
    }
    [order, next] = [next, order];
  }
  return order;
}
