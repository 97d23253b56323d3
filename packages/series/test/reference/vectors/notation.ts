/** How vectors write values: vectors/README.md, "series/". */
import type { Slot } from "../page.ts";
import type { Values } from "../values.ts";

/** One vector: a name that is unique in its file, and what it holds. */
export type Vector = { readonly name: string } & Readonly<Record<string, unknown>>;

/** JSON has no NaN, no infinities and no -0: they are texts. */
function floatOf(value: number): number | string {
  if (Object.is(value, -0)) return "-0";
  return Number.isFinite(value) ? value : String(value);
}

/** Floats as JSON numbers, integers of 64 bits as decimal texts. */
export function valuesOf(values: Values): { floats: (number | string)[] } | { int64s: string[] } {
  return "floats" in values ? { floats: values.floats.map(floatOf) } : { int64s: values.int64s.map(String) };
}

export function slotOf(slot: Slot): object {
  return { slot: slot.slot, times: slot.times, ...valuesOf(slot) };
}
