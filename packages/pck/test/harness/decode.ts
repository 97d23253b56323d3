/** The reference model of PCK, 6: decoding, and its errors in the order of the bytes. */
import { compareKeys, meansAbsent } from "./encode.ts";
import type { Layout } from "./layout.ts";
import { floatJson, floatOf, integerOf, unzigzag } from "./numbers.ts";
import { type DocumentField, type DocumentType, isInBits, isWide, type Json, shapeOf } from "./shape.ts";
import { base64Of, textOf } from "./text.ts";

/** The error that a decoder must report. */
export interface Rejection {
  readonly code: string;
  readonly offset: number;
  /** Missing if it is 0. */
  readonly needMore?: number;
}

/** The value in its JSON form, or the error. */
export type Decoded = { readonly value: Json } | { readonly error: Rejection };

/** Thrown. Not an `Error`: its stack would cost more time than everything else. */
class Rejected {
  readonly rejection: Rejection;
  constructor(code: string, offset: number, needMore = 0) {
    this.rejection = needMore > 0 ? { code, offset, needMore } : { code, offset };
  }
}

/** Decodes a message of the layout's root. */
export function decodeReference(layout: Layout, bytes: readonly number[], maxDepth = 512): Decoded {
  try {
    return { value: new ReferenceReader(layout, bytes, maxDepth).message() };
  } catch (error) {
    if (error instanceof Rejected) return { error: error.rejection };
    throw error;
  }
}

class ReferenceReader {
  readonly #layout: Layout;
  readonly #bytes: readonly number[];
  readonly #maxDepth: number;
  #at = 0;
  /** The bytes that each open container reserves for elements that have not begun. */
  readonly #reserved: number[] = [];

  constructor(layout: Layout, bytes: readonly number[], maxDepth: number) {
    this.#layout = layout;
    this.#bytes = bytes;
    this.#maxDepth = maxDepth;
  }

  message(): Json {
    const value = this.#struct(this.#layout.doc.root, 1, []);
    if (this.#at < this.#bytes.length) throw new Rejected("ERR_TRAILING_BYTES", this.#at);
    return value;
  }

  /** Returns the next `size` bytes of the item that begins at `start`. */
  #take(start: number, size: number): readonly number[] {
    const missing = this.#at + size - this.#bytes.length;
    if (missing > 0) throw new Rejected("ERR_TRUNCATED", start, missing);
    this.#at += size;
    return this.#bytes.slice(this.#at - size, this.#at);
  }

  #enter(depth: number): void {
    if (depth > this.#maxDepth) throw new Rejected("ERR_LIMIT_DEPTH", this.#at);
  }

