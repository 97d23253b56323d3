import { ByteWriter, EncodeError, Failure, isStackOverflow, lengthOf, toWellFormed, writeUtf8 } from "moonpack/bytes";
import { fixextOf, textHeader } from "moonpack/msgpack/formats";
import type { ExtData } from "./extensions.js";
import type { CheckedEncoderOptions } from "./options.js";
import { encodeTimestampExtension, INVALID_DATE } from "./timestamp.js";

const objectPrototype = Object.prototype;
const MARGIN = 16;

/** Classes whose content is not in properties. The original writes their properties and so loses the content. */
const OPAQUE = [Map, Set, WeakMap, WeakSet, Promise, RegExp, Number, String, Boolean];

/**
 * Writes values by the rules of the original: nil for undefined, floats in 8 bytes unless an option changes that, instances of
 * classes by their properties. Its own errors are {@link Failure}s, which collect the path as they propagate. Errors of the
 * caller's code (getters, extension codecs) propagate unchanged.
 */
export class ValueWriter extends ByteWriter {
  readonly #settings: CheckedEncoderOptions;

  constructor(settings: CheckedEncoderOptions) {
    super(Math.max(MARGIN, settings.initialBufferSize));
    this.#settings = settings;
  }

  /** Writes one value from position 0. */
  message(value: unknown): void {
    this.reset();
    try {
      this.#write(value, 1);
    } catch (error) {
      // Recursion ends at maxDepth, or at the end of the call stack if the caller has raised maxDepth beyond it.
      const isOverflow = isStackOverflow(error);
      throw error instanceof Failure || isOverflow ? Failure.from(error).toError() : error;
    }
  }

