import { putUvar32, putUvar64, uvar32Size } from "../bytes/varint.js";
import { zigzag32, zigzag64High, zigzag64Low } from "../bytes/zigzag.js";
import { FieldWriter, putNegative } from "./fields.js";
import { type Int64Input, toWords, words } from "./int64.js";
import { countOf, numberOf } from "./loose.js";

/**
 * Writes Protobuf messages, field by field: drops into the code that pbjs and ts-proto generate.
 *
 * @example
 * const bytes = new Writer().uint32(10).string("é").uint32(16).int32(-1).finish();
 * Message.encode(message, new Writer()).finish();
 */
export class Writer extends FieldWriter {
  /** A new Writer, as protobuf.js's `create`. */
  static create(): Writer {
    return new Writer();
  }

  /** New memory, as protobuf.js's `alloc`. */
  static alloc(size: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(size);
  }

  /** Packed unsigned 32-bit varints, with their length. */
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

  /** Packed signed 32-bit varints. */
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

  /** Packed zigzag 32-bit varints. */
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

  /** Packed unsigned 64-bit varints. */
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

  /** Packed signed 64-bit varints. */
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

  /** Packed zigzag 64-bit varints. */
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

  /** Packed booleans. */
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

  /** Packed unsigned 32-bit integers of 4 bytes. */
  fixed32s(values: ArrayLike<number>): this {
    const n = countOf(values);
    let at = this.sized(4 * n);
    const { numbers, strict } = this;
    try {
      for (let i = 0; i < n; i++, at += 4) {
        const value = values[i]!;
        if (strict) this.checkInteger("fixed32", numberOf(value) >>> 0, value);
        numbers.setInt32(at, typeof value === "number" ? value : numberOf(value), true);
      }
      this.at = at;
    } finally {
      this.unlock();
    }
    return this;
  }

  /** Packed signed 32-bit integers of 4 bytes. */
  sfixed32s(values: ArrayLike<number>): this {
    const n = countOf(values);
    let at = this.sized(4 * n);
    const { numbers, strict } = this;
    try {
      for (let i = 0; i < n; i++, at += 4) {
        const value = values[i]!;
        if (strict) this.checkInteger("sfixed32", numberOf(value) | 0, value);
        numbers.setInt32(at, typeof value === "number" ? value : numberOf(value), true);
      }
      this.at = at;
    } finally {
      this.unlock();
    }
    return this;
  }

  /** Packed unsigned 64-bit integers of 8 bytes. */
  fixed64s(values: ArrayLike<Int64Input>): this {
    const n = countOf(values);
    let at = this.sized(8 * n);
    try {
      for (let i = 0; i < n; i++, at += 8) {
        toWords(values[i]!, this.strict, false);
        this.numbers.setInt32(at, words.low, true);
        this.numbers.setInt32(at + 4, words.high, true);
      }
      this.at = at;
    } finally {
      this.unlock();
    }
    return this;
  }

  /** Packed signed 64-bit integers of 8 bytes. */
  sfixed64s(values: ArrayLike<Int64Input>): this {
    const n = countOf(values);
    let at = this.sized(8 * n);
    try {
      for (let i = 0; i < n; i++, at += 8) {
        toWords(values[i]!, this.strict, true);
        this.numbers.setInt32(at, words.low, true);
        this.numbers.setInt32(at + 4, words.high, true);
      }
      this.at = at;
    } finally {
      this.unlock();
    }
    return this;
  }

  /** Packed numbers of 4 bytes. */
  floats(values: ArrayLike<number>): this {
    const n = countOf(values);
    let at = this.sized(4 * n);
    const { numbers, strict } = this;
    try {
      for (let i = 0; i < n; i++, at += 4) {
        const value = values[i]!;
        if (strict) this.checkNumber("float", value);
        numbers.setFloat32(at, typeof value === "number" ? value : numberOf(value), true);
      }
      this.at = at;
    } finally {
      this.unlock();
    }
    return this;
  }

  /** Packed numbers of 8 bytes. */
  doubles(values: ArrayLike<number>): this {
    const n = countOf(values);
    let at = this.sized(8 * n);
    const { numbers, strict } = this;
    try {
      for (let i = 0; i < n; i++, at += 8) {
        const value = values[i]!;
        if (strict) this.checkNumber("double", value);
        numbers.setFloat64(at, typeof value === "number" ? value : numberOf(value), true);
      }
      this.at = at;
    } finally {
      this.unlock();
    }
    return this;
  }

  /** Makes room for `n` varints of `room` bytes together and their length; answers where they begin. */
  private open(n: number, room: number): number {
    if (this.at + room + 5 > this.limit) this.grow(room + 5);
    this.lock();
    return this.at + uvar32Size(n);
  }

  /** Writes the length of what lies from `start` to `end`, which was guessed to take as many bytes as that of their number. */
  private close(start: number, end: number): this {
    const { memory, at } = this;
    const length = end - start;
    const prefix = uvar32Size(length);
    if (at + prefix !== start) memory.copyWithin(at + prefix, start, end);
    putUvar32(memory, at, length);
    this.at = at + prefix + length;
    return this;
  }

  /** Writes a length and makes room for as many bytes; answers where they begin. The caller moves `at`. */
  private sized(length: number): number {
    if (this.at + length + 5 > this.limit) this.grow(length + 5);
    this.lock();
    return putUvar32(this.memory, this.at, length);
  }
}
