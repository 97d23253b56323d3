/** Number types that hold every number of another type exactly. */
import type { Kind } from "../model/model.js";

export { isWide } from "../model/model.js";

interface Width {
  readonly isSigned: boolean;
  readonly bits: number;
}

const INTEGERS: ReadonlyMap<Kind, Width> = /* @__PURE__ */ new Map<Kind, Width>([
  ["u8", { isSigned: false, bits: 8 }],
  ["u16", { isSigned: false, bits: 16 }],
  ["u32", { isSigned: false, bits: 32 }],
  ["uvar", { isSigned: false, bits: 32 }],
  ["u64", { isSigned: false, bits: 64 }],
  ["uvar64", { isSigned: false, bits: 64 }],
  ["i8", { isSigned: true, bits: 8 }],
  ["i16", { isSigned: true, bits: 16 }],
  ["i32", { isSigned: true, bits: 32 }],
  ["ivar", { isSigned: true, bits: 32 }],
  ["i64", { isSigned: true, bits: 64 }],
  ["ivar64", { isSigned: true, bits: 64 }],
]);

/** Bits of the largest integers that a float type holds exactly. */
const EXACT_BITS: ReadonlyMap<Kind, number> = /* @__PURE__ */ new Map<Kind, number>([
  ["f32", 24],
  ["f64", 53],
]);

/** True if every number of type `from` is a number of type `to`. False for types that are not numbers. */
export function numberFits(from: Kind, to: Kind): boolean {
  if (from === "f32" || from === "f64") return to === "f64" || to === from;
  const source = INTEGERS.get(from);
  if (source === undefined) return false;
  const target = INTEGERS.get(to);
  if (target === undefined) return source.bits <= (EXACT_BITS.get(to) ?? 0);
  if (source.isSigned) return target.isSigned && source.bits <= target.bits;
  return target.isSigned ? source.bits < target.bits : source.bits <= target.bits;
}
