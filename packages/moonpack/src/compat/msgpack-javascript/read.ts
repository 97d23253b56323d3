import { readUtf8, readUtf8Lossy } from "#utf8";
import { invalidArgument } from "../../bytes/errors.js";
import { toBytes } from "../../bytes/input.js";
import { KeyCache } from "../../msgpack/keys.js";
import { setOwn } from "../../msgpack/objects.js";
import { cutShort, DecodeError } from "./errors.js";
import type { DecoderSettings } from "./options.js";

/** What decoders take. */
export type DecoderInput = ArrayLike<number> | ArrayBufferView | ArrayBufferLike;

/** Answered by `#item` when it has opened a container instead of reading a value. */
const OPENED = Symbol("opened");

// One for all decoders, as in the original: keys recur from message to message. Made at its first use.
let sharedKeys: KeyCache | undefined;

/** An open container. */
class Level {
  readonly object: Record<string, unknown> | null;
  readonly array: unknown[] | null;
  /** Elements or pairs still to come, the one being read included. */
  left: number;
  /** Of a map: the key whose value is read next. */
  key = "";
  isKeyNext: boolean;
  /** Where its header begins. */
  readonly start: number;
  constructor(isMap: boolean, left: number, start: number) {
    this.object = isMap ? {} : null;
    this.array = isMap ? null : [];
    this.left = left;
    this.isKeyNext = isMap;
    this.start = start;
  }
}

/**
 * Reads the values of one input. Open containers wait on a stack on the heap, so input cannot exhaust the call stack;
 * what they still declare (`#owed`, one byte an item at least) never exceeds the bytes that are left, so a forged
 * header fails before anything is read on its word.
 */
export class ValueReader {
  readonly #settings: DecoderSettings;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #view: DataView<ArrayBuffer>;
  readonly #keys: KeyCache | null;
  #levels: Level[] = [];
  #owed = 0;
  /** Where the next item begins. */
  pos = 0;
  /** Length of the input. */
  readonly end: number;

  constructor(settings: DecoderSettings, input: DecoderInput) {
    const bytes = inputBytes(input);
    this.#settings = settings;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#keys = settings.keyDecoder === undefined ? (sharedKeys ??= new KeyCache()) : null;
    this.end = bytes.length;
  }

  /** Reads the value at `pos`. */
  value(): unknown {
    for (;;) {
      const top = this.#levels.at(-1);
      let start = this.pos;
      let value = this.#item(top !== undefined && top.isKeyNext);
      if (value === OPENED) continue;
      for (let level = top; ; level = this.#levels.at(-1)) {
        if (level === undefined) return value;
        if (!this.#add(level, value, start)) break;
        this.#levels.pop();
        value = level.array ?? level.object;
        start = level.start;
      }
    }
  }

  /** Puts a value where it belongs; true when the container is complete. */
  #add(level: Level, value: unknown, start: number): boolean {
    if (level.array !== null) level.array.push(value);
    else if (level.isKeyNext) {
      level.key = this.#propertyName(value, start);
      level.isKeyNext = false;
      return false;
    } else {
      setOwn(level.object!, level.key, value);
      level.isKeyNext = true;
    }
    return --level.left === 0;
  }

