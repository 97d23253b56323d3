/** Time columns: ascending milliseconds from the page's start. */
import { BitReader, pack } from "./bits.ts";
import type { Cursor } from "./bytes.ts";
import { decodeDeltas, encodeDeltas } from "./delta-of-delta.ts";
import { decodeFor, encodeFor } from "./frame-of-reference.ts";
import { differencesOf, isAllEqual, shortestOf, sumsOf } from "./lists.ts";
import { readUvar, uvar } from "./varint.ts";

const GRID = 0;
const BITMAP = 1;
const GAPS = 2;

export function encodeTimes(times: readonly number[]): number[] {
  const start = [...uvar(times.length), ...uvar(times[0]!)];
  if (times.length === 1) return [GRID, ...start];
  const { unit, gaps } = unitAndGaps(times);
  if (isAllEqual(gaps)) return [GRID, ...start, ...uvar(unit)];
  const forms = timeForms(times);
  const shortest = shortestOf(forms);
  return [BITMAP + shortest, ...start, ...uvar(unit), ...forms[shortest]!];
}

/** The bytes after the unit, for kinds 1, 2 and 3. */
export function timeForms(times: readonly number[]): number[][] {
  const { gaps } = unitAndGaps(times);
  // A difference of more than 24 bits, as in a week with long pauses, is in no class.
  const isSteady = differencesOf(gaps).every((delta) => BigInt.asIntN(24, delta) === delta);
  return [encodeBitmap(gaps), encodeFor(gaps), ...(isSteady ? [encodeDeltas(gaps)] : [])];
}

/** The greatest common divisor of all gaps, and the gaps divided by it. */
function unitAndGaps(times: readonly number[]): { unit: bigint; gaps: bigint[] } {
  const gaps = differencesOf(times.map(BigInt));
  const unit = gaps.reduce(greatestCommonDivisor);
  return { unit, gaps: gaps.map((gap) => gap / unit) };
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}

/** Slots from which on a bitmap is not made: it is longer than any other form of as many times as a column has. */
const MANY_SLOTS = 2n ** 21n;

/** The number of slots, then one bit for each: 1 where a point is. */
function encodeBitmap(gaps: readonly bigint[]): number[] {
  if (gaps.reduce((sum, gap) => sum + gap) > MANY_SLOTS) return new Array<number>(Number(MANY_SLOTS) / 8).fill(0);
  const bits = "1" + gaps.map((gap) => "0".repeat(Number(gap) - 1) + "1").join("");
  return [...uvar(bits.length), ...pack(bits)];
}

export function decodeTimes(cursor: Cursor): number[] {
  const kind = cursor.u8();
  const count = Number(readUvar(cursor));
  const first = readUvar(cursor);
  if (count === 1) return [Number(first)];
  const unit = readUvar(cursor);
  const gaps = decodeGaps(kind, count - 1, cursor).map((gap) => gap * unit);
  return sumsOf(first, gaps).map(Number);
}

function decodeGaps(kind: number, count: number, cursor: Cursor): bigint[] {
  if (kind === GRID) return new Array<bigint>(count).fill(1n);
  if (kind === BITMAP) return decodeBitmap(cursor);
  return kind === GAPS ? decodeFor(count, cursor) : decodeDeltas(count, cursor);
}

function decodeBitmap(cursor: Cursor): bigint[] {
  const slots = Number(readUvar(cursor));
  const bits = [...new BitReader(cursor).take(slots)];
  const points = [...bits.keys()].filter((slot) => bits[slot] === "1");
  return differencesOf(points.map(BigInt));
}
