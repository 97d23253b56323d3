/** An annotated dump of MessagePack bytes, for people who look at a message, valid or not. Not a hot path. */

import { readUtf8 } from "#platform";
import { refuseNames } from "#runtime";
import { DecodeError, pathStep } from "../bytes/errors.js";
import { type BytesInput, toBytes } from "../bytes/input.js";
import { DEPTH_RULE } from "../bytes/limits.js";
import { readOptions } from "../bytes/options.js";
import { Extension } from "./extension-table.js";
import { Extensions } from "./extensions.js";
import { decoderSettings } from "./options.js";
import { BaseReader, viewOf } from "./read/base.js";
import { nameOf, widthOf } from "./read/formats.js";
import { Timestamp } from "./timestamp.js";

/** One item of a dump. */
export interface Diagnosis {
  /** First byte of the item. */
  readonly offset: number;
  /** Offset after its last byte. For an array or map: after its header; its items are separate entries. */
  readonly end: number;
  /** Containers around it. */
  readonly depth: number;
  /** Its path in the value, `$.a[3]`; a key has the path of its map. */
  readonly path: string;
  /** Its role in its container. */
  readonly role: "value" | "key";
  /** The format's name in the specification: `fixmap`, `uint 16`, `str 8`, `timestamp 64`, ..; `broken` for invalid bytes. */
  readonly format: string;
  /** Its value for a reader: `map of 3`, `"name"`, `1.5`. Long text and data are shortened. */
  readonly meaning: string;
  /** Its error. Malformed UTF-8 does not end the dump; any other error is in its last entry. */
  readonly error?: DecodeError;
}

/** Options of {@link diagnose}. */
export interface DiagnoseOptions {
  /** The input is any number of consecutive values; otherwise bytes after the first value are an error. Default false. */
  readonly sequence?: boolean;
  /** Maximum number of nested open containers, 1 to 4,096. Default 512. */
  readonly maxDepth?: number;
}

/** An open container. */
interface Container {
  readonly path: string;
  readonly isMap: boolean;
  /** Items that its header declares; a pair counts two. */
  readonly count: number;
  /** Items still to come. */
  left: number;
  /** Path of the value that belongs to the last key. */
  valuePath: string;
}

/** A container's header. */
class Header {
  readonly isMap: boolean;
  /** Elements or pairs. */
  readonly n: number;
  constructor(isMap: boolean, n: number) {
    this.isMap = isMap;
    this.n = n;
  }
}

/** A described item. `step`: the step to its value in a path, if it is a key. */
interface Item {
  readonly format: string;
  readonly meaning: string;
  readonly step: string;
  readonly error?: DecodeError;
}

/** Reads item by item: of a container only the header, without checks of its items; accepts malformed text. */
class ItemReader extends BaseReader {
  /** Bytes of the last string. */
  size = 0;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    const options = { utf8: "replace", timestamps: "timestamp", binary: "view", unknownExtensions: "keep" } as const;
    super(decoderSettings({ ...options, extensions: new Extensions() }, null), false);
    this.src = bytes;
    this.view = viewOf(bytes);
  }

  override readArray(n: number, start: number, header: number): Header {
    this.pos = start + header;
    return new Header(false, n);
  }

  override readMap(n: number, start: number, header: number): Header {
    this.pos = start + header;
    return new Header(true, n);
  }

  override readString(n: number, start: number, header: number): unknown {
    this.size = n;
    return super.readString(n, start, header);
  }

  /** Returns the next item's value; a {@link Header} for a container. */
  readItem(): unknown {
    const { src, pos } = this;
    this.end = src.length; // the caller may have transferred the bytes
    try {
      return this.read();
    } catch (error) {
      if (this.pos === pos) throw error;
      // All its bytes were read, so it is an invalid timestamp.
      return new Extension(-1, src.subarray(dataOf(src[pos]!, pos), this.pos));
    }
  }
}

const RULES = { sequence: [false, true], maxDepth: DEPTH_RULE } as const;
const SHOWN_CHARACTERS = 64;
const SHOWN_BYTES = 16;

/**
 * Describes the bytes item by item. Invalid bytes do not throw: the dump ends with an entry that has the error. Takes linear time
 * and no recursion. Throws `ERR_INVALID_ARGUMENT` for an invalid input or option.
 *
 * @example
 * for (const item of diagnose(new Uint8Array([0x81, 0xa1, 0x61, 0x01]))) console.log(item.path, item.format, item.meaning);
 * // $ fixmap map of 1 / $ fixstr "a" / $.a positive fixint 1
 */
