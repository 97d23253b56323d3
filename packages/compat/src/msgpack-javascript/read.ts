import { copyOwned, invalidArgument, readUtf8, readUtf8Lossy } from "moonpack/bytes";
import {
  createKeyTable,
  headerSize,
  integerAt,
  isNumber,
  type KeyTable,
  numberAt,
  payloadSize,
  widthOf,
} from "moonpack/msgpack/formats";
import { DecodeError, truncated } from "./errors.js";
import { viewOf } from "./input.js";
import { Level } from "./level.js";
import { checkBinary, checkContainer, checkExtension, checkText } from "./limits.js";
import type { CheckedDecoderOptions } from "./options.js";

/** Returned by `#item` when it has opened a container. */
const OPENED = /* @__PURE__ */ Symbol("opened");
/** Returned when the value continues beyond the bytes of a stream that have arrived. */
export const INCOMPLETE = /* @__PURE__ */ Symbol("incomplete");

const EMPTY = /* @__PURE__ */ new Uint8Array(0);
const EMPTY_VIEW = /* @__PURE__ */ viewOf(EMPTY);

// All decoders share one, as in the original: keys recur from message to message. Created at the first use.
let sharedKeys: KeyTable | undefined;

/**
 * Reads the values of one input, or of a stream that arrives in parts. Open containers are kept on a stack on the heap, so
 * that input cannot exhaust the call stack and a stream can continue where its last part ended.
 *
 * Invariant: the items that open containers still declare (`#reserved`, at least one byte each) never exceed the bytes left of an
 * input, so a forged header is rejected before its items are read. The length of a stream is unknown; there, nothing is
 * allocated ahead of the bytes that have arrived.
 *
 * `pos` counts in the current bytes. `start`, the first byte of an item, and offsets of errors count in the input or stream.
 */
export class ValueReader {
  readonly #settings: CheckedDecoderOptions;
  readonly #isStream: boolean;
  readonly #keys: KeyTable | null;
  #bytes: Uint8Array<ArrayBuffer> = EMPTY;
  #view: DataView<ArrayBuffer> = EMPTY_VIEW;
  /** Offset of the current bytes in the stream. */
  #base = 0;
  /** True if the current bytes are one item in separate memory: binary may be a view of them. */
  #isOwned = false;
  #levels: Level[] = [];
  #reserved = 0;
  /** 1 inside an array whose elements are read one by one: counted for the depth. */
  #outer = 0;
  /** Offset of the current message in the stream. */
  #message = 0;
  /** Start of the next item in the current bytes. */
  pos = 0;
  /** End of the current bytes. */
  end = 0;

  /** Creates a reader for one input or for a stream; {@link ValueReader.setInput} passes the bytes. */
  constructor(settings: CheckedDecoderOptions, isStream: boolean) {
    this.#settings = settings;
    this.#isStream = isStream;
    this.#keys = settings.keyDecoder === undefined ? (sharedKeys ??= createKeyTable()) : null;
  }

  /** Sets the bytes to read: `bytes[pos..end)`, where `bytes[0]` is byte `base` of the stream. See `#isOwned`. */
  setInput(
    bytes: Uint8Array<ArrayBuffer>,
    view: DataView<ArrayBuffer>,
    pos: number,
    end: number,
    base: number,
    isOwned: boolean,
  ): void {
    this.#bytes = bytes;
    this.#view = view;
    this.#base = base;
    this.#isOwned = isOwned;
    this.pos = pos;
    this.end = end;
  }

  /** Items that open containers still declare; null if no container is open. */
  get reserved(): number | null {
    return this.#levels.length > 0 ? this.#reserved : null;
  }

