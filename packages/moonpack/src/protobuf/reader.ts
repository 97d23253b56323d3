import { DecodeError, invalidArgument } from "../bytes/errors.js";
import { unzigzag32 } from "../bytes/zigzag.js";
import type { Int64Value } from "./int64.js";
import { FieldReader, type ReaderOptions } from "./read-fields.js";

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
  /** Groups that may be nested in a field that is skipped; generated code counts nested messages by its own limit. */
  static recursionLimit = 100;
  /** What {@link Reader.discardUnknown} is at first. */
  static discardUnknown = true;

  /** Let generated code of protobuf.js 8 drop fields that it does not know, instead of keeping them in `$unknowns`. */
  discardUnknown: boolean;

  /** `ERR_INVALID_ARGUMENT` for what is no Uint8Array and no plain list of bytes, and for options that make no sense. */
  // Written out, since arguments that are passed on as a list cost 20 ns.
  constructor(buffer: Uint8Array, options?: ReaderOptions) {
    super(buffer, options);
    this.discardUnknown = Reader.discardUnknown;
  }

  /** A new Reader, as protobuf.js's `create`: takes a plain list of bytes too. */
  static create(buffer: Uint8Array | readonly number[], options?: ReaderOptions): Reader {
    return new Reader(buffer as Uint8Array, options);
  }

  /** A tag: `field << 3 | wireType`. `ERR_INVALID_BYTE` above 32 bits. */
  tag(): number {
    return this.fieldTag();
  }

  /** Skips so many bytes, or goes back; without a number, skips a varint. `ERR_INVALID_ARGUMENT` for before the first byte. */
  skip(length?: number): this {
    if (typeof length !== "number") this.skipVarint();
    else if (this.pos + length >= 0) this.skipBytes(length);
    else throw invalidArgument(`there is nothing ${length} bytes on`);
    return this;
  }

  /**
   * Skips a field of this wire type. `field`: its number, which the end of a group has to repeat. `ERR_INVALID_BYTE` for what
   * is no wire type or no field, `ERR_LIMIT_DEPTH` for groups in groups beyond {@link Reader.recursionLimit}.
   */
  skipType(wireType: number, depth = 0, field?: number): this {
    this.skipField(wireType, field, depth, Reader.recursionLimit);
    return this;
  }

  // What is one byte, which most are, is read before the `try`: the loop within takes twice as long in Firefox.

  /** Packed unsigned 32-bit varints with their length, appended to `values` if given. */
  uint32s(values: number[] = []): number[] {
    const { buf, len } = this;
    const end = this.open();
    let { pos } = this;
    for (; pos < end && buf[pos]! < 0x80; pos++) values.push(buf[pos]!);
    this.pos = pos;
    if (pos === end) return values;
    this.len = end;
    try {
      while (this.pos < end) values.push(this.uint32());
    } finally {
      this.len = len;
    }
    return values;
  }

  /** Packed signed 32-bit varints. */
  int32s(values: number[] = []): number[] {
    const { buf, len } = this;
    const end = this.open();
    let { pos } = this;
    for (; pos < end && buf[pos]! < 0x80; pos++) values.push(buf[pos]!);
    this.pos = pos;
    if (pos === end) return values;
    this.len = end;
    try {
      while (this.pos < end) values.push(this.int32());
    } finally {
      this.len = len;
    }
    return values;
  }

  /** Packed zigzag 32-bit varints. */
  sint32s(values: number[] = []): number[] {
    const { buf, len } = this;
    const end = this.open();
    let { pos } = this;
    for (; pos < end && buf[pos]! < 0x80; pos++) values.push(unzigzag32(buf[pos]!));
    this.pos = pos;
    if (pos === end) return values;
    this.len = end;
    try {
      while (this.pos < end) values.push(this.sint32());
    } finally {
      this.len = len;
    }
    return values;
  }

  /** Packed booleans. */
  bools(values: boolean[] = []): boolean[] {
    const { buf, len } = this;
    const end = this.open();
    let { pos } = this;
    for (; pos < end && buf[pos]! < 0x80; pos++) values.push(buf[pos]! !== 0);
    this.pos = pos;
    if (pos === end) return values;
    this.len = end;
    try {
      while (this.pos < end) values.push(this.bool());
    } finally {
      this.len = len;
    }
    return values;
  }

  /** Packed unsigned 64-bit varints. */
  uint64s(values: Int64Value[] = []): Int64Value[] {
    const { len } = this;
    this.len = this.open();
    try {
      while (this.pos < this.len) values.push(this.uint64());
    } finally {
      this.len = len;
    }
    return values;
  }

  /** Packed signed 64-bit varints. */
  int64s(values: Int64Value[] = []): Int64Value[] {
    const { len } = this;
    this.len = this.open();
    try {
      while (this.pos < this.len) values.push(this.int64());
    } finally {
      this.len = len;
    }
    return values;
  }

  /** Packed zigzag 64-bit varints. */
  sint64s(values: Int64Value[] = []): Int64Value[] {
    const { len } = this;
    this.len = this.open();
    try {
      while (this.pos < this.len) values.push(this.sint64());
    } finally {
      this.len = len;
    }
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
