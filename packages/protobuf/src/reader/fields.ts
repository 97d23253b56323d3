/**
 * Reads single values: the hot path of every generated decoder.
 *
 * The file is long because each method is a straight line. A value of one byte, as most tags and lengths are, is read in the
 * method itself. A longer one is read by a second method, which is called without arguments: then the first has so few
 * bytecodes that Firefox inlines it, which takes 2 ns instead of 8.
 *
 * Nothing is read at or after `len`, whatever a length says. No varint is longer than its type allows.
 *
 * Members that are marked @internal are not #private: `install` puts these methods on protobuf.js's own Readers, which have
 * `buf`, `pos` and `len` only. The methods use a default for any other member.
 */
import {
  choiceOption,
  DecodeError,
  describe,
  flagOption,
  invalidArgument,
  optionsObject,
  ownOption,
  readAscii,
  readUtf8,
  readUtf8Lossy,
  truncated,
  unzigzag32,
  unzigzag64High,
  unzigzag64Low,
} from "moonpack/bytes";
import { currentLong, type Int64Form, type Int64Value, type LongConstructor, toBigInt, toNumber } from "../int64.js";

/** Options of a {@link Reader}. */
export interface ReaderOptions {
  /**
   * Throws for varints that are not in their shortest form (`ERR_NOT_SHORTEST`) or too large for their type
   * (`ERR_OUT_OF_RANGE`), and for malformed UTF-8 in `string` too (`ERR_INVALID_UTF8`). Varints of two bytes and more are a
   * little slower. Default false: high bits are dropped and malformed bytes become U+FFFD, as in protobuf.js.
   */
  readonly strict?: boolean;
  /** The type of 64-bit integers. Default `"long"`. */
  readonly int64?: Int64Form;
}

/** The call that has failed: a method of protobuf.js's Reader, or a check of its `skipType`. See {@link FieldReader.failure}. */
export type FailedCall =
  | "bool"
  | "bytes"
  | "double"
  | "doubles"
  | "endGroup"
  | "fieldNumber"
  | "fixed32"
  | "fixed32s"
  | "fixed64"
  | "fixed64s"
  | "float"
  | "floats"
  | "groupTag"
  | "sfixed32s"
  | "sfixed64s"
  | "size"
  | "skip"
  | "skipType"
  | "stringVerify"
  | "tag"
  | "uint32"
  | "uint64";

/** Wire types: Protocol Buffers encoding, "Message Structure". */
const VARINT = 0;
const I64 = 1;
const LEN = 2;
const SGROUP = 3;
const EGROUP = 4;
const I32 = 5;

/** Longer text is decoded through the view, if there is one. */
const SHORT_TEXT = 32;
/** Other text of up to this size is copied into memory that has a view: creating a view takes 190 ns. */
const COPIED_TEXT = 64;
/** How many floats, doubles and copied texts are read before a view is created for them. */
const FEW_WITHOUT_VIEW = 16;

/** Converts words to floats and doubles within one call. A DataView takes twice as long in Firefox. */
const scratch = /* @__PURE__ */ (() => {
  const words = new Int32Array(2);
  return { words, floats: new Float32Array(words.buffer), doubles: new Float64Array(words.buffer) };
})();
/** Memory with a view, for one text within one call. */
const textScratch = /* @__PURE__ */ (() => {
  const bytes = new Uint8Array(COPIED_TEXT);
  return { bytes, view: new DataView(bytes.buffer) };
})();
/** The index of a double's low word on this machine. */
const LOW_WORD = /* @__PURE__ */ (() => (new Uint8Array(Int32Array.of(1).buffer)[0] === 1 ? 0 : 1))();

/** Reads single values. Positions are offsets in `buf`. Callers may set `pos` and `len`. */
export class FieldReader {
  /** The bytes that are read. */
  readonly buf: Uint8Array;
  /** Where the next field begins. */
  pos = 0;
  /** Where reading ends. Generated code sets it to the end of a nested message, and then back. */
  len: number;
  /** @internal See {@link ReaderOptions.strict}. */
  protected readonly strict: boolean;
  /** @internal See {@link ReaderOptions.int64}. */
  readonly int64Form: Int64Form;
  /** @internal A view over `buf`, once it was needed. */
  view: DataView | null = null;
  /** @internal How many floats, doubles and texts were read without a view, although they need one or its like. */
  viewless = 0;
  /** @internal The high word of the last 64-bit varint. */
  high = 0;

