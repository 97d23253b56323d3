/** `strict`: checks that numbers, lengths and timestamps have their shortest form. */
import { DecodeError } from "../../bytes/errors.js";
import { fixextOf, widthOf } from "./formats.js";

/** Strict: refuses a header at `pos` whose length would fit into fewer bytes, before its payload is read. */
export function checkLength(
  r: { readonly src: Uint8Array; readonly view: DataView },
  pos: number,
  length: number,
): void {
  const token = r.src[pos]!;
  if (token >= 0xc4 && token < 0xe0) checkForm(r.view, token, length, pos);
}

/** True if no shorter format holds this number or length. */
function isShortest(view: DataView, token: number, n: number, pos: number): boolean {
  if (token === 0xca || token === 0xcb) {
    // Integers have separate formats. There is one NaN; float 64 is only for numbers that float 32 would round.
    if (Number.isSafeInteger(n) && !Object.is(n, -0)) return false;
    if (token === 0xcb) return !Object.is(Math.fround(n), n);
    return !Number.isNaN(n) || view.getUint32(pos + 1) === 0x7fc00000;
  }
  if (token === 0xc7) return fixextOf(n) === 0;
  // The smallest number that does not fit into half the bytes; for negative numbers half of that.
  const least = LEAST.get(token) ?? 0x100 ** (widthOf(token) / 2);
  return token < 0xd0 || token > 0xd3 ? n >= least : n < least / -2;
}

/** The same for other formats: bin 8 has no shorter form, the others have one within the first byte. */
const LEAST: ReadonlyMap<number, number> = /* @__PURE__ */ new Map([
  [0xc4, 0],
  [0xcc, 0x80],
  [0xd0, 0x40],
  [0xd9, 0x20],
  [0xdc, 0x10],
  [0xde, 0x10],
]);

/** Refuses the number or length `n` at `pos`, of format `token`, if a shorter format holds it. */
export function checkForm(view: DataView, token: number, n: number, pos: number): void {
  if (!isShortest(view, token, n, pos)) throw notShortest(pos);
}

/** Refuses a timestamp of `size` bytes if fewer hold it. `high`: the bits of its seconds above the lowest 32. */
export function checkTimestamp(size: number, nanoseconds: number, high: number, start: number): void {
  if (size === 8 ? nanoseconds === 0 && high === 0 : size === 12 && high >= 0 && high < 4) throw notShortest(start);
}

function notShortest(start: number): DecodeError {
  return new DecodeError("ERR_NOT_SHORTEST", "not the shortest form", start);
}
