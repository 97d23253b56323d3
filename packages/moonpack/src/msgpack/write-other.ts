/**
 * Values that are neither plain objects nor plain arrays, and all values when an option (`canonical`, `fidelity:
 * "json"`) changes how even those are written.
 */
import { describe } from "../bytes/errors.js";
import { writeDeep } from "./deep-write.js";
import { type AnyExtension, Extension } from "./extension-table.js";
import { Failure } from "./failure.js";
import { Timestamp } from "./timestamp.js";
import { writeJson } from "./write-json.js";
import type { MessageWriter } from "./write.js";

const TIMESTAMP_TYPE = 0xff; // -1 as a byte
/** As in write.ts: deeper containers are written with a stack on the heap. */
const MAX_RECURSION = 512;

/** Writes a value of any type but string, number, boolean and null. */
export function writeOther(w: MessageWriter, value: unknown): void {
  if (w.settings.json) return writeJson(w, value);
  if (typeof value === "bigint") return writeBigInt(w, value);
  if (typeof value !== "object" || value === null) return writeUnsupported(w, value, `a value of type ${typeof value} has no MessagePack form`);
  const extension = extensionOf(w, value);
  if (extension !== undefined) {
    let data: unknown;
    try {
      data = extension.encode(value);
    } catch (cause) {
      throw Failure.from(cause, `encode of extension ${extension.type}`);
    }
    if (!(data instanceof Uint8Array)) {
      throw new Failure("ERR_USER_CODE", `encode of extension ${extension.type} answered ${describe(data)}, not a Uint8Array`);
    }
    return writeExtension(w, extension.type, data);
  }
  if (Array.isArray(value)) return w.array(value);
  if (isPlain(value)) return writeObject(w, value as Record<string, unknown>);
  if (ArrayBuffer.isView(value)) return writeView(w, value);
  if (value instanceof Map) return writeMap(w, value);
  const time = dateTime(value);
  if (time !== undefined) return writeDate(w, time);
  if (value instanceof Timestamp) return writeTimestamp(w, value.seconds, value.nanoseconds);
  if (value instanceof Extension) return writeExtension(w, value.type & 0xff, value.data);
  if (isArrayBuffer(value)) return writeView(w, value);
  const { toMessagePack } = value as { toMessagePack?: unknown };
  if (typeof toMessagePack === "function") return writeReplacement(w, value, toMessagePack as () => unknown);
  writeUnsupported(w, value, `${nameOf(value)} has no MessagePack form: register an extension or give it toMessagePack()`);
}

/** The definition of the value's class, or of the nearest class above it. */
export function extensionOf({ settings }: MessageWriter, value: object): AnyExtension | undefined {
  const { byPrototype } = settings.extensions;
  if (byPrototype.size === 0) return undefined;
  for (let p: object | null = Object.getPrototypeOf(value); p !== null; p = Object.getPrototypeOf(p)) {
    const entry = byPrototype.get(p);
    if (entry !== undefined) return entry;
  }
  return undefined;
}

function writeUnsupported(w: MessageWriter, value: unknown, message: string): void {
  if (w.settings.js?.write(w, value)) return;
  throw new Failure("ERR_UNSUPPORTED_TYPE", message);
}

function nameOf(value: object): string {
  const { constructor } = value as { constructor?: unknown };
  return typeof constructor === "function" && constructor.name !== "" ? `an instance of ${constructor.name}` : "this object";
}

/** Plain objects of this realm and of others: their prototype is a root, and looks like Object.prototype. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, "isPrototypeOf");
}

/** The time of a Date of any realm, undefined when it is none. Told by its internal slot, which nobody can fake. */
function dateTime(value: object): number | undefined {
  if (value instanceof Date || Object.prototype.toString.call(value) === "[object Date]") {
    try {
      return Date.prototype.getTime.call(value);
    } catch {
      return undefined;
    }
  }
  return undefined;
}