  /** Throws `ERR_INVALID_ARGUMENT` if `buffer` is neither a Uint8Array nor an array of bytes, and for invalid options. */
  constructor(buffer: Uint8Array, options?: ReaderOptions) {
    this.buf = buffer instanceof Uint8Array ? buffer : fromList(buffer);
    this.len = this.buf.length;
    this.strict = false;
    this.int64Form = "long";
    if (options === undefined) return;
    const given = optionsObject(options);
    this.strict = flagOption("strict", ownOption(given, "strict"), false);
    this.int64Form = choiceOption("int64", ownOption(given, "int64"), ["long", "bigint", "number"]);
  }

  /**
   * @internal Returns the error to throw when `call` has failed. Readers of a protobuf.js throw the errors that its own Reader
   * throws (install/original-errors.ts); others throw `error`. `argument` is the call's, where it matters.
   */
  failure(error: DecodeError, _call: FailedCall, _argument?: unknown): Error {
    return error;
  }

  /** @internal Returns the error for bytes that end inside the value at `start`. */
  truncation(start: number, missing: number, call: FailedCall, argument?: unknown): Error {
    return this.failure(truncated(start, missing), call, argument);
  }

  /** Reads a varint as unsigned 32-bit integer; the low 32 bits of a longer one. */
  uint32(): number {
    if (this.pos < this.len && this.buf[this.pos]! < 0x80) return this.buf[this.pos++]!;
    return this.longUint32();
  }

  /** @internal Two bytes and more, unrolled: a loop takes twice the time. A missing byte is undefined, which is not < 0x80. */
  longUint32(): number {
    const { buf, pos: start } = this;
    if (this.strict || start + 5 > this.len) return this.rareUint32(start);
    let byte = buf[start + 1]!;
    let value = (buf[start]! & 0x7f) | ((byte & 0x7f) << 7);
    if (byte < 0x80) {
      this.pos = start + 2;
      return value;
    }
    byte = buf[start + 2]!;
    value |= (byte & 0x7f) << 14;
    if (byte < 0x80) {
      this.pos = start + 3;
      return value;
    }
    byte = buf[start + 3]!;
    value |= (byte & 0x7f) << 21;
    if (byte < 0x80) {
      this.pos = start + 4;
      return value;
    }
    byte = buf[start + 4]!;
    if (!(byte < 0x80)) return this.rareUint32(start);
    this.pos = start + 5;
    return (value | (byte << 28)) >>> 0;
  }

  /** @internal Reads a varint near the end, of more than five bytes, or in strict mode. */
  rareUint32(start: number): number {
    if (this.strict) return this.narrow(start, false) >>> 0;
    const { buf } = this;
    const len = this.last();
    let value = 0;
    for (let i = 0, pos = start; i < 10; i++) {
      if (pos >= len) throw this.truncation(start, 1, "uint32");
      const byte = buf[pos++]!;
      if (i < 5) value |= (byte & 0x7f) << (7 * i);
      if (byte < 0x80) {
        this.pos = pos;
        return value >>> 0;
      }
    }
    throw this.failure(tooLong(start), "uint32");
  }

  /** @internal Strict: a varint that fits into 32 bits. */
  narrow(start: number, signed: boolean): number {
    const low = this.varint64();
    if (this.high === (signed ? low >> 31 : 0)) return low;
    throw new DecodeError("ERR_OUT_OF_RANGE", "a varint does not fit into 32 bits", start);
  }

  /** @internal Strict: checks the last byte of a varint, which has the index `i`. */
  checkVarint(start: number, i: number, last: number): void {
    if (last === 0 && i > 0) throw new DecodeError("ERR_NOT_SHORTEST", "a varint is not in its shortest form", start);
    if (i === 9 && last > 1) throw new DecodeError("ERR_OUT_OF_RANGE", "a varint does not fit into 64 bits", start);
  }

  /** @internal Reads a tag. Throws `ERR_INVALID_BYTE` if it does not fit into 32 bits. */
  protected fieldTag(): number {
    if (this.pos < this.len && this.buf[this.pos]! < 0x80) return this.buf[this.pos++]!;
    return this.longTag();
  }

  /** Reads the length of bytes, of text or of a nested message. Throws `ERR_INVALID_BYTE` if it does not fit into 31 bits. */
  size(): number {
    if (this.pos < this.len && this.buf[this.pos]! < 0x80) return this.buf[this.pos++]!;
    return this.longSize();
  }

  /** @internal */
  longTag(): number {
    return this.limitedVarint(0x0f, "tag");
  }

  /** @internal */
  longSize(): number {
    return this.limitedVarint(0x07, "size");
  }

