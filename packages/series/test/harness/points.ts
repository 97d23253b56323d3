/** Slots of the slow implementation in the form that the code under test wants, and back. */
import { PagePoints } from "../../src/page/page.ts";
import { Values64 } from "../../src/page/values.ts";
import type { Slot } from "../reference/page.ts";
import { countOf, type Values } from "../reference/values.ts";

export function hexOf(bytes: Uint8Array | readonly number[]): string {
  return Buffer.from(bytes).toString("hex");
}

/** Memory that holds these values. */
export function values64Of(values: Values): Values64 {
  const memory = new Values64(countOf(values));
  if ("floats" in values) memory.floats.set(values.floats);
  else new BigInt64Array(memory.words.buffer).set(values.int64s);
  return memory;
}

/** The first `n` of them. */
export function valuesOf({ floats, words }: Values64, n: number, areInt64: boolean): Values {
  return areInt64 ? { int64s: [...new BigInt64Array(words.buffer, 0, n)] } : { floats: [...floats.subarray(0, n)] };
}

export function pointsOf(slot: Slot): PagePoints {
  const points = new PagePoints();
  points.times = Int32Array.from(slot.times);
  points.values = values64Of(slot);
  points.length = slot.times.length;
  points.isInt64 = "int64s" in slot;
  return points;
}

export function slotOf(slot: number, { times, values, length, isInt64 }: PagePoints): Slot {
  return { slot, times: [...times.subarray(0, length)], ...valuesOf(values, length, isInt64) };
}

/** Sixteen places, with the slots in theirs. */
export function placed(slots: readonly Slot[]): (PagePoints | undefined)[] {
  const list = new Array<PagePoints | undefined>(16).fill(undefined);
  for (const slot of slots) list[slot.slot] = pointsOf(slot);
  return list;
}
