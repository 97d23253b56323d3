/**
 * The reader's fields one by one: the hot path of every generated decoder. One byte is read in line, which is most tags and
 * lengths; what takes more lies in a named slow path, which is called without arguments: so few bytecodes that Firefox puts the
 * method in line, 2 ns instead of 8.
 *
 * Nothing reads at or after `len`, whatever a length says; no varint is longer than its type allows.
 */
import { readAscii, readUtf8, readUtf8Lossy } from "#utf8";
import { DecodeError, describe, invalidArgument } from "../bytes/errors.js";
import { truncated } from "../bytes/input.js";
import { choiceOption, flagOption, optionsObject, ownOption } from "../bytes/options.js";
import { unzigzag32, unzigzag64High, unzigzag64Low } from "../bytes/zigzag.js";
import { currentLong, type Int64Form, type Int64Value, type LongConstructor, toBigInt, toNumber } from "./int64.js";

/** Options of a {@link Reader}. */
export interface ReaderOptions {
  /**
   * Refuse varints that are longer than they need be (`ERR_NOT_SHORTEST`), or than their type (`ERR_OUT_OF_RANGE`), and
   * malformed UTF-8 in `string` too (`ERR_INVALID_UTF8`). Costs a little for varints of two bytes and more. Default false:
   * high bits are dropped and malformed bytes become U+FFFD, as in protobuf.js.
   */
  readonly strict?: boolean;
  /** How 64-bit integers are given. Default `"long"`. */
  readonly int64?: Int64Form;
}

/** Wire types: Protocol Buffers encoding, "Message Structure". */
const VARINT = 0;
const I64 = 1;
const LEN = 2;
const SGROUP = 3;
const EGROUP = 4;
const I32 = 5;

/** Longer texts are read through the view, where there is one. */
const SHORT_TEXT = 32;
/** So many numbers of 4 and 8 bytes are read without a view. */
const FEW_NUMBERS = 16;

// Scratch of one call: filled and read at once. Not a DataView, which takes twice as long in Firefox.
const words = new Int32Array(2);
const floats = new Float32Array(words.buffer);
const doubles = new Float64Array(words.buffer);
/** Where this machine has a number's low word. */
const LOW_WORD = new Uint8Array(Int32Array.of(1).buffer)[0] === 1 ? 0 : 1;

/** Reads what messages are made of. Positions are those of `buf`; they may be read, and `pos` and `len` set. */
export class FieldReader {
  /** What is read. */
  readonly buf: Uint8Array;
  /** Where the next field begins. */
  pos = 0;
  /** Where reading ends. Generated code sets it to the end of a nested message, and back. */
  len: number;
  /** See {@link ReaderOptions.strict}. */
  protected readonly strict: boolean;
  private readonly int64Form: Int64Form;
  private view: DataView | null = null;
  private numbers = 0;
  /** High word of the varint that was read last. */
  private high = 0;

  /** `ERR_INVALID_ARGUMENT` for what is no Uint8Array and no plain list of bytes, and for options that make no sense. */
  constructor(buffer: Uint8Array, options?: ReaderOptions) {
    this.buf = buffer instanceof Uint8Array ? buffer : fromList(buffer);
    this.len = this.buf.length;
    this.strict = false;
    this.int64Form = "long";
    if (options === undefined) return;
    const given = optionsObject(options);
    this.strict = flagOption("strict", ownOption(given, "strict"), false);
    this.int64Form = choiceOption("int64", ownOption(given, "int64"), ["long", "bigint", "number"]) as Int64Form;
  }

  /** A varint as unsigned 32-bit integer; of a longer one the low 32 bits. */
  uint32(): number {
    if (this.pos < this.len && this.buf[this.pos]! < 0x80) return this.buf[this.pos++]!;
    return this.longUint32();
  }