  /** @internal Reads a varint of at most 5 bytes, whose fifth is at most `highest`. */
  limitedVarint(highest: number, call: "tag" | "size"): number {
    const { buf, pos: start } = this;
    const len = this.last();
    let value = 0;
    for (let i = 0, pos = start; i < 5; i++) {
      if (pos >= len) throw this.truncation(start, 1, call);
      const byte = buf[pos++]!;
      value |= (byte & 0x7f) << (7 * i);
      if (i === 4 && byte > highest) break;
      if (byte < 0x80) {
        if (this.strict) this.checkVarint(start, i, byte);
        this.pos = pos;
        return value >>> 0;
      }
    }
    const text = call === "tag" ? "a tag does not fit into 32 bits" : "a length does not fit into 31 bits";
    throw this.failure(invalid(text, start), call);
  }

  /** Reads a varint as signed 32-bit integer. */
  int32(): number {
    if (this.pos < this.len && this.buf[this.pos]! < 0x80) return this.buf[this.pos++]!;
    return this.longInt32();
  }

  /** @internal */
  longInt32(): number {
    return this.strict ? this.narrow(this.pos, true) : this.longUint32() | 0;
  }

  /** Reads a zigzag varint as signed 32-bit integer. */
  sint32(): number {
    return unzigzag32(this.uint32());
  }

  /** Reads a varint as boolean: true if any of its bits is set. */
  bool(): boolean {
    if (this.pos < this.len && this.buf[this.pos]! < 0x80) return this.buf[this.pos++]! !== 0;
    return this.longBool();
  }

  /** @internal */
  longBool(): boolean {
    return (this.varint64("bool") | this.high) !== 0;
  }

  /** Reads a varint as unsigned 64-bit integer; see {@link ReaderOptions.int64}. */
  uint64(): Int64Value {
    const low = this.varint64();
    return this.integer(low, this.high, false);
  }

  /** Reads a varint as signed 64-bit integer. */
  int64(): Int64Value {
    const low = this.varint64();
    return this.integer(low, this.high, true);
  }

  /** Reads a zigzag varint as signed 64-bit integer. */
  sint64(): Int64Value {
    const low = this.varint64();
    const { high } = this;
    return this.integer(unzigzag64Low(low >>> 0, high >>> 0) | 0, unzigzag64High(low >>> 0, high >>> 0) | 0, true);
  }

  /** @internal Reads a 64-bit varint. Returns its low word as int32; `high` is the other. */
  varint64(call: "uint64" | "bool" = "uint64"): number {
    const start = this.pos;
    const { buf } = this;
    if (this.strict || start + 10 > this.len) return this.rareVarint64(start, call);
    let byte = buf[start]!;
    let pos = start + 1;
    let low = byte & 0x7f;
    let high = 0;
    // Four bytes belong to the low word. The fifth belongs to both.
    if (byte >= 0x80) {
      byte = buf[pos++]!;
      low |= (byte & 0x7f) << 7;
    }
    if (byte >= 0x80) {
      byte = buf[pos++]!;
      low |= (byte & 0x7f) << 14;
    }
    if (byte >= 0x80) {
      byte = buf[pos++]!;
      low |= (byte & 0x7f) << 21;
    }
    if (byte >= 0x80) {
      byte = buf[pos++]!;
      low |= (byte & 0x7f) << 28;
      high = (byte & 0x7f) >> 4;
      for (let shift = 3; byte >= 0x80; shift += 7) {
        if (shift > 31) throw this.failure(tooLong(start), call);
        byte = buf[pos++]!;
        high |= (byte & 0x7f) << shift;
      }
    }
    if (!(byte < 0x80)) return this.rareVarint64(start, call); // the byte is missing
    this.pos = pos;
    this.high = high;
    return low;
  }

  /** @internal Reads a varint near the end, or in strict mode. */
  rareVarint64(start: number, call: "uint64" | "bool"): number {
    const { buf } = this;
    const len = this.last();
    let low = 0;
    let high = 0;
    for (let i = 0, pos = start; i < 10; i++) {
      if (pos >= len) throw this.truncation(start, 1, call);
      const byte = buf[pos++]!;
      const bits = byte & 0x7f;
      if (i < 4) low |= bits << (7 * i);
      else if (i === 4) {
        low |= bits << 28;
        high = bits >> 4;
      } else high |= bits << (7 * i - 32);
      if (byte < 0x80) {
        if (this.strict) this.checkVarint(start, i, byte);
        this.pos = pos;
        this.high = high;
        return low;
      }
    }
    throw this.failure(tooLong(start), call);
  }

