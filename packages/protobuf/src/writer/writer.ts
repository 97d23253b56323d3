import { putUvar32, putUvar64, refuseUnknown, uvar32Size, zigzag32, zigzag64High, zigzag64Low } from "moonpack/bytes";
import { countOf, numberOf } from "../coerce.js";
import { type Int64Input, toWords, words } from "../int64.js";
import { FieldWriter, putNegative, type WriterOptions } from "./fields.js";

/**
 * Writes Protobuf messages, field by field. It takes the place of protobuf.js's Writer in the code that pbjs and ts-proto generate.
 *
 * @example
 * const bytes = new Writer().uint32(10).string("é").uint32(16).int32(-1).finish();
 * Message.encode(message, new Writer()).finish();
 */
export class Writer extends FieldWriter {
  /** Throws `ERR_INVALID_ARGUMENT` for an unknown or invalid option. */
  constructor(options?: WriterOptions) {
    super(options);
    if (options !== undefined) refuseUnknown(options, ["strict"]);
  }

  /** Returns a new Writer, like protobuf.js's `create`. */
  static create(): Writer {
    return new Writer();
  }

  /** Returns new memory, like protobuf.js's `alloc`. */
  static alloc(size: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(size);
  }

  // The packed writers are written out, one loop for each type: hot loops keep their straight lines. An element may run code
  // (a getter, `valueOf`), so the Writer is locked during the loop.

  /** Writes packed unsigned 32-bit varints after their length. */
  uint32s(values: ArrayLike<number>): this {
    const n = countOf(values);
    const start = this.open(n, 5 * n);
    const { memory, strict } = this;
    let at = start;
    try {
      for (let i = 0; i < n; i++) {
        const given = values[i]!;
        const value = (typeof given === "number" ? given : numberOf(given)) >>> 0;
        if (strict) this.checkInteger("uint32", value, given);
        at = putUvar32(memory, at, value);
      }
    } finally {
      this.unlock();
    }
    return this.close(start, at);
  }

  /** Writes packed signed 32-bit varints after their length. */
  int32s(values: ArrayLike<number>): this {
    const n = countOf(values);
    const start = this.open(n, 10 * n);
    const { memory, strict } = this;
    let at = start;
    try {
      for (let i = 0; i < n; i++) {
        const given = values[i]!;
        const value = (typeof given === "number" ? given : numberOf(given)) | 0;
        if (strict) this.checkInteger("int32", value, given);
        at = value >= 0 ? putUvar32(memory, at, value) : putNegative(memory, at, value);
      }
    } finally {
      this.unlock();
    }
    return this.close(start, at);
  }

  /** Writes packed zigzag 32-bit varints after their length. */
  sint32s(values: ArrayLike<number>): this {
    const n = countOf(values);
    const start = this.open(n, 5 * n);
    const { memory, strict } = this;
    let at = start;
    try {
      for (let i = 0; i < n; i++) {
        const given = values[i]!;
        const value = (typeof given === "number" ? given : numberOf(given)) | 0;
        if (strict) this.checkInteger("sint32", value, given);
        at = putUvar32(memory, at, zigzag32(value));
      }
    } finally {
      this.unlock();
    }
    return this.close(start, at);
  }

  /** Writes packed unsigned 64-bit varints after their length. */
  uint64s(values: ArrayLike<Int64Input>): this {
    const n = countOf(values);
    const start = this.open(n, 10 * n);
    let at = start;
    try {
      for (let i = 0; i < n; i++) {
        toWords(values[i]!, this.strict, false);
        at = putUvar64(this.memory, at, words.low >>> 0, words.high >>> 0);
      }
    } finally {
      this.unlock();
    }
    return this.close(start, at);
  }

  /** Writes packed signed 64-bit varints after their length. */
  int64s(values: ArrayLike<Int64Input>): this {
    const n = countOf(values);
    const start = this.open(n, 10 * n);
    let at = start;
    try {
      for (let i = 0; i < n; i++) {
        toWords(values[i]!, this.strict, true);
        at = putUvar64(this.memory, at, words.low >>> 0, words.high >>> 0);
      }
    } finally {
      this.unlock();
    }
    return this.close(start, at);
  }

  /** Writes packed zigzag 64-bit varints after their length. */
  sint64s(values: ArrayLike<Int64Input>): this {
    const n = countOf(values);
    const start = this.open(n, 10 * n);
    let at = start;
    try {
      for (let i = 0; i < n; i++) {
        toWords(values[i]!, this.strict, true);
        at = putUvar64(this.memory, at, zigzag64Low(words.low, words.high), zigzag64High(words.low, words.high));
      }
    } finally {
      this.unlock();
    }
    return this.close(start, at);
  }