  /** One of two bytes and more, unrolled: a loop takes twice the time. A byte that is not there is less than nothing. */
  private longUint32(): number {
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

  /** One near the end, of more than five bytes, or strict. */
  private rareUint32(start: number): number {
    if (this.strict) return this.narrow(start, false) >>> 0;
    const { buf } = this;
    const len = this.last();
    let value = 0;
    for (let i = 0, pos = start; i < 10; i++) {
      if (pos >= len) throw truncated(start, 1);
      const byte = buf[pos++]!;
      if (i < 5) value |= (byte & 0x7f) << (7 * i);
      if (byte < 0x80) {
        this.pos = pos;
        return value >>> 0;
      }
    }
    throw this.tooLong(start);
  }

  /** Strict: a varint whose high word says no more than the low one. */
  private narrow(start: number, signed: boolean): number {
    const low = this.varint64();
    if (this.high === (signed ? low >> 31 : 0)) return low;
    throw new DecodeError("ERR_OUT_OF_RANGE", "a varint beyond 32 bits", start);
  }

  private checkVarint(start: number, i: number, last: number): void {
    if (last === 0 && i > 0) throw new DecodeError("ERR_NOT_SHORTEST", "a varint with a needless last byte", start);
    if (i === 9 && last > 1) throw new DecodeError("ERR_OUT_OF_RANGE", "a varint beyond 64 bits", start);
  }

  private tooLong(start: number): DecodeError {
    return new DecodeError("ERR_INVALID_BYTE", "a varint of more than 10 bytes", start);
  }

  /** A tag. `ERR_INVALID_BYTE` above 32 bits. */
  protected fieldTag(): number {
    if (this.pos < this.len && this.buf[this.pos]! < 0x80) return this.buf[this.pos++]!;
    return this.longTag();
  }

  /** A length of bytes. `ERR_INVALID_BYTE` above 31 bits. */
  size(): number {
    if (this.pos < this.len && this.buf[this.pos]! < 0x80) return this.buf[this.pos++]!;
    return this.longSize();
  }

  private longTag(): number {
    return this.shortVarint(0x0f, "a tag beyond 32 bits");
  }

  private longSize(): number {
    return this.shortVarint(0x07, "a length beyond 31 bits");
  }

  /** A varint of 5 bytes at most, the fifth not above `highest`. */
  private shortVarint(highest: number, what: string): number {
    const { buf, pos: start } = this;
    const len = this.last();
    let value = 0;
    for (let i = 0, pos = start; i < 5; i++) {
      if (pos >= len) throw truncated(start, 1);
      const byte = buf[pos++]!;
      value |= (byte & 0x7f) << (7 * i);
      if (i === 4 && byte > highest) break;
      if (byte < 0x80) {
        if (this.strict) this.checkVarint(start, i, byte);
        this.pos = pos;
        return value >>> 0;
      }
    }
    throw new DecodeError("ERR_INVALID_BYTE", what, start);
  }

  /** A varint as signed 32-bit integer. */
  int32(): number {
    if (this.pos < this.len && this.buf[this.pos]! < 0x80) return this.buf[this.pos++]!;
    return this.longInt32();
  }

  private longInt32(): number {
    return this.strict ? this.narrow(this.pos, true) : this.longUint32() | 0;
  }

  /** A zigzag varint as signed 32-bit integer. */
  sint32(): number {
    return unzigzag32(this.uint32());
  }

  /** A varint as boolean: is any of its bits set? */
  bool(): boolean {
    if (this.pos < this.len && this.buf[this.pos]! < 0x80) return this.buf[this.pos++]! !== 0;
    return this.longBool();
  }

  private longBool(): boolean {
    return (this.varint64() | this.high) !== 0;
  }

  /** A varint as unsigned 64-bit integer; see {@link ReaderOptions.int64}. */
  uint64(): Int64Value {
    const low = this.varint64();
    return this.integer(low, this.high, false);
  }

  /** A varint as signed 64-bit integer. */
  int64(): Int64Value {
    const low = this.varint64();
    return this.integer(low, this.high, true);
  }

  /** A zigzag varint as signed 64-bit integer. */
  sint64(): Int64Value {
    const low = this.varint64();
    const { high } = this;
    return this.integer(unzigzag64Low(low >>> 0, high >>> 0) | 0, unzigzag64High(low >>> 0, high >>> 0) | 0, true);
  }

  /** Low word of a varint, as int32; `high` holds the other. */
  protected varint64(): number {
    const start = this.pos;
    const { buf } = this;
    if (this.strict || start + 10 > this.len) return this.rareVarint64(start);
    let byte = buf[start]!;
    let pos = start + 1;
    let low = byte & 0x7f;
    let high = 0;
    // Four bytes are of the low word alone, the fifth is of both.
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
        if (shift > 31) throw this.tooLong(start);
        byte = buf[pos++]!;
        high |= (byte & 0x7f) << shift;
      }
    }
    if (!(byte < 0x80)) return this.rareVarint64(start); // it is not there
    this.pos = pos;
    this.high = high;
    return low;
  }

  /** One near the end, or strict. */
  private rareVarint64(start: number): number {
    const { buf } = this;
    const len = this.last();
    let low = 0;
    let high = 0;
    for (let i = 0, pos = start; i < 10; i++) {
      if (pos >= len) throw truncated(start, 1);
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
    throw this.tooLong(start);
  }

  private integer(low: number, high: number, signed: boolean): Int64Value {
    if (this.int64Form === "bigint") return toBigInt(low, high, signed);
    const Long = this.int64Form === "number" ? null : this.longClass();
    if (Long !== null) return new Long(low, high, !signed);
    const value = toNumber(low, high, signed);
    if (Number.isSafeInteger(value) || this.int64Form !== "number") return value;
    throw new DecodeError("ERR_UNSAFE_INTEGER", "a 64-bit integer that a number cannot hold exactly", this.pos);
  }

  /** The Long to make, if any. */
  protected longClass(): LongConstructor | null {
    return currentLong();
  }

  /** An unsigned 32-bit integer of 4 bytes. */
  fixed32(): number {
    return this.sfixed32() >>> 0;
  }

  /** A signed 32-bit integer of 4 bytes. */
  sfixed32(): number {
    return this.word(this.take(4));
  }

  private word(pos: number): number {
    const { buf } = this;
    return buf[pos]! | (buf[pos + 1]! << 8) | (buf[pos + 2]! << 16) | (buf[pos + 3]! << 24);
  }

  /** An unsigned 64-bit integer of 8 bytes. */
  fixed64(): Int64Value {
    this.need(8);
    const low = this.sfixed32();
    return this.integer(low, this.sfixed32(), false);
  }

  /** A signed 64-bit integer of 8 bytes. */
  sfixed64(): Int64Value {
    this.need(8);
    const low = this.sfixed32();
    return this.integer(low, this.sfixed32(), true);
  }

  /** A number of 4 bytes. */
  float(): number {
    const pos = this.take(4);
    if (this.view !== null || ++this.numbers > FEW_NUMBERS) return this.viewed().getFloat32(pos, true);
    words[0] = this.word(pos);
    return floats[0]!;
  }

  /** A number of 8 bytes. */
  double(): number {
    const pos = this.take(8);
    if (this.view !== null || ++this.numbers > FEW_NUMBERS) return this.viewed().getFloat64(pos, true);
    words[LOW_WORD] = this.word(pos);
    words[1 - LOW_WORD] = this.word(pos + 4);
    return doubles[0]!;
  }

  /** Text with its length; malformed UTF-8 becomes U+FFFD. */
  string(): string {
    const end = this.open();
    const start = this.pos;
    this.pos = end;
    const text = this.text(start, end);
    if (text !== null) return text;
    if (this.strict) throw malformed(start);
    return readUtf8Lossy(this.buf, start, end);
  }

  /** Text with its length; `ERR_INVALID_UTF8` when it is malformed. Generated code of protobuf.js 8 reads proto3's strings by it. */
  stringVerify(): string {
    const end = this.open();
    const start = this.pos;
    this.pos = end;
    const text = this.text(start, end);
    if (text === null) throw malformed(start);
    return text;
  }

  private text(start: number, end: number): string | null {
    const text = this.view === null || end - start <= SHORT_TEXT ? readAscii(this.buf, start, end) : null;
    return text !== null ? text : readUtf8(this.buf, this.viewed(), start, end);
  }

  /** Bytes with their length: a view of `buf`, a Buffer of a Buffer. */
  bytes(): Uint8Array {
    const end = this.open();
    const start = this.pos;
    this.pos = end;
    return this.raw(start, end);
  }

  /** A view of bytes that were read, or will be. */
  raw(start: number, end: number): Uint8Array {
    return this.buf.subarray(start, end);
  }

  /** Skips so many bytes. */
  protected skipBytes(length: number): void {
    this.need(length);
    this.pos += length;
  }

  /** Skips a varint, however long. */
  protected skipVarint(): void {
    if (this.strict) {
      this.varint64();
      return;
    }
    const { buf } = this;
    const len = this.last();
    const start = this.pos;
    for (let pos = start; pos < len; ) {
      // So, and not as `< 0x80`: what lies before the first byte, where a caller's place may be, ends it at once.
      if (!(buf[pos++]! >= 0x80)) {
        this.pos = pos;
        return;
      }
    }
    throw truncated(start, 1);
  }

  /** Refuses the tag at `start` when it is none of a field. */
  protected checkTag(tag: number, start: number): void {
    if (tag >>> 3 === 0) throw noField(start);
    if ((tag & 7) > I32) throw new DecodeError("ERR_INVALID_BYTE", `there is no wire type ${tag & 7}`, start);
  }

  /**
   * Skips a field of this wire type. `field`: its number, which the end of a group has to repeat; `limit`: groups that may be
   * nested, of which `depth` are open.
   */
  protected skipField(wireType: number, field: number | undefined, depth: number, limit: number): void {
    if (depth > limit) throw new DecodeError("ERR_LIMIT_DEPTH", `groups nested beyond ${limit}`, this.pos);
    if (field === 0) throw noField(this.pos);
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
        throw new DecodeError("ERR_INVALID_BYTE", `no field begins with wire type ${describe(wireType)}`, this.pos);
    }
  }

  private skipGroup(field: number | undefined, depth: number, limit: number): void {
    for (;;) {
      const start = this.pos;
      const tag = this.fieldTag();
      const nested = tag >>> 3;
      if (nested === 0) throw noField(start);
      if ((tag & 7) !== EGROUP) this.skipField(tag & 7, nested, depth + 1, limit);
      else if (field === undefined || nested === field) return;
      else throw new DecodeError("ERR_INVALID_BYTE", `the end of group ${nested} inside of group ${field}`, start);
    }
  }

  /** Reads a length and checks that as many bytes are there; answers where they end. `pos` is where they begin. */
  protected open(): number {
    const start = this.pos;
    const length = this.size();
    const end = this.pos + length;
    if (end > this.len || end > this.buf.length) {
      this.pos = start;
      throw truncated(start, end - this.last());
    }
    return end;
  }

  /** Where bytes end: before `len`, if that was set beyond them, or if they were transferred away. */
  private last(): number {
    return Math.min(this.len, this.buf.length);
  }

  /** Checks that `n` bytes are there. */
  protected need(n: number): void {
    const missing = this.pos + n - this.last();
    if (missing > 0) throw truncated(this.pos, missing);
  }

  /** Takes `n` bytes; answers where they begin. */
  private take(n: number): number {
    const { pos } = this;
    const end = pos + n;
    if (end > this.len || end > this.buf.length) throw truncated(pos, end - this.last());
    this.pos = end;
    return pos;
  }

  /** A view over `buf`, made once it is of use. */
  protected viewed(): DataView {
    return (this.view ??= new DataView(this.buf.buffer, this.buf.byteOffset, this.buf.length));
  }
}

function fromList(list: unknown): Uint8Array {
  if (!Array.isArray(list)) throw invalidArgument(`expected a Uint8Array, not ${describe(list)}`);
  return new Uint8Array(list);
}

function noField(offset: number): DecodeError {
  return new DecodeError("ERR_INVALID_BYTE", "a tag of field 0", offset);
}

function malformed(start: number): DecodeError {
  return new DecodeError("ERR_INVALID_UTF8", "malformed UTF-8", start);
}
