/** The integer codecs 0 to 3, for integers of at most 2^51 in magnitude. */
import type { Cursor } from "./bytes.ts";
import { decodeFor, encodeFor } from "./frame-of-reference.ts";
import { differencesOf, isAllEqual, shortestOf, sumsOf } from "./lists.ts";
import { readUvar, readZig, uvar, zig } from "./varint.ts";

/** The greatest magnitude that these codecs store. */
export const LIMIT = 2n ** 51n;

export function encodeIntegers(list: readonly bigint[]): { codec: number; bytes: number[] } {
  if (isAllEqual(list)) return { codec: 0, bytes: zig(list[0]!) };
  const forms = integerForms(list);
  const shortest = shortestOf(forms);
  return { codec: shortest + 1, bytes: forms[shortest]! };
}

/** The bytes under codecs 1, 2 and 3. */
export function integerForms(list: readonly bigint[]): number[][] {
  return [encodeRuns(list), encodeFor(list), [...zig(list[0]!), ...encodeFor(differencesOf(list))]];
}

export function decodeIntegers(codec: number, count: number, cursor: Cursor): bigint[] {
  if (codec === 0) return new Array<bigint>(count).fill(readZig(cursor));
  if (codec === 1) return decodeRuns(count, cursor);
  if (codec === 2) return decodeFor(count, cursor);
  if (codec === 3) return sumsOf(readZig(cursor), decodeFor(count - 1, cursor));
  throw new Error(`${codec} is not an integer codec`);
}

function encodeRuns(list: readonly bigint[]): number[] {
  const bytes: number[] = [];
  let before = 0n;
  for (let start = 0; start < list.length; ) {
    const value = list[start]!;
    let end = start;
    while (list[end] === value) end++;
    bytes.push(...zig(value - before), ...uvar(end - start - 1));
    before = value;
    start = end;
  }
  return bytes;
}

function decodeRuns(count: number, cursor: Cursor): bigint[] {
  const list: bigint[] = [];
  let value = 0n;
  while (list.length < count) {
    value += readZig(cursor);
    const length = Number(readUvar(cursor)) + 1;
    list.push(...new Array<bigint>(length).fill(value));
  }
  return list;
}
