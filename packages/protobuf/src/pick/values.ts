/** Reads the values of wanted fields. */
import {
  DecodeError,
  MAX_LIST_ELEMENTS,
  MoonpackError,
  putUvar32,
  recordOf,
  truncated,
  uvar32Size,
} from "moonpack/bytes";
import type { LongLike } from "../int64.js";
import { Reader } from "../reader/reader.js";
import type { ClosedEnum } from "./closed-enums.js";
import { GROUP, GROUP_END, LEN, type Leaf, type Slot, WIRE_TYPES } from "./fields.js";
import type { FieldKind } from "./types.js";

/** Parts of the input, as the offsets of starts and ends. A negative start is a tag that is added: its end is its size after that. */
export type Ranges = number[];

export function addRange(ranges: Ranges, start: number, end: number): void {
  const last = ranges.length - 1;
  if (last > 0 && ranges[last] === start) ranges[last] = end;
  else ranges.push(start, end);
}

/** Reads a length and checks that its bytes follow. Returns where they end. */
export function open(reader: Reader): number {
  const start = reader.pos;
  const length = reader.size();
  const end = reader.pos + length;
  if (end > reader.last()) throw truncated(start, end - reader.last());
  return end;
}

/** Skips a group, whose start was read. Returns where its content ends. */
function contentOfGroup(reader: Reader, field: number): number {
  for (;;) {
    const start = reader.pos;
    const tag = reader.tag();
    if (isEndOf(field, tag, start)) return start;
    reader.skipType(tag & 7, 1, tag >>> 3);
  }
}

/** True for the end of this group. Throws for the end of another one, also outside groups, where `field` is 0. */
export function isEndOf(field: number, tag: number, offset: number): boolean {
  if ((tag & 7) !== GROUP_END) return false;
  if (tag >>> 3 === field && field !== 0) return true;
  throw new DecodeError("ERR_INVALID_BYTE", `the end of a group ${tag >>> 3} that is not open`, offset);
}

/** The value of a slot before its fields were seen. */
export function startOf({ leaf, isList }: Slot): unknown {
  return isList ? [] : leaf.keys !== null ? new Map<string, unknown>() : undefined;
}

/** The value of a slot from what was collected. */
export function finished({ leaf, isList }: Slot, value: unknown, reader: Reader): unknown {
  if (isList || value === undefined) return value;
  if (leaf.keys !== null) return recordOf(value as Map<string, unknown>);
  return leaf.kind === "message" ? message(leaf, reader, value as Ranges) : value;
}

/**
 * Reads an occurrence of a field. Returns what is collected for it: `before` is what earlier ones left. Returns null for an unknown field,
 * which is an entry of a map with an unknown value of a closed enum.
 */
export function occurrence(
  leaf: Leaf,
  isList: boolean,
  reader: Reader,
  wire: number,
  number: number,
  before: unknown,
  rest: Ranges | null,
): unknown {
  const { kind, keys } = leaf;
  if (keys !== null) return withEntry(before as Map<string, unknown>, leaf, keys, reader);
  if (isList) return withItem(before as unknown[], leaf, reader, wire, number, rest);
  if (kind !== "message") return scalar(kind ?? kindOfWire(wire), reader, wire, number);
  const ranges = (before as Ranges | undefined) ?? [];
  ranges.push(...content(reader, wire, number));
  return ranges;
}

/** Adds the elements of an occurrence to a list. */
function withItem(
  list: unknown[],
  leaf: Leaf,
  reader: Reader,
  wire: number,
  number: number,
  rest: Ranges | null,
): unknown[] {
  const kind = leaf.kind ?? kindOfWire(wire);
  const isPacked = wire === LEN && kind !== "string" && kind !== "bytes" && kind !== "message";
  if (isPacked && leaf.closed !== null) return withKnown(list, leaf.closed, reader, number, rest);
  if (isPacked) return reader[`${kind}s`](list as never);
  const isMessage = kind === "message";
  const item = isMessage ? message(leaf, reader, content(reader, wire, number)) : scalar(kind, reader, wire, number);
  addTo(list, item, reader);
  return list;
}

/** Adds the known values of a packed list of enums. Each other value is a field in the rest. */
function withKnown(
  list: unknown[],
  closed: ClosedEnum,
  reader: Reader,
  number: number,
  rest: Ranges | null,
): unknown[] {
  const { len } = reader;
  reader.len = open(reader);
  while (reader.pos < reader.len) {
    const { pos } = reader;
    const value = reader.int32();
    if (closed.has(value)) addTo(list, value, reader);
    else if (rest !== null) {
      const tag = (number << 3) >>> 0;
      rest.push(-tag, uvar32Size(tag) - tag, pos, reader.pos);
    }
  }
  reader.len = len;
  return list;
}

