import {
  checkContainerSize,
  DecodeError,
  HEAVY_ELEMENTS,
  invalidArgument,
  keyFlood,
  makeSparse,
  setOwn,
  truncated,
} from "moonpack/bytes";
import { headerSize, integerAt, isExtension, isNumber, numberAt, widthOf } from "moonpack/msgpack/formats";
import { Bundle } from "./bundle.js";
import { Members } from "./members.js";
import type { Settings } from "./options.js";
import { Source } from "./source.js";
import { Structure, type Structures } from "./structures.js";
import {
  BIGINT,
  BUNDLE,
  bigintOf,
  ERROR,
  errorOf,
  IDENTIFIED,
  malformed,
  RECORD,
  REFERENCE,
  REGEXP,
  regExpOf,
  roundFloat32,
  SET,
  TIMESTAMP,
  TYPED_ARRAY,
  typedArray,
  UNDEFINED,
  untrusted,
} from "./types.js";

/**
 * Reads one message. Nothing is allocated for a count before the items are there: each takes a byte at least, which is checked
 * for every header.
 */
export class Reader extends Source {
  /** True if the message has an integer that would be the id of a record if there were structures. */
  mayBeRecord = false;
  readonly #structures: Structures;
  #depth = 0;
  #bundle: Bundle | null = null;
  #references: Map<number, unknown> | null = null;
  /** The number by which the next object will be referred to; 0 for none. */
  #identity = 0;

  constructor(settings: Settings, structures: Structures, bytes: Uint8Array<ArrayBuffer>) {
    super(settings, bytes);
    this.#structures = structures;
  }

  /** Reads the message at `start`; `pos` is then its end. */
  message(start: number): unknown {
    this.pos = start;
    const value = this.#value();
    this.#checkBundle(this.pos, start);
    this.pos = this.#bundle?.end ?? this.pos;
    return value;
  }