export function* diagnose(input: BytesInput, options?: DiagnoseOptions): Generator<Diagnosis, void, undefined> {
  const { sequence, maxDepth } = readOptions(RULES, options) as unknown as Required<DiagnoseOptions>;
  refuseNames(options ?? {}, Object.keys(RULES));
  const bytes = toBytes(input);
  const reader = new ItemReader(bytes);
  const open: Container[] = [];
  const broken = (error: DecodeError) => ({ end: bytes.length, format: "broken", meaning: error.message, error });
  let message = 0;
  do {
    const container = open.at(-1);
    const offset = reader.pos;
    const role = container?.isMap && container.left % 2 === 0 ? "key" : "value";
    const path = container === undefined ? (sequence ? `$${pathStep(message)}` : "$") : pathIn(container, role);
    const depth = open.length;
    let value: unknown;
    try {
      value = reader.readItem();
      if (value instanceof Header && open.length >= maxDepth) {
        throw new DecodeError("ERR_LIMIT_DEPTH", `nested deeper than maxDepth (${maxDepth})`, offset);
      }
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return yield { offset, depth, path, role, ...broken(error) };
    }
    const { format, meaning, step, error } = describeItem(reader, offset, value);
    // No spread: the playground dumps files of 50 MB, and spreads take eight times the time of the rest.
    const item: Diagnosis = { offset, end: reader.pos, depth, path, role, format, meaning };
    yield error === undefined ? item : { ...item, error };
    if (container !== undefined) {
      container.left--;
      if (role === "key") container.valuePath = path + step;
    }
    if (value instanceof Header) {
      const count = value.isMap ? 2 * value.n : value.n;
      open.push({ path, isMap: value.isMap, count, left: count, valuePath: path });
    }
    while (open.at(-1)?.left === 0) open.pop();
    if (open.length === 0) message++;
  } while (open.length > 0 || (sequence && reader.pos < bytes.length));
  const offset = reader.pos;
  const rest = bytes.length - offset;
  if (rest > 0) {
    const error = new DecodeError(
      "ERR_TRAILING_BYTES",
      rest === 1 ? "a byte after the value" : `${rest} bytes after the value`,
      offset,
    );
    yield { offset, depth: 0, path: "$", role: "value", ...broken(error) };
  }
}

function pathIn(container: Container, role: "key" | "value"): string {
  if (!container.isMap) return container.path + pathStep(container.count - container.left);
  return role === "key" ? container.path : container.valuePath;
}

/** Describes the item that was read at `offset`; the reader is at its end. */
function describeItem(r: ItemReader, offset: number, value: unknown): Item {
  const token = r.src[offset]!;
  const format = nameOf(token);
  if (value instanceof Header) {
    const { isMap, n } = value;
    return { format, meaning: `${isMap ? "map" : "array"} of ${n}`, step: isMap ? "[{..}]" : "[[..]]" };
  }
  if (typeof value === "string") return describeText(r, offset, format, value);
  if (value instanceof Uint8Array) {
    return { format, meaning: `${value.length} bytes: ${hex(value)}`, step: "[bytes]" };
  }
  if (value instanceof Extension) {
    const { type, data } = value;
    const step = `extension ${type}`;
    return { format, meaning: `${step} of ${data.length} bytes: ${hex(data)}`, step: `[${step}]` };
  }
  if (value instanceof Timestamp) {
    const meaning = timeText(value);
    return { format: `timestamp ${8 * (r.pos - dataOf(token, offset))}`, meaning, step: `[${meaning}]` };
  }
  const meaning = value === null ? "nil" : Object.is(value, -0) ? "-0" : String(value);
  return { format, meaning, step: `[${meaning}]` };
}

/** The position of the data of the extension at `offset`: after its length, if it has one, and its type. */
function dataOf(token: number, offset: number): number {
  return offset + 2 + widthOf(token);
}

function describeText(r: ItemReader, offset: number, format: string, text: string): Item {
  // JSON shows control characters and quotes. A pair of surrogates is not separated.
  const isLong = text.length > SHOWN_CHARACTERS;
  const cut = (text.charCodeAt(SHOWN_CHARACTERS - 1) & 0xfc00) === 0xd800 ? SHOWN_CHARACTERS - 1 : SHOWN_CHARACTERS;
  const shown = isLong ? text.slice(0, cut) : text;
  const item = {
    format,
    meaning: JSON.stringify(shown) + (isLong ? `.. (${r.size} bytes)` : ""),
    step: pathStep(isLong ? `${shown}..` : shown),
  };
  if (readUtf8(r.src, r.view, r.pos - r.size, r.pos) !== null) return item;
  return { ...item, error: new DecodeError("ERR_INVALID_UTF8", "malformed UTF-8", offset) };
}

function hex(bytes: Uint8Array): string {
  const shown = Array.from(bytes.subarray(0, SHOWN_BYTES), (byte) => byte.toString(16).padStart(2, "0"));
  return shown.join(" ") + (bytes.length > SHOWN_BYTES ? " .." : "");
}

function timeText(time: Timestamp): string {
  const { seconds, nanoseconds } = time;
  const date = time.toDate();
  const shown = Number.isNaN(date.getTime()) ? `${seconds} s` : date.toISOString().slice(0, -5);
  return `${shown}${nanoseconds > 0 ? `.${String(nanoseconds).padStart(9, "0")}` : ""}Z`;
}