  #write(value: unknown, depth: number): void {
    const settings = this.#settings;
    if (depth > settings.maxDepth) {
      throw new Failure(
        "ERR_LIMIT_DEPTH",
        `Too deep objects in depth ${depth}: maxDepth is ${settings.maxDepth}, or the value contains itself`,
      );
    }
    if (typeof value === "string") this.#string(value);
    else if (typeof value === "number") this.#number(value);
    else if (typeof value === "boolean") this.u8(value ? 0xc3 : 0xc2);
    else if (value === undefined || value === null) this.u8(0xc0);
    else if (typeof value === "bigint" && settings.useBigInt64) this.#bigint(value);
    else this.#object(value, depth);
  }

  #number(value: number): void {
    const { forceIntegerToFloat, useBigInt64 } = this.#settings;
    if (forceIntegerToFloat || !Number.isSafeInteger(value)) {
      this.#float(value);
      return;
    }
    this.reserve(MARGIN);
    const { bytes, view, pos } = this;
    if (value >= -0x20 && value < 0x80) {
      bytes[pos] = value;
      this.pos = pos + 1;
    } else if (value >= -0x80 && value < 0x100) {
      bytes[pos] = value < 0 ? 0xd0 : 0xcc;
      bytes[pos + 1] = value;
      this.pos = pos + 2;
    } else if (value >= -0x8000 && value < 0x10000) {
      bytes[pos] = value < 0 ? 0xd1 : 0xcd;
      view.setInt16(pos + 1, value);
      this.pos = pos + 3;
    } else if (value >= -0x80000000 && value < 0x100000000) {
      bytes[pos] = value < 0 ? 0xd2 : 0xce;
      view.setInt32(pos + 1, value);
      this.pos = pos + 5;
    } else if (useBigInt64) this.#float(value);
    else {
      const high = Math.floor(value / 0x100000000);
      bytes[pos] = value < 0 ? 0xd3 : 0xcf;
      view.setInt32(pos + 1, high);
      view.setUint32(pos + 5, value - high * 0x100000000);
      this.pos = pos + 9;
    }
  }

  #float(value: number): void {
    this.reserve(MARGIN);
    if (this.#settings.forceFloat32) {
      this.bytes[this.pos] = 0xca;
      this.view.setFloat32(this.pos + 1, value);
      this.pos += 5;
    } else {
      this.bytes[this.pos] = 0xcb;
      this.view.setFloat64(this.pos + 1, value);
      this.pos += 9;
    }
  }

  #bigint(value: bigint): void {
    if (value > 0xffffffffffffffffn || value < -0x8000000000000000n) {
      throw new Failure("ERR_OUT_OF_RANGE", "a bigint beyond 64 bits has no MessagePack form");
    }
    this.reserve(MARGIN);
    this.bytes[this.pos] = value >= 0n ? 0xcf : 0xd3;
    this.view.setBigUint64(this.pos + 1, BigInt.asUintN(64, value));
    this.pos += 9;
  }

  #string(text: string): void {
    const { length } = text;
    this.reserve(length * 3 + 5);
    const start = this.pos;
    // Reserves the header for one byte per character; the text is moved if the header has another size.
    const guess = textHeader(length);
    const end = writeUtf8(this.bytes, start + guess, text);
    if (end < 0) {
      this.#string(toWellFormed(text));
      return;
    }
    const n = end - start - guess;
    const header = textHeader(n);
    if (header !== guess) this.bytes.copyWithin(start + header, start + guess, end);
    if (header === 1) this.bytes[this.pos++] = 0xa0 + n;
    else this.#length(0xd9, n);
    this.pos = start + header + n;
  }

  /** Writes a token and a length: `token` for lengths below 2^8, `token + 1` below 2^16, `token + 2` below 2^32. */
  #length(token: number, n: number): void {
    if (n < 0x100) {
      this.u8(token);
      this.u8(n);
    } else this.#count(token + 1, n);
  }

  /** Writes a token and a length: `token` for lengths below 2^16, `token + 1` below 2^32. */
  #count(token: number, n: number): void {
    if (n < 0x10000) {
      this.u8(token);
      this.u16(n);
    } else if (n <= 0xffffffff) {
      this.u8(token + 1);
      this.u32(n);
    } else throw new Failure("ERR_LIMIT_BYTES", `${n} bytes or elements: MessagePack allows 4294967295`);
  }

  #object(value: unknown, depth: number): void {
    const { extensionCodec, context } = this.#settings;
    let extension: ExtData | null;
    try {
      extension = extensionCodec.tryToEncode(value, context);
    } catch (error) {
      // The path is known only here.
      throw error instanceof EncodeError && isInvalidDate(value) ? new Failure(error.code, INVALID_DATE, error) : error;
    }
    if (extension !== null && extension !== undefined) this.#extension(extension);
    else if (Array.isArray(value)) this.#array(value as readonly unknown[], depth);
    else if (ArrayBuffer.isView(value)) {
      this.#binary(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    } else if (typeof value === "object" && value !== null) this.#map(value as Record<string, unknown>, depth);
    else throw new Failure("ERR_UNSUPPORTED_TYPE", `Unrecognized object: ${objectPrototype.toString.call(value)}`);
  }

  #binary(data: Uint8Array): void {
    this.#length(0xc4, data.length);
    this.raw(data);
  }

  #array(array: readonly unknown[], depth: number): void {
    const { length } = array;
    if (length >>> 0 !== length) throw new Failure("ERR_OUT_OF_RANGE", "an array's length is not a uint32");
    if (length < 16) this.u8(0x90 | length);
    else this.#count(0xdc, length);
    let i = 0;
    try {
      // As many elements as the header declares, even if a getter changes the array.
      for (; i < length; i++) this.#write(array[i], depth + 1);
    } catch (error) {
      throw located(error, i, array);
    }
  }

  #map(object: Record<string, unknown>, depth: number): void {
    const prototype: unknown = Object.getPrototypeOf(object);
    if (prototype !== objectPrototype && prototype !== null && this.#special(object)) return;
    const { sortKeys, ignoreUndefined } = this.#settings;
    let keys = Object.keys(object);
    if (sortKeys) keys.sort();
    let values: unknown[] | null = null;
    if (ignoreUndefined) {
      // Each property is read once, so that the count matches the values written.
      const all = keys.map((key) => object[key]);
      keys = keys.filter((_, i) => all[i] !== undefined);
      values = all.filter((value) => value !== undefined);
    }
    const { length } = keys;
    if (length < 16) this.u8(0x80 | length);
    else this.#count(0xde, length);
    let i = 0;
    try {
      for (; i < length; i++) {
        this.#string(keys[i]!);
        this.#write(values === null ? object[keys[i]!] : values[i], depth + 1);
      }
    } catch (error) {
      throw located(error, keys[i], object);
    }
  }

  /** Handles objects that the original writes as `{}`: writes those with a MessagePack form, throws for others. */
  #special(object: object): boolean {
    const tag = objectPrototype.toString.call(object);
    if (tag === "[object Date]" && isDate(object)) {
      this.#data(-1, encodeTimestampExtension(new Date(Date.prototype.getTime.call(object)))!);
      return true;
    }
    if (tag === "[object ArrayBuffer]" || tag === "[object SharedArrayBuffer]") {
      this.#binary(new Uint8Array(object as ArrayBuffer));
      return true;
    }
    for (const owner of OPAQUE) {
      if (object instanceof owner) {
        throw new Failure(
          "ERR_UNSUPPORTED_TYPE",
          `${owner.name} has no MessagePack form: register an extension for it`,
        );
      }
    }
    return false;
  }

  #extension(extension: ExtData): void {
    const { type, data } = extension;
    if (!Number.isInteger(type) || type < -128 || type > 127) {
      throw new Failure("ERR_OUT_OF_RANGE", "an extension type must be an integer from -128 to 127");
    }
    if (typeof data !== "function") {
      this.#data(type, extensionBytes(data));
      return;
    }
    // The offset of the data must be known before their size, so the header is always the longest one.
    const made = extensionBytes(data(this.pos + 6));
    this.u8(0xc9);
    this.u32(lengthOf(made));
    this.u8(type);
    this.raw(made);
  }

  #data(type: number, data: Uint8Array): void {
    const n = lengthOf(data);
    const fixext = fixextOf(n);
    if (fixext > 0) this.u8(fixext);
    else this.#length(0xc7, n);
    this.u8(type);
    this.raw(data);
  }
}

function located(error: unknown, key: unknown, holder: object): unknown {
  return error instanceof Failure ? Failure.at(error, key, holder) : error;
}

function isInvalidDate(value: unknown): boolean {
  return value instanceof Date && Number.isNaN(value.getTime());
}

/** True for a Date of another realm, for which the `instanceof` of the extension codec is false. */
function isDate(object: object): boolean {
  try {
    Date.prototype.getTime.call(object);
    return !(object instanceof Date);
  } catch {
    return false;
  }
}

function extensionBytes(data: unknown): Uint8Array {
  if (data instanceof Uint8Array) return data;
  if (Array.isArray(data)) return Uint8Array.from(data as number[]);
  throw new Failure("ERR_UNSUPPORTED_TYPE", "the data of an extension must be a Uint8Array");
}
