// Protobuf without its schema: field numbers and wire types are certain; the meaning of contents is a guess, and marked as one.

import { Reader } from "@moonpack/protobuf";
import type { Diagnosis } from "moonpack";
import { DecodeError } from "moonpack/bytes";
import { toHex } from "./hex.ts";
import { guessLength, type LengthGuess } from "./protobuf-guess.ts";

const WIRE_TYPES = ["varint", "64 bits", "length", "group", "end of group", "32 bits"] as const;
/** Levels that are looked into. Deeper content is shown as bytes: each level is tried as a message first. */
const MAX_DEPTH = 64;
const SHOWN_BYTES = 16;
const SHOWN_CHARACTERS = 64;

/** A message or group whose fields are being read. */
interface Level {
  readonly path: string;
  readonly end: number;
  /** The number of the group that ends with its own tag; 0 for a message, which ends with its length. */
  readonly group: number;
  /** How often each field came. */
  readonly seen: Map<number, number>;
}

/**
 * Yields the fields of a message in the order of their bytes, as `diagnose` of MessagePack does for its items. A broken message ends
 * with an item that has the error.
 */
export function* protobufItems(bytes: Uint8Array<ArrayBuffer>): Generator<Diagnosis, void, undefined> {
  const reader = new Reader(bytes, { int64: "bigint" });
  const levels: Level[] = [{ path: "$", end: bytes.length, group: 0, seen: new Map() }];
  yield { offset: 0, end: 0, depth: 0, path: "$", role: "value", format: "message", meaning: `${bytes.length} bytes` };
  for (;;) {
    while (levels.length > 1 && levels.at(-1)!.group === 0 && reader.pos >= levels.at(-1)!.end) levels.pop();
    const level = levels.at(-1)!;
    const offset = reader.pos;
    if (levels.length === 1 && offset === bytes.length) return;
    try {
      yield* field(reader, level, levels);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      const place = { offset, end: bytes.length, depth: levels.length, path: level.path, role: "value" } as const;
      yield { ...place, format: "broken", meaning: error.message, error };
      return;
    }
  }
}

function* field(reader: Reader, level: Level, levels: Level[]): Generator<Diagnosis, void, undefined> {
  const offset = reader.pos;
  if (offset >= level.end) throw new DecodeError("ERR_TRUNCATED", `group ${level.group} has no end`, offset, 1);
  const tag = reader.uint32();
  const number = tag >>> 3;
  const wire = tag & 7;
  if (number === 0) throw new DecodeError("ERR_INVALID_BYTE", "field number 0", offset);
  if (wire > 5) throw new DecodeError("ERR_INVALID_BYTE", `wire type ${wire} does not exist`, offset);
  const depth = levels.length;
  if (wire === 4) {
    if (level.group !== number)
      throw new DecodeError("ERR_INVALID_BYTE", `the end of group ${number}, which is not open`, offset);
    levels.pop();
    const end = { offset, end: reader.pos, depth: depth - 1, path: level.path, role: "value" } as const;
    yield { ...end, format: "end of group", meaning: "" };
    return;
  }
  const count = level.seen.get(number) ?? 0;
  level.seen.set(number, count + 1);
  const path = `${level.path}.${number}${count === 0 ? "" : `[${count}]`}`;
  // No spread of objects: it takes longer than all else.
  const item = (format: string, meaning: string): Diagnosis => {
    const end = reader.pos;
    return { offset, end, depth, path, role: "value", format, meaning };
  };
  if (wire === 3) {
    if (depth >= MAX_DEPTH) throw new DecodeError("ERR_LIMIT_DEPTH", `groups nested deeper than ${MAX_DEPTH}`, offset);
    yield item("group", "");
    levels.push({ path, end: level.end, group: number, seen: new Map() });
  } else if (wire === 2) yield* lengthField(reader, { path, depth, item, limit: level.end }, levels);
  else yield item(WIRE_TYPES[wire]!, scalar(reader, wire));
}

interface Place {
  readonly path: string;
  readonly depth: number;
  readonly limit: number;
  item(what: string, meaning: string): Diagnosis;
}

function* lengthField(
  reader: Reader,
  { path, depth, limit, item }: Place,
  levels: Level[],
): Generator<Diagnosis, void, undefined> {
  const length = reader.uint32();
  const start = reader.pos;
  if (length > limit - start)
    throw new DecodeError(
      "ERR_TRUNCATED",
      `a length of ${length}, but ${limit - start} bytes follow`,
      start,
      length - (limit - start),
    );
  const content = reader.buf.subarray(start, start + length);
  const guess = guessLength(content, depth < MAX_DEPTH);
  if (guess.kind === "message") {
    yield item("length", `${length} bytes, perhaps a message`);
    levels.push({ path, end: start + length, group: 0, seen: new Map() });
    return;
  }
  reader.pos = start + length;
  yield item("length", lengthText(guess, content));
}

function lengthText(guess: LengthGuess, content: Uint8Array): string {
  if (guess.kind === "empty") return "empty: text, bytes, a list or a message";
  if (guess.kind === "text") {
    const { text } = guess;
    const isLong = text.length > SHOWN_CHARACTERS;
    return `perhaps text: ${JSON.stringify(text.slice(0, SHOWN_CHARACTERS))}${isLong ? `.. (${content.length} bytes)` : ""}`;
  }
  const shown = `${content.length} bytes: ${toHex(content.subarray(0, SHOWN_BYTES))}${content.length > SHOWN_BYTES ? " .." : ""}`;
  return guess.kind === "numbers" ? `${shown}; perhaps packed numbers: ${guess.numbers.join(", ")}` : shown;
}

/** The value of a field of fixed size, or of a varint, in the types that it may have. */
function scalar(reader: Reader, wire: number): string {
  const at = reader.pos;
  if (wire === 0) {
    const value = reader.uint64() as bigint;
    const end = reader.pos;
    reader.pos = at;
    const zigzag = reader.sint64() as bigint;
    reader.pos = end;
    const signed = BigInt.asIntN(64, value);
    const others = [signed < 0n ? `int ${signed}` : "", `sint ${zigzag}`, value < 2n ? `bool ${value === 1n}` : ""];
    return `${value}, or ${others.filter((text) => text !== "").join(", ")}`;
  }
  const size = wire === 1 ? 8 : 4;
  const integer = wire === 1 ? (reader.fixed64() as bigint) : reader.fixed32();
  reader.pos = at;
  const float = wire === 1 ? reader.double() : reader.float();
  reader.pos = at + size;
  const signed = wire === 1 ? BigInt.asIntN(64, integer as bigint) : Number(integer) | 0;
  const isNegative = signed < 0;
  return `${wire === 1 ? "double" : "float"} ${float}, or fixed ${integer}${isNegative ? `, sfixed ${signed}` : ""}`;
}