  /** @internal Returns a 64-bit integer in the form of the option `int64`. */
  integer(low: number, high: number, signed: boolean): Int64Value {
    if (this.int64Form === "bigint") return toBigInt(low, high, signed);
    const Long = this.int64Form === "number" ? null : this.longClass();
    if (Long !== null) return new Long(low, high, !signed);
    const value = toNumber(low, high, signed);
    if (Number.isSafeInteger(value) || this.int64Form !== "number") return value;
    throw new DecodeError("ERR_UNSAFE_INTEGER", "a number cannot hold a 64-bit integer exactly", this.pos);
  }

  /** @internal Returns the class of 64-bit integers, or null for numbers. */
  protected longClass(): LongConstructor | null {
    return currentLong();
  }

  /** Reads an unsigned 32-bit integer of 4 bytes. */
  fixed32(): number {
    return this.sfixed32() >>> 0;
  }

  /** Reads a signed 32-bit integer of 4 bytes. */
  sfixed32(): number {
    return this.word(this.take(4, "fixed32"));
  }

  /** @internal */
  word(pos: number): number {
    const { buf } = this;
    return buf[pos]! | (buf[pos + 1]! << 8) | (buf[pos + 2]! << 16) | (buf[pos + 3]! << 24);
  }

  /** Reads an unsigned 64-bit integer of 8 bytes. */
  fixed64(): Int64Value {
    this.need(8, "fixed64");
    const low = this.sfixed32();
    return this.integer(low, this.sfixed32(), false);
  }

  /** Reads a signed 64-bit integer of 8 bytes. */
  sfixed64(): Int64Value {
    this.need(8, "fixed64");
    const low = this.sfixed32();
    return this.integer(low, this.sfixed32(), true);
  }

  /** Reads a number of 4 bytes. */
  float(): number {
    const pos = this.take(4, "float");
    if (this.view !== null || ++this.viewless > FEW_WITHOUT_VIEW) return this.viewed().getFloat32(pos, true);
    scratch.words[0] = this.word(pos);
    return scratch.floats[0]!;
  }

  /** Reads a number of 8 bytes. */
  double(): number {
    const pos = this.take(8, "double");
    if (this.view !== null || ++this.viewless > FEW_WITHOUT_VIEW) return this.viewed().getFloat64(pos, true);
    scratch.words[LOW_WORD] = this.word(pos);
    scratch.words[1 - LOW_WORD] = this.word(pos + 4);
    return scratch.doubles[0]!;
  }

  /** Reads text after its length. Malformed UTF-8 becomes U+FFFD. */
  string(): string {
    const end = this.open();
    const start = this.pos;
    this.pos = end;
    const text = this.text(start, end);
    if (text !== null) return text;
    if (this.strict) throw malformed(start);
    return readUtf8Lossy(this.buf, start, end);
  }

  /** Reads text after its length. Throws `ERR_INVALID_UTF8` if it is malformed. Generated code of protobuf.js 8 calls it for proto3. */
  stringVerify(): string {
    const at = this.pos;
    const end = this.open();
    const start = this.pos;
    this.pos = end;
    const text = this.text(start, end);
    if (text === null) throw this.failure(malformed(start), "stringVerify", at);
    return text;
  }

  /** @internal Returns the text, or null if it is malformed. */
  text(start: number, end: number): string | null {
    const { view } = this;
    const text = view === null || end - start <= SHORT_TEXT ? readAscii(this.buf, start, end) : null;
    if (text !== null) return text;
    if (view === null && end - start <= COPIED_TEXT && ++this.viewless <= FEW_WITHOUT_VIEW)
      return readCopied(this.buf, start, end);
    return readUtf8(this.buf, this.viewed(), start, end);
  }

  /** Reads bytes after their length: a view of `buf`, and a Buffer if `buf` is one. */
  bytes(): Uint8Array {
    const end = this.open();
    const start = this.pos;
    this.pos = end;
    return this.raw(start, end);
  }

  /** Returns the bytes `[start..end)` as a view of `buf`. `pos` stays. */
  raw(start: number, end: number): Uint8Array {
    return this.buf.subarray(start, end);
  }

  /** @internal Skips `length` bytes. */
  protected skipBytes(length: number): void {
    this.need(length, "skip", length);
    this.pos += length;
  }

