/** The values of one metric, and their block, which begins with the metric's type. */
import type { Cursor } from "./bytes.ts";
import { decodeFloats, encodeFloats } from "./float-block.ts";
import { decodeInt64s, encodeInt64s, INT64 } from "./int64-block.ts";

export type Values = { readonly floats: readonly number[] } | { readonly int64s: readonly bigint[] };

export function encodeValues(values: Values): number[] {
  return "floats" in values ? encodeFloats(values.floats) : encodeInt64s(values.int64s);
}

export function decodeValues(count: number, cursor: Cursor): Values {
  const head = cursor.u8();
  if ((head & INT64) !== 0) return { int64s: decodeInt64s(head, count, cursor) };
  return { floats: decodeFloats(head, count, cursor) };
}

export function countOf(values: Values): number {
  return "floats" in values ? values.floats.length : values.int64s.length;
}