function isArrayBuffer(value: object): value is ArrayBuffer {
  const tag = Object.prototype.toString.call(value);
  return value instanceof ArrayBuffer || tag === "[object ArrayBuffer]" || tag === "[object SharedArrayBuffer]";
}

function writeReplacement(w: MessageWriter, value: object, toMessagePack: () => unknown): void {
  w.open(value); // an endless chain of replacements ends at maxDepth
  let replacement: unknown;
  try {
    replacement = toMessagePack.call(value);
  } catch (cause) {
    throw Failure.from(cause, "toMessagePack");
  }
  w.write(replacement);
  w.close();
}

/** The shortest integer form; bigint beyond 64 bits is `ERR_OUT_OF_RANGE`, unless the fidelity has a form for it. */
export function writeBigInt(w: MessageWriter, value: bigint): void {
  if (value >= -0x80000000n && value <= 0xffffffffn) return w.number(Number(value));
  const negative = value < 0n;
  if (value > 0xffffffffffffffffn || value < -0x8000000000000000n) {
    if (w.settings.js?.write(w, value)) return;
    throw new Failure("ERR_OUT_OF_RANGE", "a bigint beyond 64 bits has no MessagePack form");
  }
  w.bytes[w.pos] = negative ? 0xd3 : 0xcf;
  w.view.setBigUint64(w.pos + 1, BigInt.asUintN(64, value));
  w.pos += 9;
}

function writeView(w: MessageWriter, value: ArrayBufferView | ArrayBuffer): void {
  if (w.settings.js?.write(w, value)) return;
  writeBinary(w, ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value));
}

/** Bytes as bin8, bin16 or bin32. */
export function writeBinary(w: MessageWriter, data: Uint8Array): void {
  const n = data.length;
  w.room(n + 5);
  const { bytes, view, pos } = w;
  if (n < 0x100) {
    bytes[pos] = 0xc4;
    bytes[pos + 1] = n;
    w.pos = pos + 2;
  } else if (n < 0x10000) {
    bytes[pos] = 0xc5;
    view.setUint16(pos + 1, n);
    w.pos = pos + 3;
  } else {
    bytes[pos] = 0xc6;
    view.setUint32(pos + 1, n);
    w.pos = pos + 5;
  }
  bytes.set(data, w.pos);
  w.pos += n;
}

/** The header of an extension of `n` bytes. */
export function writeExtensionHeader(w: MessageWriter, type: number, n: number): void {
  w.room(6);
  const { bytes, view, pos } = w;
  if (n === 1 || n === 2 || n === 4 || n === 8 || n === 16) {
    bytes[pos] = 0xd4 + (31 - Math.clz32(n));
    w.pos = pos + 1;
  } else if (n < 0x100) {
    bytes[pos] = 0xc7;
    bytes[pos + 1] = n;
    w.pos = pos + 2;
  } else if (n < 0x10000) {
    bytes[pos] = 0xc8;
    view.setUint16(pos + 1, n);
    w.pos = pos + 3;
  } else {
    bytes[pos] = 0xc9;
    view.setUint32(pos + 1, n);
    w.pos = pos + 5;
  }
  bytes[w.pos++] = type;
}

export function writeExtension(w: MessageWriter, type: number, data: Uint8Array): void {
  writeExtensionHeader(w, type, data.length);
  w.room(data.length);
  w.bytes.set(data, w.pos);
  w.pos += data.length;
}

function writeDate(w: MessageWriter, ms: number): void {
  if (ms !== ms) throw new Failure("ERR_UNSUPPORTED_TYPE", "an invalid Date has no MessagePack form");
  const seconds = Math.floor(ms / 1000);
  writeTimestamp(w, seconds, (ms - seconds * 1000) * 1_000_000);
}

