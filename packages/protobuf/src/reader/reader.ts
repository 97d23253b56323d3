import { DecodeError, invalidArgument, MAX_LIST_ELEMENTS, refuseUnknown, unzigzag32 } from "moonpack/bytes";
import type { Int64Value } from "../int64.js";
import { attachedErrors } from "./attached-errors.js";
import { type FailedCall, FieldReader, type ReaderOptions } from "./fields.js";

/** Bytes of the longest varint. */
const LONGEST_VARINT = 10;

/**
 * Reads Protobuf messages, field by field. It takes the place of protobuf.js's Reader in the code that pbjs and ts-proto generate.
 *
 * Every error is a {@link DecodeError} with the offset where the item begins: `ERR_TRUNCATED`, `ERR_INVALID_BYTE`,
 * `ERR_INVALID_UTF8`, `ERR_LIMIT_DEPTH`. While a protobuf.js is attached, it also is an instance of the class that its Reader
 * throws, with the same text.
 *
 * @example
 * const reader = new Reader(bytes);
 * while (reader.pos < reader.len) { const tag = reader.tag(); if (tag === 10) name = reader.string(); else reader.skipType(tag & 7); }
 */
export class Reader extends FieldReader {
  /** How deep groups may be nested in a field that is skipped. Generated code has its own limit for nested messages. */
  static recursionLimit = 100;
  /** The initial value of {@link Reader.discardUnknown} of each Reader. */
  static discardUnknown = true;

  /** If true, generated code of protobuf.js 8 drops unknown fields. Otherwise it keeps them in `$unknowns`. */
  discardUnknown: boolean;

  /**
   * Throws `ERR_INVALID_ARGUMENT` if `buffer` is neither a Uint8Array nor an array of bytes, and for an unknown or invalid
   * option.
   */
  // Written out: the default constructor passes its arguments as a list, which costs 20 ns.
  constructor(buffer: Uint8Array, options?: ReaderOptions) {
    super(buffer, options);
    if (options !== undefined) refuseUnknown(options, ["strict", "int64"]);
    this.discardUnknown = Reader.discardUnknown;
  }

  /** Returns a new Reader, as protobuf.js's `create`. It accepts an array of bytes too. */
  static create(buffer: Uint8Array | readonly number[], options?: ReaderOptions): Reader {
    return new Reader(buffer as Uint8Array, options);
  }

  /** Reads a tag: `field << 3 | wireType`. Throws `ERR_INVALID_BYTE` if it does not fit into 32 bits. */
  tag(): number {
    return this.fieldTag();
  }

  /**
   * Skips `length` bytes, or goes back if it is negative. Without a length, skips a varint. Throws `ERR_INVALID_ARGUMENT` if that is
   * before the first byte.
   */
  skip(length?: number): this {
    if (typeof length !== "number") this.skipVarint();
    else if (this.pos + length >= 0) this.skipBytes(length);
    else throw invalidArgument(`cannot skip ${length} bytes from byte ${this.pos}`);
    return this;
  }

  /**
   * Skips the content of a field with this wire type. `field` is its number, which the end of a group has to repeat; `depth` is
   * how many groups are open. Throws `ERR_INVALID_BYTE` for an unknown wire type and for field number 0, `ERR_LIMIT_DEPTH` for groups
   * that are nested deeper than {@link Reader.recursionLimit}.
   */
  skipType(wireType: number, depth = 0, field?: number): this {
    this.skipField(wireType, field, depth, Reader.recursionLimit);
    return this;
  }

  // The packed readers read values of one and two bytes, as most are, in a loop without a `try`: a loop inside it takes twice as
  // long in Firefox. They append to `values`, which has the complete values before the failure if they throw.