  #value(): unknown {
    const start = this.pos;
    const token = this.bytes[this.skip(1, start)]!;
    if (token < 0x40 || token >= 0xe0) return token < 0x40 ? token : token - 0x100;
    if (token < 0x80) return this.#recordOrInteger(token, start);
    if (token < 0x90) return this.#map(token & 15, start);
    if (token < 0xa0) return this.#array(token & 15, start);
    if (token < 0xc0) return this.text(token & 31, start);
    if (token < 0xc4) return token === 0xc0 ? null : token === 0xc1 ? this.#bundled(start) : token === 0xc3;
    const at = this.skip(widthOf(token), start);
    const n = numberAt(this.bytes, this.view, token, at);
    if (isExtension(token)) return this.#extension(n, start);
    if (token <= 0xc6) return this.binary(n, start);
    if (token === 0xca && this.settings.float32 === "decimal") return roundFloat32(n);
    if (token === 0xcf || token === 0xd3) return integerAt(this.view, token, at, n, this.settings.int64);
    if (isNumber(token)) return n;
    if (token <= 0xdb) return this.text(n, start);
    return token <= 0xdd ? this.#array(n, start) : this.#map(n, start);
  }

  /** Opens a container of `count` elements or members, in `items` items. */
  #open(count: number, items: number, start: number, isMap: boolean): void {
    const { maxDepth } = this.settings;
    if (++this.#depth > maxDepth)
      throw new DecodeError("ERR_LIMIT_DEPTH", `nested deeper than maxDepth (${maxDepth})`, start);
    const missing = items - (this.end - this.pos);
    if (missing > 0) throw truncated(start, missing);
    checkContainerSize(count, isMap, start);
    this.charge(count, start);
  }

  /** Enters an object that may refer to itself, before its content is read. */
  #made<T extends object>(object: T): T {
    if (this.#identity > 0) (this.#references ??= new Map()).set(this.#identity, object);
    this.#identity = 0;
    return object;
  }

  #array(n: number, start: number): unknown[] {
    this.#open(n, n, start, false);
    const array = this.#made<unknown[]>([]);
    for (let i = 0; i < n; i++) array.push(this.#value());
    this.#depth--;
    return array;
  }

  #recordOrInteger(first: number, start: number): unknown {
    if (!this.#structures.areIds) {
      this.mayBeRecord = true;
      return first;
    }
    const second = this.#structures.hasSecond(first) ? this.bytes[this.skip(1, start)]! : undefined;
    const structure = this.#structures.find(first, second);
    if (structure !== undefined) return this.#record(structure, start);
    const id = second === undefined ? first : (first << 8) | second;
    throw new DecodeError("ERR_UNKNOWN_INDEX", `no structure for the record id 0x${id.toString(16)}`, start);
  }

  #record({ keys, isSparse }: Structure, start: number): object {
    this.#open(keys.length, keys.length, start, true);
    const object = this.#made<Record<string, unknown>>({});
    if (isSparse) makeSparse(object);
    for (const key of keys) setOwn(object, key, this.#value());
    this.#depth--;
    return object;
  }

  /** Reads a definition, whose id is at `from`, and the record that follows it. */
  #definition(n: number, from: number, start: number): object {
    const first = this.bytes[from]!;
    const second = n === 2 ? this.bytes[from + 1]! : undefined;
    if (n === 0 || n > 2 || first < (n === 2 ? 0x60 : 0x40) || first > 0x7f) throw malformed("a definition", start);
    const keys = this.#parts("a definition", start);
    if (!keys.every((key) => typeof key === "string"))
      throw new DecodeError("ERR_UNSUPPORTED_TYPE", "a key of a record that is not a string", start);
    const structure = new Structure(keys);
    this.#structures.define(first, second, structure, start);
    return this.#record(structure, start);
  }

  /** Reads the array of the parts of `what`, which cannot be referred to. */
  #parts(what: string, start: number): unknown[] {
    const identity = this.#identity;
    this.#identity = 0;
    const parts = this.#value();
    this.#identity = identity;
    if (Array.isArray(parts)) return parts;
    throw malformed(what, start);
  }

  /** True if the next item is a string, perhaps the first one of a bundle. */
  #isTextNext(): boolean {
    const token = this.bytes[this.pos]!;
    const isBundle = isExtension(token) && this.bytes[this.pos + headerSize(this.bytes, this.pos) - 1] === BUNDLE;
    return isBundle || token === 0xc1 || isText(token);
  }

  #map(n: number, start: number): object {
    const { maps } = this.settings;
    this.#open(n, 2 * n, start, true);
    // An object that can be referred to has to be made before its keys are known: the first key decides.
    const isFixed = maps === "object" || this.#identity > 0;
    const members = new Members(maps === "map" || (maps === "auto" && isFixed && n > 0 && !this.#isTextNext()), n);
    if (members.isMap) this.charge(HEAVY_ELEMENTS - 1, start);
    this.#made(members.value);
    for (let i = 0; i < n; i++) {
      const keyAt = this.pos;
      const key = this.#value();
      if (!members.isMap && typeof key !== "string") {
        if (isFixed) throw new DecodeError("ERR_UNSUPPORTED_TYPE", "a key is not a string", keyAt);
        this.charge(HEAVY_ELEMENTS - 1, start);
      }
      members.add(key, this.#value(), keyAt);
    }
    this.#depth--;
    return members.value;
  }

  #set(start: number): Set<unknown> {
    this.charge(HEAVY_ELEMENTS, start);
    const set = this.#made(new Set<unknown>());
    const parts = this.#parts("a Set", start);
    checkContainerSize(parts.length, true, start);
    const flood = keyFlood(parts.length);
    for (const part of parts) {
      if (!set.has(part)) flood?.add(part, start);
      set.add(part);
    }
    return set;
  }

  /** Reads the length of a string in the bundle. */
  #bundled(start: number): string {
    const token = this.pos < this.end ? this.bytes[this.pos]! : 0;
    const isInteger = token < 0x80 || token >= 0xe0 || (token >= 0xcc && token <= 0xd3);
    if (this.#bundle === null || !isInteger)
      throw new DecodeError("ERR_INVALID_BYTE", "0xc1 outside of a bundle of strings", start);
    const n = this.#value();
    const text = typeof n === "number" ? this.#bundle.take(n) : null;
    if (text === null) throw malformed("a string in a bundle", start);
    return text;
  }

  /**
   * Opens a bundle, whose extension has the distance to its texts at `from`, and reads the string that follows. The extension of a
   * further bundle contains the texts of the one before.
   */
  #openBundle(n: number, from: number, start: number): string {
    const after = this.pos;
    this.#checkBundle(from + 4, start);
    const begin = from + (n < 4 ? 0 : this.view.getUint32(from));
    if (after !== (this.#bundle?.end ?? from + 4) || begin < after) throw malformed("a bundle", start);
    if (begin >= this.end) throw truncated(start, begin - this.end + 1);
    this.pos = begin;
    const latest = [this.#bundleText(start), this.#bundleText(start)] as const;
    this.#bundle = new Bundle(begin, this.pos, latest);
    this.pos = after;
    if (this.bytes[this.skip(1, start)] !== 0xc1) throw malformed("a bundle", start);
    return this.#bundled(after);
  }

  #bundleText(start: number): string {
    if (isText(this.bytes[this.pos] ?? 0xa0)) return this.#value() as string;
    throw malformed("a bundle", start);
  }

  /** Checks that the items of the bundle have ended at `pos`. */
  #checkBundle(pos: number, start: number): void {
    if (this.#bundle !== null && !this.#bundle.isUsed(pos)) throw malformed("a bundle", start);
  }

  #extension(n: number, start: number): unknown {
    const type = this.view.getInt8(this.skip(1, start));
    const from = this.skip(n, start);
    switch (type) {
      case RECORD:
        return this.#definition(n, from, start);
      case BUNDLE:
        return this.#openBundle(n, from, start);
      case IDENTIFIED:
      case REFERENCE:
        return this.#referred(type, n, from, start);
      case SET:
        return this.#set(start);
      case ERROR:
        this.charge(4 * HEAVY_ELEMENTS, start);
        return errorOf(this.#parts("an Error", start), start);
      case REGEXP:
        if (!this.settings.trusted) throw untrusted("a RegExp", start);
        return regExpOf(this.#parts("a RegExp", start), start);
      case TYPED_ARRAY:
        if (n === 0) throw malformed("a typed array", start);
        this.charge(HEAVY_ELEMENTS, start);
        return typedArray(this.bytes, from, from + n, start);
      case BIGINT:
        return bigintOf(this.bytes, from, from + n, start);
      default:
        if (n === 1 && type === UNDEFINED) return undefined;
        // msgpackr writes an invalid Date like this.
        if (n === 1 && type === TIMESTAMP) return new Date(Number.NaN);
        return this.#plain(start);
    }
  }

  /** Reads an extension that msgpackr does not define. */
  #plain(start: number): unknown {
    const { value } = this.settings.plain.decodeAt(this.bytes, start);
    if (this.bytes.length < this.end)
      throw invalidArgument("the input's buffer was detached while it was being decoded");
    return value;
  }

  /** Reads a number and the object that it stands for, or a reference to an object by its number. */
  #referred(type: number, n: number, from: number, start: number): unknown {
    if (!this.settings.trusted) throw untrusted("a reference to an earlier object", start);
    const id = n === 4 ? this.view.getUint32(from) : 0;
    // msgpackr counts from 1, so a number cannot be larger than the bytes. Larger ones could be chosen to collide in the Map.
    if (id === 0 || id > this.bytes.length || this.#identity > 0) throw malformed("a reference", start);
    if (type === REFERENCE) {
      if (this.#references?.has(id)) return this.#references.get(id);
      throw malformed("a reference", start);
    }
    this.#identity = id;
    const value = this.#value();
    this.#identity = 0;
    (this.#references ??= new Map()).set(id, value);
    return value;
  }
}

/** True for the first byte of a string. */
function isText(token: number): boolean {
  return (token >= 0xa0 && token < 0xc0) || (token >= 0xd9 && token <= 0xdb);
}