  #propertyName(key: unknown, start: number): string {
    const { mapKeyConverter } = this.#settings;
    if (mapKeyConverter !== undefined) {
      const name = mapKeyConverter(key);
      return this.#afterUserCode(typeof name === "string" ? name : String(name));
    }
    if (typeof key === "string") return key;
    if (typeof key === "number") return String(key);
    throw new DecodeError(`The type of key must be string or number but ${typeof key}`, "ERR_UNSUPPORTED_TYPE", start);
  }

  /** Reads the scalar at `pos`, or opens the container there. */
  #item(isKey: boolean): unknown {
    const start = this.pos;
    if (start >= this.end) throw cutShort(start, 1);
    if (this.#levels.length > 0) this.#owed--;
    const token = this.#bytes[start]!;
    this.pos = start + 1;
    if (token < 0x80) return token;
    if (token >= 0xe0) return token - 0x100;
    if (token < 0x90) return this.#open(true, token & 15, start);
    if (token < 0xa0) return this.#open(false, token & 15, start);
    if (token < 0xc0) return this.#string(token & 31, isKey, start);
    return this.#wide(token, isKey, start);
  }

  /** What begins with a token from c0 to df. */
  #wide(token: number, isKey: boolean, start: number): unknown {
    const view = this.#view;
    switch (token) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
        return this.#binary(this.#uint(1, start), start);
      case 0xc5:
        return this.#binary(this.#uint(2, start), start);
      case 0xc6:
        return this.#binary(this.#uint(4, start), start);
      case 0xc7:
        return this.#extension(this.#uint(1, start), start);
      case 0xc8:
        return this.#extension(this.#uint(2, start), start);
      case 0xc9:
        return this.#extension(this.#uint(4, start), start);
      case 0xca:
        return view.getFloat32(this.#skip(4, start));
      case 0xcb:
        return view.getFloat64(this.#skip(8, start));
      case 0xcc:
        return this.#uint(1, start);
      case 0xcd:
        return this.#uint(2, start);
      case 0xce:
        return this.#uint(4, start);
      case 0xcf: {
        const at = this.#skip(8, start);
        return this.#settings.useBigInt64
          ? view.getBigUint64(at)
          : view.getUint32(at) * 0x100000000 + view.getUint32(at + 4);
      }
      case 0xd0:
        return view.getInt8(this.#skip(1, start));
      case 0xd1:
        return view.getInt16(this.#skip(2, start));
      case 0xd2:
        return view.getInt32(this.#skip(4, start));
      case 0xd3: {
        const at = this.#skip(8, start);
        return this.#settings.useBigInt64
          ? view.getBigInt64(at)
          : view.getInt32(at) * 0x100000000 + view.getUint32(at + 4);
      }
      case 0xd4:
      case 0xd5:
      case 0xd6:
      case 0xd7:
      case 0xd8:
        return this.#extension(1 << (token - 0xd4), start);
      case 0xd9:
        return this.#string(this.#uint(1, start), isKey, start);
      case 0xda:
        return this.#string(this.#uint(2, start), isKey, start);
      case 0xdb:
        return this.#string(this.#uint(4, start), isKey, start);
      case 0xdc:
        return this.#open(false, this.#uint(2, start), start);
      case 0xdd:
        return this.#open(false, this.#uint(4, start), start);
      case 0xde:
        return this.#open(true, this.#uint(2, start), start);
      case 0xdf:
        return this.#open(true, this.#uint(4, start), start);
      default:
        throw new DecodeError(
          `Unrecognized type byte: 0x${token.toString(16)} at byte ${start}`,
          "ERR_INVALID_BYTE",
          start,
        );
    }
  }

  /** Steps over `n` bytes of the item at `start`; answers where they begin. */
  #skip(n: number, start: number): number {
    const at = this.pos;
    if (at + n > this.end) throw cutShort(start, at + n - this.end);
    this.pos = at + n;
    return at;
  }

  #uint(n: 1 | 2 | 4, start: number): number {
    const at = this.#skip(n, start);
    return n === 1 ? this.#bytes[at]! : n === 2 ? this.#view.getUint16(at) : this.#view.getUint32(at);
  }

  #open(isMap: boolean, n: number, start: number): unknown {
    if (n === 0) return isMap ? {} : [];
    const { maxMapLength, maxArrayLength, maxDepth } = this.#settings;
    const max = isMap ? maxMapLength : maxArrayLength;
    if (n > max) throw exceeded(isMap ? "map" : "array", n, isMap ? "maxMapLength" : "maxArrayLength", max, start);
    if (this.#levels.length >= maxDepth) {
      throw new DecodeError(`More than ${maxDepth} containers are open at byte ${start}`, "ERR_LIMIT_DEPTH", start);
    }
    this.#owed += isMap ? 2 * n : n;
    const missing = this.#owed - (this.end - this.pos);
    if (missing > 0) throw cutShort(start, missing);
    this.#levels.push(new Level(isMap, n, start));
    return OPENED;
  }

  #string(n: number, isKey: boolean, start: number): unknown {
    const { rawStrings, maxStrLength, keyDecoder } = this.#settings;
    if (rawStrings && !isKey) return this.#binary(n, start);
    if (n > maxStrLength) throw exceeded("UTF-8 byte", n, "maxStrLength", maxStrLength, start);
    const from = this.#skip(n, start);
    if (isKey) {
      if (this.#keys !== null && n > 0 && n < 32 && from === start + 1) return this.#key(this.#keys, n, start);
      if (keyDecoder?.canBeCached(n)) return this.#afterUserCode(keyDecoder.decode(this.#bytes, from, n));
    }
    return this.#text(from, n);
  }

  #key(keys: KeyCache, n: number, start: number): string {
    const known = keys.find(this.#bytes, this.#view, start, n + 1);
    return known ?? keys.learn(this.#view, start, n + 1, this.#text(start + 1, n));
  }

  /** Malformed bytes become U+FFFD, whatever the string's length. */
  #text(from: number, n: number): string {
    return readUtf8(this.#bytes, this.#view, from, from + n) ?? readUtf8Lossy(this.#bytes, from, from + n);
  }

  #binary(n: number, start: number): Uint8Array<ArrayBuffer> {
    const { maxBinLength } = this.#settings;
    if (n > maxBinLength) throw exceeded("bin", n, "maxBinLength", maxBinLength, start);
    const from = this.#skip(n, start);
    // Not `subarray`: that of a Buffer is one.
    return new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset + from, n);
  }

  #extension(n: number, start: number): unknown {
    const { maxExtLength, extensionCodec, context } = this.#settings;
    if (n > maxExtLength) throw exceeded("ext", n, "maxExtLength", maxExtLength, start);
    const type = this.#view.getInt8(this.#skip(1, start));
    const data = this.#binary(n, start); // maxBinLength counts here too, as in the original
    try {
      return this.#afterUserCode(extensionCodec.decode(data, type, context));
    } catch (error) {
      if (error instanceof DecodeError && error.offset < 0) error.offset = start;
      throw error;
    }
  }

  /** The caller's code may have transferred the input's memory away. */
  #afterUserCode<T>(value: T): T {
    if (this.#bytes.length < this.end)
      throw invalidArgument("the input's buffer was detached while it was being decoded");
    return value;
  }
}

function inputBytes(input: DecoderInput): Uint8Array<ArrayBuffer> {
  const isList = typeof input === "object" && input !== null && "length" in input && !ArrayBuffer.isView(input);
  return isList ? Uint8Array.from(input) : toBytes(input as ArrayBufferView | ArrayBufferLike);
}

function exceeded(what: string, n: number, option: string, max: number, start: number): DecodeError {
  const code = what === "map" || what === "array" ? "ERR_LIMIT_ELEMENTS" : "ERR_LIMIT_BYTES";
  return new DecodeError(
    `Max length exceeded: ${what} length (${n}) > ${option} (${max}) at byte ${start}`,
    code,
    start,
  );
}