  /** Reads the header of the array at `pos`, whose elements are read one by one. Returns its length, or INCOMPLETE. */
  arrayLength(): number | typeof INCOMPLETE {
    if (this.pos === this.end) return INCOMPLETE;
    const start = this.#base + this.pos;
    const token = this.#bytes[this.pos]!;
    if ((token < 0x90 || token >= 0xa0) && token !== 0xdc && token !== 0xdd) {
      throw new DecodeError(
        `Unrecognized array type byte: 0x${token.toString(16)} at byte ${start}`,
        "ERR_UNSUPPORTED_TYPE",
        start,
      );
    }
    if (!this.hasItem()) return INCOMPLETE;
    this.pos++;
    this.#outer = 1;
    if (token < 0xa0) return token & 15;
    return numberAt(this.#bytes, this.#view, token, this.#skip(widthOf(token), start));
  }

  /**
   * True if the item at `pos` (of a container: its header) has arrived completely. If it has not, its declared length is
   * checked against the limits, as far as it is known.
   */
  hasItem(): boolean {
    const { pos, end } = this;
    if (pos === end) return false;
    const token = this.#bytes[pos]!;
    if (token < 0xa0 || token >= 0xe0) return true;
    const header = headerSize(this.#bytes, pos);
    const n = payloadSize(this.#bytes, this.#view, pos, header, end);
    if (pos + header + n <= end) return true;
    if (pos + header <= end) this.#checkAhead(token, n, this.#base + pos);
    return false;
  }

  #checkAhead(token: number, n: number, start: number): void {
    const isString = token < 0xc0 || (token >= 0xd9 && token <= 0xdb);
    const isText = isString && (!this.#settings.rawStrings || this.#levels.at(-1)?.isKeyNext === true);
    if (isText) checkText(this.#settings, n, start);
    else if (isString || token <= 0xc6) checkBinary(this.#settings, n, start);
    else checkExtension(this.#settings, n, start);
  }

  /** Reads the value at `pos`. In a stream, continues a value that was begun, and returns INCOMPLETE if its end has not arrived. */
  value(): unknown {
    const isStream = this.#isStream;
    if (this.#levels.length + this.#outer === 0) this.#message = this.#base + this.pos;
    this.#afterUserCode(null);
    for (;;) {
      if (isStream && !this.hasItem()) return INCOMPLETE;
      const top = this.#levels.at(-1);
      let start = this.#base + this.pos;
      let value = this.#item(top !== undefined && top.isKeyNext);
      if (value === OPENED) continue;
      for (let level = top; ; level = this.#levels.at(-1)) {
        if (level === undefined) return value;
        if (level.isKeyNext) {
          level.addKey(this.#propertyName(value, start));
          break;
        }
        if (!level.add(value)) break;
        this.#levels.pop();
        value = level.value;
        start = level.start;
      }
    }
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

  /** Reads the scalar at `pos`, or opens the container at `pos` and returns OPENED. */
  #item(isKey: boolean): unknown {
    const at = this.pos;
    const start = this.#base + at;
    if (at >= this.end) throw truncated(start, 1);
    if (this.#levels.length > 0) this.#reserved--;
    const token = this.#bytes[at]!;
    this.pos = at + 1;
    if (token < 0x80) return token;
    if (token >= 0xe0) return token - 0x100;
    if (token < 0x90) return this.#open(true, token & 15, start);
    if (token < 0xa0) return this.#open(false, token & 15, start);
    if (token < 0xc0) return this.#string(token & 31, isKey, start);
    return this.#wide(token, isKey, start);
  }

  /** Reads an item with a first byte from c0 to df. */
  #wide(token: number, isKey: boolean, start: number): unknown {
    if (token < 0xc4) {
      if (token !== 0xc1) return token === 0xc0 ? null : token === 0xc3;
      throw new DecodeError(`Unrecognized type byte: 0xc1 at byte ${start}`, "ERR_INVALID_BYTE", start);
    }
    if (token >= 0xd4 && token <= 0xd8) return this.#extension(1 << (token - 0xd4), start);
    const at = this.#skip(widthOf(token), start);
    const n = numberAt(this.#bytes, this.#view, token, at);
    if (isNumber(token)) {
      const isExact = this.#settings.useBigInt64 && (token === 0xcf || token === 0xd3);
      return isExact ? integerAt(this.#view, token, at, n, "bigint") : n;
    }
    if (token >= 0xdc) return this.#open(token >= 0xde, n, start);
    if (token >= 0xd9) return this.#string(n, isKey, start);
    return token <= 0xc6 ? this.#binary(n, start) : this.#extension(n, start);
  }

  /** Skips `n` bytes of the item at `start`. Returns their position. */
  #skip(n: number, start: number): number {
    const at = this.pos;
    if (at + n > this.end) throw truncated(start, at + n - this.end);
    this.pos = at + n;
    return at;
  }

  #open(isMap: boolean, n: number, start: number): unknown {
    if (n === 0) return isMap ? {} : [];
    checkContainer(this.#settings, isMap, n, this.#levels.length + this.#outer, start);
    this.#reserved += isMap ? 2 * n : n;
    const missing = this.#reserved - (this.end - this.pos);
    if (missing > 0 && !this.#isStream) throw truncated(start, missing);
    this.#levels.push(new Level(isMap, n, start));
    return OPENED;
  }

  #string(n: number, isKey: boolean, start: number): unknown {
    const { rawStrings, keyDecoder } = this.#settings;
    if (rawStrings && !isKey) return this.#binary(n, start);
    checkText(this.#settings, n, start);
    const from = this.#skip(n, start);
    if (isKey) {
      const isShort = n > 0 && n < 32 && this.#base + from === start + 1;
      if (this.#keys !== null && isShort) return this.#key(this.#keys, n, from);
      if (keyDecoder?.canBeCached(n)) return this.#afterUserCode(keyDecoder.decode(this.#bytes, from, n));
    }
    return this.#text(from, n);
  }

  #key(keys: KeyTable, n: number, from: number): string {
    const known = keys.find(this.#bytes, this.#view, from - 1, n + 1);
    return known ?? keys.learn(this.#view, from - 1, n + 1, this.#text(from, n));
  }

  /** Decodes UTF-8. Malformed bytes become U+FFFD in strings of any length. */
  #text(from: number, n: number): string {
    return readUtf8(this.#bytes, this.#view, from, from + n) ?? readUtf8Lossy(this.#bytes, from, from + n);
  }

  #binary(n: number, start: number): Uint8Array<ArrayBuffer> {
    checkBinary(this.#settings, n, start);
    const from = this.#skip(n, start);
    if (this.#isStream && !this.#isOwned) return copyOwned(this.#bytes, from, from + n);
    return this.#subarray(from, n);
  }

  /** A plain Uint8Array over the same memory; `subarray` of a Buffer would return a Buffer. */
  #subarray(from: number, n: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset + from, n);
  }

  #extension(n: number, start: number): unknown {
    const { extensionCodec, context } = this.#settings;
    checkExtension(this.#settings, n, start);
    const type = this.#view.getInt8(this.#skip(1, start));
    const from = this.#skip(n, start);
    const data = this.#isStream ? this.#aligned(from, n) : this.#subarray(from, n);
    try {
      return this.#afterUserCode(extensionCodec.decode(data, type, context));
    } catch (error) {
      if (error instanceof DecodeError && error.offset < 0) error.offset = start;
      throw error;
    }
  }

  /** A copy with the alignment (modulo 8) that the bytes have in their message: extensions may rely on it for typed arrays. */
  #aligned(from: number, n: number): Uint8Array<ArrayBuffer> {
    const shift = (this.#base + from - this.#message) & 7;
    const data = new Uint8Array(new ArrayBuffer(shift + n), shift);
    data.set(this.#bytes.subarray(from, from + n));
    return data;
  }

  /** Throws if the caller's code has transferred the input's buffer. */
  #afterUserCode<T>(value: T): T {
    if (this.#bytes.length < this.end && !this.#isOwned)
      throw invalidArgument("the input's buffer was detached while it was being decoded");
    return value;
  }
}