  /** @internal Skips a varint of any length. */
  protected skipVarint(): void {
    if (this.strict) {
      this.varint64();
      return;
    }
    const { buf } = this;
    const len = this.last();
    const start = this.pos;
    for (let pos = start; pos < len; ) {
      // Not `< 0x80`: an undefined byte ends the varint. It is before the first byte, where the caller may have set `pos`.
      if (!(buf[pos++]! >= 0x80)) {
        this.pos = pos;
        return;
      }
    }
    throw this.truncation(start, 1, "skip");
  }

  /** @internal Throws `ERR_INVALID_BYTE` if the tag at `start` has field number 0 or an unknown wire type. */
  protected checkTag(tag: number, start: number): void {
    if (tag >>> 3 === 0) throw fieldZero(start);
    if ((tag & 7) > I32) throw invalid(`unknown wire type ${tag & 7}`, start);
  }

  /**
   * @internal Skips the content of a field with this wire type. `field` is its number, which the end of a group has to repeat. `limit`
   * is how many groups may be nested, and `depth` how many are open.
   */
  protected skipField(wireType: number, field: number | undefined, depth: number, limit: number): void {
    const { pos } = this;
    if (depth > limit)
      throw this.failure(new DecodeError("ERR_LIMIT_DEPTH", `groups are nested deeper than ${limit}`, pos), "skipType");
    if (field === 0) throw this.failure(fieldZero(pos), "fieldNumber");
    switch (wireType) {
      case VARINT:
        return this.skipVarint();
      case I64:
        return this.skipBytes(8);
      case LEN:
        this.pos = this.open();
        return;
      case SGROUP:
        return this.skipGroup(field, depth, limit);
      case I32:
        return this.skipBytes(4);
      default:
        throw this.failure(
          invalid(`a field cannot begin with wire type ${describe(wireType)}`, pos),
          "skipType",
          wireType,
        );
    }
  }

  /** @internal */
  skipGroup(field: number | undefined, depth: number, limit: number): void {
    for (;;) {
      const start = this.pos;
      const tag = this.fieldTag();
      const nested = tag >>> 3;
      if (nested === 0) throw this.failure(fieldZero(start), "groupTag");
      if ((tag & 7) !== EGROUP) this.skipField(tag & 7, nested, depth + 1, limit);
      else if (field === undefined || nested === field) return;
      else throw this.failure(invalid(`the end of group ${nested} is inside group ${field}`, start), "endGroup");
    }
  }

  /** @internal Reads a length and checks that its bytes follow. Returns where they end; `pos` is where they begin. */
  protected open(): number {
    const start = this.pos;
    const length = this.size();
    const end = this.pos + length;
    if (end > this.len || end > this.buf.length) {
      this.pos = start;
      throw this.truncation(start, end - this.last(), "bytes");
    }
    return end;
  }

  /** @internal Where the bytes end. That is before `len` if the caller set it too far, or detached the bytes. */
  last(): number {
    return Math.min(this.len, this.buf.length);
  }

  /** @internal Checks that `n` bytes are left. */
  need(n: number, call: "fixed64" | "skip", argument?: number): void {
    const missing = this.pos + n - this.last();
    if (missing > 0) throw this.truncation(this.pos, missing, call, argument);
  }

  /** @internal Takes `n` bytes and returns where they begin. */
  take(n: number, call: "fixed32" | "float" | "double"): number {
    const { pos } = this;
    const end = pos + n;
    if (end > this.len || end > this.buf.length) throw this.truncation(pos, end - this.last(), call);
    this.pos = end;
    return pos;
  }

  /** @internal Returns a view over `buf`. */
  protected viewed(): DataView {
    return (this.view ??= new DataView(this.buf.buffer, this.buf.byteOffset, this.buf.length));
  }
}

/** Like `readUtf8`, for a short text of bytes without a view. */
function readCopied(buf: Uint8Array, start: number, end: number): string | null {
  const { bytes, view } = textScratch;
  for (let from = start, to = 0; from < end; from++, to++) bytes[to] = buf[from]!;
  return readUtf8(bytes, view, 0, end - start);
}

function fromList(list: unknown): Uint8Array {
  if (!Array.isArray(list)) throw invalidArgument(`expected a Uint8Array, not ${describe(list)}`);
  return new Uint8Array(list);
}

function invalid(text: string, offset: number): DecodeError {
  return new DecodeError("ERR_INVALID_BYTE", text, offset);
}

function tooLong(offset: number): DecodeError {
  return invalid("a varint has more than 10 bytes", offset);
}

function fieldZero(offset: number): DecodeError {
  return invalid("a tag has field number 0", offset);
}

function malformed(offset: number): DecodeError {
  return new DecodeError("ERR_INVALID_UTF8", "malformed UTF-8", offset);
}