/** MessagePack specification, "Timestamp extension type": the shortest of 32, 64 and 96 bits. */
function writeTimestamp(w: MessageWriter, seconds: number | bigint, nanoseconds: number): void {
  const inUint34 = typeof seconds === "number" && seconds >= 0 && seconds < 0x400000000;
  if (inUint34 && nanoseconds === 0 && seconds <= 0xffffffff) {
    writeExtensionHeader(w, TIMESTAMP_TYPE, 4);
    w.view.setUint32(w.pos, seconds);
    w.pos += 4;
  } else if (inUint34) {
    writeExtensionHeader(w, TIMESTAMP_TYPE, 8);
    const high = Math.floor(seconds / 0x100000000);
    w.view.setUint32(w.pos, nanoseconds * 4 + high);
    w.view.setUint32(w.pos + 4, seconds - high * 0x100000000);
    w.pos += 8;
  } else {
    writeExtensionHeader(w, TIMESTAMP_TYPE, 12);
    w.view.setUint32(w.pos, nanoseconds);
    w.view.setBigInt64(w.pos + 4, BigInt(seconds));
    w.pos += 12;
  }
}

function writeObject(w: MessageWriter, value: Record<string, unknown>): void {
  if (w.settings.canonical) writeSorted(w, value, entriesOf(value, w.settings.js === null));
  else w.object(value);
}

/**
 * Own enumerable string keys and their values, undefined ones left out if wanted. Object.keys knows own keys only, so
 * what somebody put on Object.prototype stays out.
 */
export function entriesOf(object: Record<string, unknown>, dropsUndefined: boolean): [string, unknown][] {
  const entries: [string, unknown][] = [];
  let key = "";
  try {
    for (key of Object.keys(object)) {
      const value = object[key];
      if (value !== undefined || !dropsUndefined) entries.push([key, value]);
    }
  } catch (error) {
    throw Failure.at(error, key, object);
  }
  return entries;
}

function writeMap(w: MessageWriter, map: ReadonlyMap<unknown, unknown>): void {
  if (w.settings.js?.write(w, map)) return;
  if (w.depth >= MAX_RECURSION) return writeDeep(w, map);
  // Gathered first: user code that runs while entries are written may change the Map, but not the count written.
  const entries = [...map];
  if (w.settings.canonical) return writeSorted(w, map, entries);
  w.open(map);
  w.mapHeader(entries.length);
  let i = 0;
  try {
    for (; i < entries.length; i++) {
      w.write(entries[i]![0]);
      w.write(entries[i]![1]);
    }
  } catch (error) {
    throw Failure.at(error, entries[i]![0], map);
  }
  w.close();
}

/**
 * `canonical`: pairs in the order of their keys' bytes, as unsigned numbers; two keys of the same bytes are refused.
 * `writeValue` writes a value where that is not simply `w.write`.
 */
export function writeSorted(
  w: MessageWriter,
  holder: object,
  entries: readonly (readonly [unknown, unknown])[],
  writeValue: (w: MessageWriter, value: unknown) => void = (writer, value) => writer.write(value),
): void {
  w.open(holder);
  w.mapHeader(entries.length);
  const start = w.pos;
  let key: unknown;
  try {
    const sorted = entries.map(([entryKey, value]) => {
      key = entryKey;
      w.pos = start;
      w.write(key);
      return { bytes: w.bytes.slice(start, w.pos), key, value };
    });
    sorted.sort((a, b) => compareBytes(a.bytes, b.bytes));
    w.pos = start;
    for (let i = 0; i < sorted.length; i++) {
      const { bytes, value } = sorted[i]!;
      key = sorted[i]!.key;
      if (i > 0 && compareBytes(bytes, sorted[i - 1]!.bytes) === 0) {
        throw new Failure("ERR_DUPLICATE_KEY", "two keys have the same bytes");
      }
      w.room(bytes.length);
      w.bytes.set(bytes, w.pos);
      w.pos += bytes.length;
      writeValue(w, value);
    }
  } catch (error) {
    throw Failure.at(error, key, holder);
  }
  w.close();
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}