  /** Reads packed unsigned 32-bit varints after their length, and appends them to `values`. */
  uint32s(values: number[] = []): number[] {
    const { buf } = this;
    const end = this.openVarints(values);
    for (let { pos } = this; pos < end; ) {
      const first = buf[pos]!;
      const second = pos + 1 < end ? buf[pos + 1]! : 0;
      if (first < 0x80) {
        values.push(first);
        pos++;
      } else if (second > 0 && second < 0x80) {
        values.push((first & 0x7f) | (second << 7));
        pos += 2;
      } else {
        this.pos = pos;
        values.push(pos + LONGEST_VARINT <= end ? this.longUint32() : this.within(end, "uint32"));
        pos = this.pos;
      }
    }
    this.pos = end;
    return values;
  }

  /** Reads packed signed 32-bit varints after their length, and appends them to `values`. */
  int32s(values: number[] = []): number[] {
    const { buf } = this;
    const end = this.openVarints(values);
    for (let { pos } = this; pos < end; ) {
      const first = buf[pos]!;
      const second = pos + 1 < end ? buf[pos + 1]! : 0;
      if (first < 0x80) {
        values.push(first);
        pos++;
      } else if (second > 0 && second < 0x80) {
        values.push((first & 0x7f) | (second << 7));
        pos += 2;
      } else {
        this.pos = pos;
        values.push(pos + LONGEST_VARINT <= end ? this.longInt32() : this.within(end, "int32"));
        pos = this.pos;
      }
    }
    this.pos = end;
    return values;
  }

  /** Reads packed zigzag 32-bit varints after their length, and appends them to `values`. */
  sint32s(values: number[] = []): number[] {
    const { buf } = this;
    const end = this.openVarints(values);
    for (let { pos } = this; pos < end; ) {
      const first = buf[pos]!;
      const second = pos + 1 < end ? buf[pos + 1]! : 0;
      if (first < 0x80) {
        values.push(unzigzag32(first));
        pos++;
      } else if (second > 0 && second < 0x80) {
        values.push(unzigzag32((first & 0x7f) | (second << 7)));
        pos += 2;
      } else {
        this.pos = pos;
        values.push(pos + LONGEST_VARINT <= end ? this.sint32() : this.within(end, "sint32"));
        pos = this.pos;
      }
    }
    this.pos = end;
    return values;
  }