  /** Reads a varint of `bits` bits in an item that begins at `start`. */
  #varint(start: number, bits: 32 | 64): bigint {
    const most = bits === 32 ? 5 : 10;
    const last = bits === 32 ? 0x0f : 0x01;
    let value = 0n;
    for (let i = 0; i < most; i++) {
      const [byte = 0] = this.#take(start, 1);
      if (i === most - 1 && byte > last) throw new Rejected("ERR_OUT_OF_RANGE", start);
      value |= BigInt(byte & 127) << BigInt(7 * i);
      if (byte >= 128) continue;
      if (byte === 0 && i > 0) throw new Rejected("ERR_NOT_SHORTEST", start);
      return value;
    }
    throw new Error("the last byte ends it");
  }

  #count(): number {
    return Number(this.#varint(this.#at, 32));
  }

  #index(names: number): number {
    const start = this.#at;
    const index = this.#count();
    if (index >= names) throw new Rejected("ERR_UNKNOWN_INDEX", start);
    return index;
  }

  /** Reads a count, and checks what its elements and all open containers owe. */
  #containerCount(least: (count: number) => number): number {
    const start = this.#at;
    const count = this.#count();
    const reserved = this.#reserved.reduce((sum, one) => sum + one, 0) + least(count);
    if (reserved > this.#bytes.length - this.#at) throw new Rejected("ERR_LIMIT_ELEMENTS", start);
    return count;
  }

  #bits(count: number): readonly boolean[] {
    const start = this.#at;
    const bytes = this.#take(start, Math.ceil(count / 8));
    const bits = bytes.flatMap((byte) => Array.from({ length: 8 }, (_, i) => Math.floor(byte / 2 ** i) % 2 === 1));
    if (bits.slice(count).includes(true)) throw new Rejected("ERR_INVALID_PADDING", start);
    return bits.slice(0, count);
  }

  #flag(): boolean {
    const start = this.#at;
    const [byte = 0] = this.#take(start, 1);
    if (byte > 1) throw new Rejected("ERR_INVALID_PADDING", start);
    return byte === 1;
  }

  /** `first`: the property before the fields, a union's discriminator. */
  #struct(struct: string, depth: number, first: readonly (readonly [string, Json])[]): Json {
    this.#enter(depth);
    const optionals = this.#layout.optionals(struct);
    const bools = this.#layout.bools(struct);
    const bits = this.#bits(optionals.length + bools.length);
    const values = new Map<string, Json>();
    for (const [i, field] of bools.entries()) values.set(field.name, bits[optionals.length + i]!);
    for (const field of this.#layout.required(struct)) values.set(field.name, this.#value(field.type, depth));
    for (const [i, field] of optionals.entries()) {
      values.set(field.name, bits[i]! ? this.#present(field, depth) : absentJson(field));
    }
    return Object.fromEntries([
      ...first,
      ...this.#layout.fields(struct).map((field) => [field.name, values.get(field.name)!] as const),
    ]);
  }

  #present(field: DocumentField, depth: number): Json {
    const start = this.#at;
    const value = this.#value(field.type, depth);
    if (meansAbsent(field, true, value)) throw new Rejected("ERR_NOT_CANONICAL", start);
    return value;
  }

  /** Reads a value within a struct or container at `depth`. */
  #value(type: DocumentType, depth: number): Json {
    const shape = shapeOf(type);
    const start = this.#at;
    switch (shape.is) {
      case "bool":
        return this.#flag();
      case "fixed": {
        const value = integerOf(this.#take(start, shape.bytes), shape.isSigned);
        return isWide(shape) ? String(value) : Number(value);
      }
      case "varint": {
        const raw = this.#varint(start, isWide(shape) ? 64 : 32);
        const value = shape.isSigned ? unzigzag(raw) : raw;
        return isWide(shape) ? String(value) : Number(value);
      }
      case "float":
        return floatJson(floatOf(this.#take(start, shape.bytes)));
      case "enumeration":
        return shape.values[this.#index(shape.values.length)]!;
      case "bytes":
        return base64Of(this.#take(start, shape.length ?? this.#count()));
      case "ascii": {
        const bytes = this.#take(start, shape.length ?? this.#count());
        if (bytes.some((byte) => byte > 127)) throw new Rejected("ERR_INVALID_ASCII", start);
        return textOf(bytes)!;
      }
      case "utf8": {
        const text = textOf(this.#take(start, this.#count()));
        if (text === null) throw new Rejected("ERR_INVALID_UTF8", start);
        return text;
      }
      case "ref":
        return this.#struct(shape.struct, depth + 1, []);
      case "union": {
        this.#enter(depth + 1);
        const [name, struct] = shape.arms[this.#index(shape.arms.length)]!;
        return this.#struct(struct, depth + 1, [[shape.discriminator, name]]);
      }
      case "array":
        this.#enter(depth + 1);
        return this.#array(shape.element, shape.length, depth + 1);
      case "map":
        this.#enter(depth + 1);
        return this.#map(shape.key, shape.value, depth + 1);
      case "nullable":
        return this.#flag() ? this.#value(shape.value, depth) : null;
    }
  }

  #array(element: DocumentType, length: number | undefined, depth: number): Json {
    const count = length ?? this.#containerCount((n) => this.#layout.owedBy(element, n));
    const list: Json[] = [];
    if (isInBits(element)) {
      const inner = shapeOf(element);
      for (const bit of this.#bits(count)) {
        if (inner.is !== "nullable") list.push(bit);
        else list.push(bit ? this.#value(inner.value, depth) : null);
      }
      return list;
    }
    const each = length === undefined ? this.#layout.min(element) : 0;
    const place = this.#reserved.push(0) - 1;
    for (let i = 0; i < count; i++) {
      this.#reserved[place] = (count - i - 1) * each;
      list.push(this.#value(element, depth));
    }
    this.#reserved.pop();
    return list;
  }

  #map(key: DocumentType, value: DocumentType, depth: number): Json {
    const pair = this.#layout.min(key) + this.#layout.min(value);
    const count = this.#containerCount((n) => n * pair);
    const pairs: [Json, Json][] = [];
    const place = this.#reserved.push(0) - 1;
    for (let i = 0; i < count; i++) {
      this.#reserved[place] = (count - i - 1) * pair;
      const start = this.#at;
      const next = this.#value(key, depth);
      const last = pairs.at(-1);
      if (last !== undefined && compareKeys(key, last[0], next) >= 0) throw new Rejected("ERR_MAP_ORDER", start);
      pairs.push([next, this.#value(value, depth)]);
    }
    this.#reserved.pop();
    return pairs;
  }
}

/** Returns the value of an absent field ("Optional fields"). */
export function absentJson(field: DocumentField): Json {
  const flags = field.omit ?? [];
  if (flags.includes("null")) return null;
  const shape = shapeOf(field.type);
  if (flags.includes("empty")) return shape.is === "array" || shape.is === "map" ? [] : "";
  return isWide(shape) ? "0" : 0;
}
