import { DecodeError, describe } from "../bytes/errors.js";
import type { Int64Value } from "./int64.js";
import { EGROUP, FieldReader, I32, I64, LEN, type ReaderOptions, SGROUP, VARINT } from "./read-fields.js";

/** Groups that may be nested in a field that is skipped, as in protobuf.js 8. */
const MAX_GROUPS = 100;

/**
 * Reads Protobuf messages, field by field: drops into the code that pbjs and ts-proto generate.
 *
 * Every error is a {@link DecodeError} with the offset where the item begins: `ERR_TRUNCATED`, `ERR_INVALID_BYTE`,
 * `ERR_INVALID_UTF8`, `ERR_LIMIT_DEPTH`.
 *
 * @example
 * const reader = new Reader(bytes);
 * while (reader.pos < reader.len) { const tag = reader.tag(); if (tag === 10) name = reader.string(); else reader.skipType(tag & 7); }
 */
export class Reader extends FieldReader {
  /** A new Reader, as protobuf.js's `create`: takes a plain list of bytes too. */
  static create(buffer: Uint8Array | readonly number[], options?: ReaderOptions): Reader {
    return new Reader(Array.isArray(buffer) ? Uint8Array.from(buffer) : (buffer as Uint8Array), options);
  }

  /**
   * Skips a field of this wire type. `field`: its number, which the end of a group has to repeat. `ERR_INVALID_BYTE` for what
   * is no wire type or no field, `ERR_LIMIT_DEPTH` for groups in groups beyond 100.
   */
  skipType(wireType: number, depth = 0, field?: number): this {
    if (depth > MAX_GROUPS) throw new DecodeError("ERR_LIMIT_DEPTH", `groups nested beyond ${MAX_GROUPS}`, this.pos);
    if (field === 0) throw noField(this.pos);
    switch (wireType) {
      case VARINT:
        return this.skip();
      case I64:
        return this.skip(8);
      case LEN:
        this.pos = this.open();
        return this;
      case SGROUP:
        return this.skipGroup(depth, field);
      case I32:
        return this.skip(4);
      default:
        throw new DecodeError(
          "ERR_INVALID_BYTE",
          `${describe(wireType)} is no wire type that a field begins with`,
          this.pos,
        );
    }
  }

  private skipGroup(depth: number, field: number | undefined): this {
    for (;;) {
      const start = this.pos;
      const tag = this.tag();
      const nested = tag >>> 3;
      if (nested === 0) throw noField(start);
      if ((tag & 7) !== EGROUP) this.skipType(tag & 7, depth + 1, nested);
      else if (field === undefined || nested === field) return this;
      else throw new DecodeError("ERR_INVALID_BYTE", `the end of group ${nested} inside of group ${field}`, start);
    }
  }

  /** Packed unsigned 32-bit varints with their length, appended to `values` if given. */
  uint32s(values: number[] = []): number[] {
    const { len } = this;
    this.len = this.open();
    while (this.pos < this.len) values.push(this.uint32());
    this.len = len;
    return values;
  }

  /** Packed signed 32-bit varints. */
  int32s(values: number[] = []): number[] {
    const { len } = this;
    this.len = this.open();
    while (this.pos < this.len) values.push(this.int32());
    this.len = len;
    return values;
  }

  /** Packed zigzag 32-bit varints. */
  sint32s(values: number[] = []): number[] {
    const { len } = this;
    this.len = this.open();
    while (this.pos < this.len) values.push(this.sint32());
    this.len = len;
    return values;
  }

  /** Packed booleans. */
  bools(values: boolean[] = []): boolean[] {
    const { len } = this;
    this.len = this.open();
    while (this.pos < this.len) values.push(this.bool());
    this.len = len;
    return values;
  }

  /** Packed unsigned 64-bit varints. */
  uint64s(values: Int64Value[] = []): Int64Value[] {
    const { len } = this;
    this.len = this.open();
    while (this.pos < this.len) values.push(this.uint64());
    this.len = len;
    return values;
  }

  /** Packed signed 64-bit varints. */
  int64s(values: Int64Value[] = []): Int64Value[] {
    const { len } = this;
    this.len = this.open();
    while (this.pos < this.len) values.push(this.int64());
    this.len = len;
    return values;
  }

  /** Packed zigzag 64-bit varints. */
  sint64s(values: Int64Value[] = []): Int64Value[] {
    const { len } = this;
    this.len = this.open();
    while (this.pos < this.len) values.push(this.sint64());
    this.len = len;
    return values;
  }

  /** Packed unsigned 32-bit integers of 4 bytes. */
  fixed32s(values: number[] = []): number[] {
    const end = this.whole(4);
    if (this.pos === end) return values;
    const view = this.viewed();
    for (let { pos } = this; pos < end; pos += 4) values.push(view.getUint32(pos, true));
    this.pos = end;
    return values;
  }

  /** Packed signed 32-bit integers of 4 bytes. */
  sfixed32s(values: number[] = []): number[] {
    const end = this.whole(4);
    if (this.pos === end) return values;
    const view = this.viewed();
    for (let { pos } = this; pos < end; pos += 4) values.push(view.getInt32(pos, true));
    this.pos = end;
    return values;
  }

  /** Packed numbers of 4 bytes. */
  floats(values: number[] = []): number[] {
    const end = this.whole(4);
    if (this.pos === end) return values;
    const view = this.viewed();
    for (let { pos } = this; pos < end; pos += 4) values.push(view.getFloat32(pos, true));
    this.pos = end;
    return values;
  }

  /** Packed numbers of 8 bytes. */
  doubles(values: number[] = []): number[] {
    const end = this.whole(8);
    if (this.pos === end) return values;
    const view = this.viewed();
    for (let { pos } = this; pos < end; pos += 8) values.push(view.getFloat64(pos, true));
    this.pos = end;
    return values;
  }

  /** Packed unsigned 64-bit integers of 8 bytes. */
  fixed64s(values: Int64Value[] = []): Int64Value[] {
    for (const end = this.whole(8); this.pos < end; ) values.push(this.fixed64());
    return values;
  }

  /** Packed signed 64-bit integers of 8 bytes. */
  sfixed64s(values: Int64Value[] = []): Int64Value[] {
    for (const end = this.whole(8); this.pos < end; ) values.push(this.sfixed64());
    return values;
  }

  /** As `open`, of items of `size` bytes each. */
  private whole(size: number): number {
    const start = this.pos;
    const end = this.open();
    const over = (end - this.pos) % size;
    if (over !== 0) throw new DecodeError("ERR_TRUNCATED", `packed items of ${size} bytes end with ${over}`, start);
    return end;
  }
}

function noField(offset: number): DecodeError {
  return new DecodeError("ERR_INVALID_BYTE", "a tag of field 0", offset);
}