/** Adds to a list, up to the most elements that V8 can hold: more would end the process. */
export function addTo(list: unknown[], item: unknown, reader: Reader): void {
  if (list.length >= MAX_LIST_ELEMENTS)
    throw new DecodeError("ERR_LIMIT_ELEMENTS", `more than ${MAX_LIST_ELEMENTS} values in a list`, reader.pos);
  list.push(item);
}

/** The kind of a value of which only the wire type is known. */
function kindOfWire(wire: number): FieldKind {
  return wire === 0 ? "uint64" : wire === 1 ? "fixed64" : wire === 5 ? "fixed32" : "bytes";
}

function scalar(kind: FieldKind, reader: Reader, wire: number, number: number): unknown {
  if (wire === GROUP) return reader.raw(...content(reader, wire, number));
  return reader[kind as Exclude<FieldKind, "message">]();
}

/** The start and the end of a message or group, which is skipped. */
function content(reader: Reader, wire: number, field: number): [start: number, end: number] {
  if (wire === GROUP) return [reader.pos, contentOfGroup(reader, field)];
  const end = open(reader);
  const start = reader.pos;
  reader.pos = end;
  return [start, end];
}

/** Joins parts of the input, in new memory. */
export function joined(bytes: Uint8Array, ranges: Ranges): Uint8Array<ArrayBuffer> {
  let size = 0;
  for (let i = 0; i < ranges.length; i += 2) size += ranges[i + 1]! - ranges[i]!;
  const result = new Uint8Array(size);
  for (let i = 0, at = 0; i < ranges.length; i += 2) {
    const [start, end] = [ranges[i]!, ranges[i + 1]!];
    if (start < 0) putUvar32(result, at, -start);
    else result.set(bytes.subarray(start, end), at);
    at += end - start;
  }
  return result;
}

/** A message of these parts: Protobuf merges messages by joining their bytes. */
function message({ type }: Leaf, reader: Reader, ranges: Ranges): unknown {
  const bytes = joined(reader.buf, ranges);
  if (type === null) return bytes;
  try {
    return type.decode(bytes);
  } catch (error) {
    if (error instanceof MoonpackError || !(error instanceof Error)) throw error;
    const text = `a message cannot be decoded: ${error.message}`;
    throw new DecodeError("ERR_INVALID_BYTE", text, ranges[0] ?? reader.pos, 0, error);
  }
}

/**
 * Adds an entry of a map. A missing key or value is the default of its type; the last of equal keys counts. Returns null for an unknown
 * value of a closed enum.
 */
function withEntry(
  map: Map<string, unknown>,
  leaf: Leaf,
  keys: FieldKind,
  reader: Reader,
): Map<string, unknown> | null {
  const end = open(reader);
  const { len } = reader;
  const parts: Ranges = [];
  let key: unknown;
  let value: unknown;
  reader.len = end;
  while (reader.pos < end) {
    const tag = reader.tag();
    const [wire, number] = [tag & 7, tag >>> 3];
    if (number === 1 && wire === WIRE_TYPES[keys]) key = scalar(keys, reader, wire, 1);
    else if (number !== 2 || wire !== WIRE_TYPES[leaf.kind!]) reader.skipType(wire, 0, number);
    else if (leaf.kind !== "message") value = scalar(leaf.kind!, reader, wire, 2);
    else parts.push(...content(reader, wire, 2));
  }
  reader.len = len;
  value = leaf.kind === "message" ? message(leaf, reader, parts) : (value ?? zero(leaf.kind!, reader));
  if (leaf.closed?.has(value as number) === false) return null;
  // The default of a 64-bit key is not a Long, as in protobuf.js.
  const isText = keys === "string" || keys === "bool";
  map.set(keyText((key ?? (isText ? zero(keys, reader) : 0)) as Key), value);
  return map;
}

/** The default of a scalar, whose bytes are zeros. */
function zero(kind: FieldKind, { int64Form: int64 }: Reader): unknown {
  return scalar(kind, new Reader(new Uint8Array(8), { int64 }), 0, 0);
}

type Key = string | number | bigint | boolean | LongLike;

/** A key of a map as the name of a property. A Long is eight characters, as in protobuf.js. */
function keyText(key: Key): string {
  if (typeof key !== "object") return String(key);
  const bytes = [key.low, key.high].flatMap((word) => [0, 8, 16, 24].map((shift) => (word >>> shift) & 0xff));
  return String.fromCharCode(...bytes);
}
