/** Writes the values that are not plain objects, plain arrays or primitives of JSON. */
import { isInstance } from "../../bytes/brand.js";
import { describe } from "../../bytes/errors.js";
import { Failure } from "../../bytes/failure.js";
import { type AnyExtension, EXTENSION_RULE, Extension, extensionOf, isExtension } from "../extension-table.js";
import { isTime, secondsOf, TIMESTAMP_RULE, Timestamp } from "../timestamp.js";
import { classNameOf, dateTime, isBuffer, replacerOf } from "./classify.js";
import { writeExtension, writeExtensionHeader } from "./extension.js";
import { detached, unsupported } from "./failure.js";
import type { WriterState } from "./writer-state.js";

const TIMESTAMP_TYPE = 0xff; // -1 as a byte

/** Writes a value that message.ts does not write itself. */
export function writeOther(w: WriterState, value: unknown): void {
  const { json, js, extensions } = w.settings;
  if (typeof value === "bigint") return writeBigInt(w, value);
  if (typeof value !== "object" || value === null) {
    if (w.container(value)) return;
    throw unsupported(`a value of type ${typeof value}`);
  }
  if (json) return void w.container(value);
  const extension = extensionOf(extensions, value);
  if (extension !== undefined) return writeRegistered(w, extension, value);
  if (ArrayBuffer.isView(value) && (js === null || value instanceof Uint8Array)) return writeBinary(w, value);
  const time = dateTime(value);
  if (time !== undefined) return writeDate(w, time);
  if ("nanoseconds" in value && value instanceof Timestamp) return writeTimestampValue(w, value);
  if ("data" in value && isInstance(Extension, value)) return writeExtensionValue(w, value as Extension);
  if (js === null && isBuffer(value)) return writeBinary(w, value);
  const replacer = replacerOf(value);
  if (replacer !== undefined) return writeReplacement(w, value, replacer);
  if (w.container(value)) return;
  throw unsupported(classNameOf(value), `: see fidelity: "js", extensions, toMessagePack`);
}

/** Writes an instance of a registered class. */
function writeRegistered(w: WriterState, { type, encode }: AnyExtension, value: object): void {
  if (w.settings.js?.owns(type)) {
    throw new Failure("ERR_UNSUPPORTED_TYPE", `extension type ${type} belongs to fidelity "js"`);
  }
  const what = `encode of extension ${type}`;
  let data: unknown;
  try {
    data = encode(value);
  } catch (cause) {
    throw Failure.from(cause, what);
  }
  if (data instanceof Uint8Array) return writeExtension(w, type, data);
  throw new Failure("ERR_USER_CODE", `${what} returned ${describe(data)}, not a Uint8Array`);
}

/** Writes the result of `toMessagePack`. It opens a level, so that an endless chain of replacements ends at maxDepth. */
function writeReplacement(w: WriterState, value: object, toMessagePack: () => unknown): void {
  w.open(value);
  let replacement: unknown;
  try {
    replacement = toMessagePack.call(value);
  } catch (cause) {
    throw Failure.from(cause, "toMessagePack");
  }
  try {
    w.write(replacement);
  } catch (error) {
    throw w.fromReplacement(error, replacement);
  }
  w.close();
}

/** Writes the shortest integer form. Beyond 64 bits: `ERR_OUT_OF_RANGE`, unless `fidelity: "js"` has a form for it. */
function writeBigInt(w: WriterState, value: bigint): void {
  if (value >= -0x80000000n && value <= 0xffffffffn) return w.number(Number(value));
  if (value > 0xffffffffffffffffn || value < -0x8000000000000000n) {
    if (w.container(value)) return;
    throw new Failure("ERR_OUT_OF_RANGE", "a bigint beyond 64 bits has no MessagePack form");
  }
  w.bytes[w.pos] = value < 0n ? 0xd3 : 0xcf;
  w.view.setBigUint64(w.pos + 1, BigInt.asUintN(64, value));
  w.pos += 9;
}

/** Writes the bytes of a view or buffer as bin 8, bin 16 or bin 32. */
function writeBinary(w: WriterState, value: ArrayBufferView | ArrayBuffer): void {
  let data: Uint8Array;
  try {
    data = ArrayBuffer.isView(value)
      ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
      : new Uint8Array(value);
  } catch (cause) {
    throw detached(cause);
  }
  w.length(0xc4, data.length);
  w.raw(data);
}

/**
 * Writes an Extension. Its fields are checked again: they may have changed, and a subclass may override them. An Extension without a type
 * is a Raw (pick/raw.ts): a whole item.
 */
function writeExtensionValue(w: WriterState, { type, data }: Extension): void {
  if ((type as unknown) === null && data instanceof Uint8Array) return w.raw(data);
  if (!isExtension(type, data)) throw new Failure("ERR_OUT_OF_RANGE", EXTENSION_RULE);
  writeExtension(w, type & 0xff, data);
}

function writeDate(w: WriterState, ms: number): void {
  if (Number.isNaN(ms)) throw unsupported("an invalid Date");
  const seconds = Math.floor(ms / 1000);
  writeTimestamp(w, seconds, (ms - seconds * 1000) * 1_000_000);
}

/** Writes a Timestamp. Its fields are checked again, as for an Extension. */
function writeTimestampValue(w: WriterState, { seconds, nanoseconds }: Timestamp): void {
  if (!isTime(seconds, nanoseconds)) throw new Failure("ERR_OUT_OF_RANGE", TIMESTAMP_RULE);
  writeTimestamp(w, secondsOf(seconds), nanoseconds);
}

/** Writes the shortest of the forms in 32, 64 and 96 bits (MessagePack specification, "Timestamp extension type"). */
function writeTimestamp(w: WriterState, seconds: number | bigint, nanoseconds: number): void {
  const inUint34 = typeof seconds === "number" && seconds >= 0 && seconds < 0x400000000;
  const size = !inUint34 ? 12 : nanoseconds === 0 && seconds <= 0xffffffff ? 4 : 8;
  writeExtensionHeader(w, TIMESTAMP_TYPE, size);
  const { view, pos } = w;
  if (size === 12) {
    view.setUint32(pos, nanoseconds);
    view.setBigInt64(pos + 4, BigInt(seconds));
  } else {
    const high = Math.floor((seconds as number) / 0x100000000);
    if (size === 8) view.setUint32(pos, nanoseconds * 4 + high);
    view.setUint32(pos + size - 4, (seconds as number) - high * 0x100000000);
  }
  w.pos = pos + size;
}
