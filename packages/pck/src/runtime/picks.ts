/**
 * Functions of pickers, and of emitted code that reads only some fields. Skips of varints, text and bytes take the position of an item
 * and return its end. Only the structure of skipped items is checked; errors have the decoder's codes.
 */
import { truncated } from "moonpack/bytes";
import { readUvar64 } from "./read-numbers.js";
import { type PackReader, readIndex, readUvar } from "./reader.js";
import { type Key, Take, TakeEach, type Takes } from "./take.js";

/** Skips one item at a position. */
export type SkipAt = (r: PackReader, pos: number) => number;

/** Skips bytes or text with a count. */
export function skipText(r: PackReader, pos: number): number {
  const size = pos < r.end ? r.bytes[pos]! : 0x80;
  return size < 0x80 && size < r.end - pos ? pos + 1 + size : skipLongText(r, pos);
}

function skipLongText(r: PackReader, pos: number): number {
  r.pos = pos;
  const size = readUvar(r);
  const missing = size - (r.end - r.pos);
  if (missing > 0) throw truncated(pos, missing);
  return r.pos + size;
}

/** Skips a varint of 32 bits. */
export function skipUvar(r: PackReader, pos: number): number {
  const end = endOfVarint(r, pos, 4);
  return end < 0 ? endAfter(r, pos, readUvar) : end;
}

/** Skips a varint of 64 bits. */
export function skipUvar64(r: PackReader, pos: number): number {
  const end = endOfVarint(r, pos, 9);
  return end < 0 ? endAfter(r, pos, readUvar64) : end;
}

/** Skips an index into a list of `count` names. */
export function skipIndex(r: PackReader, pos: number, count: number): number {
  const end = endOfVarint(r, pos, 4);
  return end < 0 ? endAfter(r, pos, () => readIndex(r, count)) : end;
}

/** Returns the end of a varint of at most `most` bytes, which is valid whatever its bits are; -1 for any other. */
function endOfVarint({ bytes, end: last }: PackReader, pos: number, most: number): number {
  const end = Math.min(last, pos + most);
  let at = pos;
  while (at < end && bytes[at]! >= 0x80) at++;
  // A last byte 00 could be left out.
  return at < end && (at === pos || bytes[at] !== 0) ? at + 1 : -1;
}

/** Returns the end of an item that `read` reads. */
function endAfter(r: PackReader, pos: number, read: (r: PackReader) => unknown): number {
  r.pos = pos;
  read(r);
  return r.pos;
}

/**
 * Skips a list of varints: it counts the bytes that end one. Hot: four bytes a step, without a branch for each, take a third of the
 * time of one varint after the other.
 */
export function skipVarints(r: PackReader, count: number, skip: SkipAt): void {
  const { bytes, end } = r;
  let { pos } = r;
  let left = count;
  for (; left > 3 && end - pos > 3; pos += 4) {
    left -= 4 - (bytes[pos]! >> 7) - (bytes[pos + 1]! >> 7) - (bytes[pos + 2]! >> 7) - (bytes[pos + 3]! >> 7);
  }
  while (left > 0 && pos < end) left -= 1 - (bytes[pos++]! >> 7);
  if (left === 0) r.pos = pos;
  else for (let i = 0; i < count; i++) r.pos = skip(r, r.pos); // throws
}

/** Skips a list of texts or bytes. */
export function skipTexts(r: PackReader, count: number): void {
  let { pos } = r;
  for (let i = 0; i < count; i++) pos = skipText(r, pos);
  r.pos = pos;
}

/** Returns the selection of a value. `keys`: where the value itself goes; `fields`: of its struct; `arms`: of its arm in a union. */
export function takeOf(keys: readonly Key[], fields?: Takes, discriminator?: string, arms?: Takes): Take {
  return new Take(keys, fields, discriminator, arms);
}

/** Returns the selection of a list. `lists`: where each list goes. `perSlot`: elements that count as one. */
export function takeEachOf(keys: readonly Key[], lists: readonly Key[], each: Take, perSlot: number): Take {
  return new TakeEach(keys, lists, each, perSlot);
}

/** Returns the wanted places of a value by their keys. The result has no prototype: what the value lacks is undefined. */
export function takenFrom(r: PackReader, take: Take, value: unknown): Readonly<Record<string, unknown>> {
  const out = Object.create(null) as Record<string, unknown>;
  take.from(r, value, out);
  return out;
}