  /** Reads packed booleans after their length, and appends them to `values`. */
  bools(values: boolean[] = []): boolean[] {
    const { buf, len } = this;
    const end = this.openVarints(values);
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

  /** Reads packed unsigned 64-bit varints after their length, and appends them to `values`. */
  uint64s(values: Int64Value[] = []): Int64Value[] {
    const { len } = this;
    this.len = this.openVarints(values);
    try {
      while (this.pos < this.len) values.push(this.uint64());
    } finally {
      this.len = len;
    }
    return values;
  }

  /** Reads packed signed 64-bit varints after their length, and appends them to `values`. */
  int64s(values: Int64Value[] = []): Int64Value[] {
    const { len } = this;
    this.len = this.openVarints(values);
    try {
      while (this.pos < this.len) values.push(this.int64());
    } finally {
      this.len = len;
    }
    return values;
  }

  /** Reads packed zigzag 64-bit varints after their length, and appends them to `values`. */
  sint64s(values: Int64Value[] = []): Int64Value[] {
    const { len } = this;
    this.len = this.openVarints(values);
    try {
      while (this.pos < this.len) values.push(this.sint64());
    } finally {
      this.len = len;
    }
    return values;
  }

  /** Reads packed unsigned 32-bit integers of 4 bytes after their length, and appends them to `values`. */
  fixed32s(values: number[] = []): number[] {
    const end = this.openWhole(4, "fixed32s", values);
    if (this.pos === end) return values;
    const view = this.viewed();
    for (let { pos } = this; pos < end; pos += 4) values.push(view.getUint32(pos, true));
    this.pos = end;
    return values;
  }

  /** Reads packed signed 32-bit integers of 4 bytes after their length, and appends them to `values`. */
  sfixed32s(values: number[] = []): number[] {
    const end = this.openWhole(4, "sfixed32s", values);
    if (this.pos === end) return values;
    const view = this.viewed();
    for (let { pos } = this; pos < end; pos += 4) values.push(view.getInt32(pos, true));
    this.pos = end;
    return values;
  }

  /** Reads packed numbers of 4 bytes after their length, and appends them to `values`. */
  floats(values: number[] = []): number[] {
    const end = this.openWhole(4, "floats", values);
    if (this.pos === end) return values;
    const view = this.viewed();
    for (let { pos } = this; pos < end; pos += 4) values.push(view.getFloat32(pos, true));
    this.pos = end;
    return values;
  }

  /** Reads packed numbers of 8 bytes after their length, and appends them to `values`. */
  doubles(values: number[] = []): number[] {
    const end = this.openWhole(8, "doubles", values);
    if (this.pos === end) return values;
    const view = this.viewed();
    for (let { pos } = this; pos < end; pos += 8) values.push(view.getFloat64(pos, true));
    this.pos = end;
    return values;
  }

  /** Reads packed unsigned 64-bit integers of 8 bytes after their length, and appends them to `values`. */
  fixed64s(values: Int64Value[] = []): Int64Value[] {
    for (const end = this.openWhole(8, "fixed64s", values); this.pos < end; ) values.push(this.fixed64());
    return values;
  }

  /** Reads packed signed 64-bit integers of 8 bytes after their length, and appends them to `values`. */
  sfixed64s(values: Int64Value[] = []): Int64Value[] {
    for (const end = this.openWhole(8, "sfixed64s", values); this.pos < end; ) values.push(this.sfixed64());
    return values;
  }

  /** @internal Reads a packed varint near the end of its list, which must not reach beyond that. */
  within(end: number, call: "uint32" | "int32" | "sint32"): number {
    const { len } = this;
    this.len = end;
    try {
      return this[call]();
    } finally {
      this.len = len;
    }
  }

  /** @internal Like `open`, for packed varints that are appended to `values`. Throws `ERR_LIMIT_ELEMENTS` for more than a list can have. */
  openVarints(values: unknown[]): number {
    const start = this.pos;
    const end = this.open();
    // The varints are counted only if there could be too many.
    if (
      values.length + end - this.pos > MAX_LIST_ELEMENTS &&
      values.length + this.countVarints(end) > MAX_LIST_ELEMENTS
    ) {
      this.pos = start;
      throw tooManyItems(start);
    }
    return end;
  }

  /** @internal Reads the varints that end before `end`. */
  countVarints(end: number): number {
    let count = 0;
    for (let { pos } = this; pos < end; pos++) if (this.buf[pos]! < 0x80) count++;
    return count;
  }

  /** @internal Like `open`, for packed items of `size` bytes each. */
  openWhole(size: number, call: FailedCall, values: unknown[]): number {
    const start = this.pos;
    const end = this.open();
    const rest = (end - this.pos) % size;
    if (rest === 0) {
      if (values.length + (end - this.pos) / size <= MAX_LIST_ELEMENTS) return end;
      this.pos = start;
      throw tooManyItems(start);
    }
    const error = new DecodeError(
      "ERR_TRUNCATED",
      `packed items of ${size} bytes end after ${rest} bytes of one`,
      start,
    );
    throw this.failure(error, call, values);
  }

  /** @internal Errors of the library that is attached first, if any; see {@link FieldReader.failure}. */
  override failure(error: DecodeError, call: FailedCall, argument?: unknown): Error {
    const { translate } = attachedErrors;
    return translate === null ? error : translate(this, error, call, argument);
  }
}

/** Not the library's own error: its Reader would fill the list, and end the process. */
function tooManyItems(offset: number): DecodeError {
  return new DecodeError("ERR_LIMIT_ELEMENTS", `more than ${MAX_LIST_ELEMENTS} values in a list`, offset);
}
