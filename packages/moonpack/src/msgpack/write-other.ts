/** Values that are neither plain objects nor plain arrays. */
import { describe } from "../bytes/errors.js";
import { type AnyExtension, Extension } from "./extension-table.js";
import { Failure, PAUSE } from "./failure.js";
import { Timestamp } from "./timestamp.js";
import type { MessageWriter } from "./write.js";
import { writeLevels } from "./write-levels.js";

const TIMESTAMP_TYPE = 0xff; // -1 as a byte

/** Writes a value that is no string, number, boolean or null, nor an object or array that write.ts takes for plain. */
export function writeOther(w: MessageWriter, value: unknown): void {
  const { json, js } = w.settings;
  if (typeof value === "bigint") return writeBigInt(w, value);
  if (typeof value !== "object" || value === null) {
    if (writeLevels(w, value)) return;
    throw new Failure("ERR_UNSUPPORTED_TYPE", `a value of type ${typeof value} has no MessagePack form`);
  }
  if (json) return void writeLevels(w, value);
  const extension = extensionOf(w, value);
  if (extension !== undefined) return writeRegistered(w, extension, value);
  if (ArrayBuffer.isView(value) && (js === null || value instanceof Uint8Array)) return writeBinary(w, bytesOf(value));
  const time = dateTime(value);
  if (time !== undefined) return writeDate(w, time);
  if (value instanceof Timestamp) return writeTimestamp(w, value.seconds, value.nanoseconds);
  if (value instanceof Extension) return writeExtension(w, value.type & 0xff, value.data);
  if (js === null && /^\[object (Shared)?ArrayBuffer]$/.test(Object.prototype.toString.call(value))) {
    return writeBinary(w, bytesOf(value as ArrayBuffer));
  }
  const replacer = replacerOf(value);
  if (replacer !== undefined) return writeReplacement(w, value, replacer);
  if (writeLevels(w, value)) return;
  throw new Failure(
    "ERR_UNSUPPORTED_TYPE",
    `${nameOf(value)} has no MessagePack form: register an extension or give it toMessagePack()`,
  );
}

function writeRegistered(w: MessageWriter, extension: AnyExtension, value: object): void {
  let data: unknown;
  try {
    data = extension.encode(value);
  } catch (cause) {
    throw Failure.from(cause, `encode of extension ${extension.type}`);
  }
  if (data instanceof Uint8Array) return writeExtension(w, extension.type, data);
  throw new Failure(
    "ERR_USER_CODE",
    `encode of extension ${extension.type} answered ${describe(data)}, not a Uint8Array`,
  );
}

/** The bytes of a view or buffer; one that lost its memory is the value's fault. */
function bytesOf(value: ArrayBufferView | ArrayBuffer): Uint8Array {
  try {
    return ArrayBuffer.isView(value)
      ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
      : new Uint8Array(value);
  } catch (cause) {
    throw new Failure("ERR_UNSUPPORTED_TYPE", "a detached buffer has no bytes", cause);
  }
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

function nameOf(value: object): string {
  const { constructor: owner } = value as { constructor?: unknown };
  return typeof owner === "function" && owner.name !== "" ? `an instance of ${owner.name}` : "this object";
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

/** The value's toMessagePack, which instances of classes are asked for; plain objects hold data, under whatever name. */
export function replacerOf(value: object): (() => unknown) | undefined {
  if (isPlain(value)) return undefined;
  const { toMessagePack } = value as { toMessagePack?: unknown };
  const isInherited = toMessagePack === (Object.prototype as { toMessagePack?: unknown }).toMessagePack;
  return typeof toMessagePack === "function" && !isInherited ? (toMessagePack as () => unknown) : undefined;
}

function writeReplacement(w: MessageWriter, value: object, toMessagePack: () => unknown): void {
  w.open(value); // an endless chain of replacements ends at maxDepth
  let replacement: unknown;
  try {
    replacement = toMessagePack.call(value);
  } catch (cause) {
    throw Failure.from(cause, "toMessagePack");
  }
  try {
    w.write(replacement);
  } catch (error) {
    throw error === PAUSE ? w.pausing!.replacement(replacement) : error;
  }
  w.close();
}

/** The shortest integer form; bigint beyond 64 bits is `ERR_OUT_OF_RANGE`, unless the fidelity has a form for it. */
function writeBigInt(w: MessageWriter, value: bigint): void {
  if (value >= -0x80000000n && value <= 0xffffffffn) return w.number(Number(value));
  const negative = value < 0n;
  if (value > 0xffffffffffffffffn || value < -0x8000000000000000n) {
    if (writeLevels(w, value)) return;
    throw new Failure("ERR_OUT_OF_RANGE", "a bigint beyond 64 bits has no MessagePack form");
  }
  w.bytes[w.pos] = negative ? 0xd3 : 0xcf;
  w.view.setBigUint64(w.pos + 1, BigInt.asUintN(64, value));
  w.pos += 9;
}

/** Bytes as bin8, bin16 or bin32. */
function writeBinary(w: MessageWriter, data: Uint8Array): void {
  w.length(0xc4, data.length);
  w.raw(data);
}

/** The header of an extension of `n` bytes. */
export function writeExtensionHeader(w: MessageWriter, type: number, n: number): void {
  w.room(6);
  if (n === 1 || n === 2 || n === 4 || n === 8 || n === 16) w.bytes[w.pos++] = 0xd4 + (31 - Math.clz32(n));
  else w.length(0xc7, n);
  w.bytes[w.pos++] = type;
}

/** A whole extension. */
export function writeExtension(w: MessageWriter, type: number, data: Uint8Array): void {
  writeExtensionHeader(w, type, data.length);
  w.raw(data);
}

function writeDate(w: MessageWriter, ms: number): void {
  if (Number.isNaN(ms)) throw new Failure("ERR_UNSUPPORTED_TYPE", "an invalid Date has no MessagePack form");
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