  /** Writes packed booleans after their length. */
  bools(values: ArrayLike<boolean>): this {
    const n = countOf(values);
    let at = this.sized(n);
    try {
      for (let i = 0; i < n; i++) this.memory[at++] = values[i] ? 1 : 0;
      this.at = at;
    } finally {
      this.unlock();
    }
    return this;
  }

  /** Writes packed unsigned 32-bit integers of 4 bytes after their length. */
  fixed32s(values: ArrayLike<number>): this {
    const n = countOf(values);
    let at = this.sized(4 * n);
    const { memoryView, strict } = this;
    try {
      for (let i = 0; i < n; i++, at += 4) {
        const value = values[i]!;
        if (strict) this.checkInteger("fixed32", numberOf(value) >>> 0, value);
        memoryView.setInt32(at, typeof value === "number" ? value : numberOf(value), true);
      }
      this.at = at;
    } finally {
      this.unlock();
    }
    return this;
  }

  /** Writes packed signed 32-bit integers of 4 bytes after their length. */
  sfixed32s(values: ArrayLike<number>): this {
    const n = countOf(values);
    let at = this.sized(4 * n);
    const { memoryView, strict } = this;
    try {
      for (let i = 0; i < n; i++, at += 4) {
        const value = values[i]!;
        if (strict) this.checkInteger("sfixed32", numberOf(value) | 0, value);
        memoryView.setInt32(at, typeof value === "number" ? value : numberOf(value), true);
      }
      this.at = at;
    } finally {
      this.unlock();
    }
    return this;
  }

  /** Writes packed unsigned 64-bit integers of 8 bytes after their length. */
  fixed64s(values: ArrayLike<Int64Input>): this {
    const n = countOf(values);
    let at = this.sized(8 * n);
    try {
      for (let i = 0; i < n; i++, at += 8) {
        toWords(values[i]!, this.strict, false);
        this.memoryView.setInt32(at, words.low, true);
        this.memoryView.setInt32(at + 4, words.high, true);
      }
      this.at = at;
    } finally {
      this.unlock();
    }
    return this;
  }

  /** Writes packed signed 64-bit integers of 8 bytes after their length. */
  sfixed64s(values: ArrayLike<Int64Input>): this {
    const n = countOf(values);
    let at = this.sized(8 * n);
    try {
      for (let i = 0; i < n; i++, at += 8) {
        toWords(values[i]!, this.strict, true);
        this.memoryView.setInt32(at, words.low, true);
        this.memoryView.setInt32(at + 4, words.high, true);
      }
      this.at = at;
    } finally {
      this.unlock();
    }
    return this;
  }

  /** Writes packed numbers of 4 bytes after their length. */
  floats(values: ArrayLike<number>): this {
    const n = countOf(values);
    let at = this.sized(4 * n);
    const { memoryView, strict } = this;
    try {
      for (let i = 0; i < n; i++, at += 4) {
        const value = values[i]!;
        if (strict) this.checkNumber("float", value);
        memoryView.setFloat32(at, typeof value === "number" ? value : numberOf(value), true);
      }
      this.at = at;
    } finally {
      this.unlock();
    }
    return this;
  }

  /** Writes packed numbers of 8 bytes after their length. */
  doubles(values: ArrayLike<number>): this {
    const n = countOf(values);
    let at = this.sized(8 * n);
    const { memoryView, strict } = this;
    try {
      for (let i = 0; i < n; i++, at += 8) {
        const value = values[i]!;
        if (strict) this.checkNumber("double", value);
        memoryView.setFloat64(at, typeof value === "number" ? value : numberOf(value), true);
      }
      this.at = at;
    } finally {
      this.unlock();
    }
    return this;
  }

  /** @internal Makes space for `n` varints of at most `room` bytes and for their length. Returns where they begin, as guessed. */
  open(n: number, room: number): number {
    if (this.at + room + 5 > this.limit) this.grow(room + 5);
    this.lock();
    return this.at + uvar32Size(n);
  }

  /** @internal Writes the length of the packed bytes `[start..end)`. They move if the guess of `open` was wrong. */
  close(start: number, end: number): this {
    const { memory, at } = this;
    const length = end - start;
    const prefix = uvar32Size(length);
    if (at + prefix !== start) memory.copyWithin(at + prefix, start, end);
    putUvar32(memory, at, length);
    this.at = at + prefix + length;
    return this;
  }

  /** @internal Makes space for `length` bytes and writes the length. Returns where they begin. The caller sets `at`. */
  sized(length: number): number {
    if (this.at + length + 5 > this.limit) this.grow(length + 5);
    this.lock();
    return putUvar32(this.memory, this.at, length);
  }
}
