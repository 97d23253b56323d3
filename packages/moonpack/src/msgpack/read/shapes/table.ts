/**
 * The generated readers of one decoder. A shape is a list of keys in order. Currently frequent shapes get readers, and other shapes
 * lose them, so a process that runs for weeks has readers for its current work.
 *
 * Counters keyed by the hash of the keys estimate the frequency of a shape; each review halves them. Constants bound the counters,
 * the readers and the number of code generations, for any input.
 */
import { utf8Length } from "#platform";
import { areSparse } from "../../../bytes/sparse.js";
import { hashOfEnds } from "../key-table.js";
import { MessageReader } from "../message.js";
import { emptyObject } from "../objects.js";
import type { PartReader } from "../parts/part-reader.js";
import type { DecoderSettings, ShapeReading } from "../settings.js";
import { generateReader, recurringTexts, type ShapeReader } from "./generate.js";
import { hashesOfKeys, hashOfFirstKey } from "./key-bytes.js";

/** Larger objects get no reader: it would be long, and their keys rarely recur in order. */
const MAX_SHAPE_KEYS = 64;
/** A longer key does not fit into a fixstr. */
const MAX_KEY_BYTES = 31;
const COUNTERS_BITS = 10;
const SLOTS_BITS = 8;
/** A shape is hot after this many objects; earlier, compiling costs more than it saves. */
const HOT = 192;
/**
 * The same for shapes of more than 16 keys: until V8 has optimised their long readers, the loop is faster. (3,000 clinical records
 * in 0.3 to 0.45 s instead of 0.5 s, two runs; generated at 200, their time settled after 3,300.)
 */
const HOT_LARGE = 1920;
/**
 * The same for a process that has read for a while: its code without readers is optimised, so a new reader is slower at first.
 * (Messages of a single kind, after a mix: with 192 objects, 0.66 to 0.97 of the speed without readers.)
 */
const HOT_LATER = 768;
const LARGE_SHAPE_KEYS = 16;
/** A shape is checked each time its counter is a multiple of this number. The limits above are even multiples of it. */
const LOOKED_AT = 32;
/** Objects without a reader between two reviews. */
const REVIEWED = 16_384;
/**
 * Readers are generated when frequent shapes (at least one object in 64) cover three quarters of the objects. All readers are
 * dropped when they cover less than half. In a mix of hundreds of shapes, some of them frequent, readers cost time: each call
 * goes to one of dozens of functions, few of which get optimised (measured: 1.2 times the time).
 */
const FREQUENT = 1 / 64;
/** The coverage is computed again after this many objects. */
const TRY_AGAIN = 2048;
const COVERED = 3 / 4;
const GIVEN_UP = 1 / 2;
/** A reader is dropped if it has read fewer objects between two reviews: less than one in 128. */
const LEAST_USED = 128;
/** The most readers at a time. */
const MAX_READERS = 32;
/** Readers that may be generated after each review, beyond the first ones. */
const READERS_EACH_REVIEW = 8;

/** A shape that has a reader. */
export class HotShape {
  readonly keys: readonly string[];
  /** The hash of the list of keys up to each key; see `MessageReader.fill`. */
  readonly hashes: Int32Array;
  readonly slot: number;
  read: ShapeReader | null = null;
  /** Objects read; the generated code counts. */
  hits = 0;
  /** Objects that turned out to have other keys. */
  misses = 0;
  /** True before the first review. */
  isNew = true;
  /** `hits` at the last review, and objects before it; halved at each, as the counters are. */
  reviewed = 0;
  earlier = 0;
  /**
   * An object of the shape. It keeps the hidden class alive. A full garbage collection that finds no object of a class makes V8
   * drop the optimised code that creates such objects (measured: half the speed from one collection to the next).
   */
  readonly kept: object;

  constructor(keys: readonly string[], slot: number) {
    this.keys = keys;
    this.hashes = hashesOfKeys(keys);
    this.slot = slot;
    const kept = emptyObject(keys.length);
    for (const key of keys) kept[key] = null;
    this.kept = kept;
  }
}

/** The generated readers of one decoder. */
export class ShapeTable implements ShapeReading {
  readonly #inParts: boolean;
  /** Hot shapes by their first key and the number of keys. */
  readonly #slots: (HotShape | null)[] = new Array<HotShape | null>(1 << SLOTS_BITS).fill(null);
  readonly #hot: HotShape[] = [];
  /** Each counter belongs to the shape with this hash; objects of other shapes decrement it until it is free. */
  readonly #hashes = new Int32Array(1 << COUNTERS_BITS);
  readonly #counts = new Int32Array(1 << COUNTERS_BITS);
  /** Texts of an object from when its shape was halfway to hot, by the shape's hash; discarded at each review. */
  readonly #texts = new Map<number, (string | null)[]>();
  /** Objects without a reader since the last review. */
  #others = 0;
  /** No reader is generated before `others` reaches this value, because too few objects had frequent shapes. */
  #nextTry = 0;
  /** Objects before the last review; halved at each. */
  #earlier = 0;
  /** The number of readers that may be generated now; negative if a policy forbids them. */
  #left = MAX_READERS;
  #droppedHits = 0;
  misses = 0;
  compiled = 0;

  constructor(inParts: boolean) {
    this.#inParts = inParts;
  }

  get hits(): number {
    return this.#hot.reduce((sum, shape) => sum + shape.hits, this.#droppedHits);
  }

  createReader(settings: DecoderSettings): MessageReader {
    return new MessageReader(settings);
  }

  readMap(r: MessageReader, n: number, reserved: number): unknown {
    const { pos, end } = r;
    if (this.#hot.length > 0 && pos + 4 <= end) {
      const shape = this.#slots[slotOf(hashOfEnds(r.view, pos, end), n)]!;
      if (shape !== null && shape.keys.length === n) return shape.read!(r, this, shape, reserved);
    }
    return r.readObject(n, reserved);
  }

  count(object: Record<string, unknown>, n: number, hash: number): void {
    const counter = hash >>> (32 - COUNTERS_BITS);
    const counts = this.#counts;
    if (this.#hashes[counter] === hash) {
      const count = ++counts[counter]!;
      if ((count & (LOOKED_AT - 1)) === 0) this.#lookAt(object, n, counter, count);
    } else if (counts[counter]! > 0) counts[counter]!--;
    else {
      this.#hashes[counter] = hash;
      counts[counter] = 1;
    }
    if (++this.#others >= REVIEWED) this.#review();
  }

  /** Checks the shape of an object, and generates a reader if it is hot. */
  #lookAt(object: Record<string, unknown>, n: number, counter: number, count: number): void {
    const hot = n > LARGE_SHAPE_KEYS ? HOT_LARGE : this.#earlier === 0 ? HOT : HOT_LATER;
    const hash = this.#hashes[counter]!;
    if (count === hot / 2) this.#texts.set(hash, recurringTexts(Object.values(object)));
    if (count < hot || this.#left <= 0 || this.#others < this.#nextTry || n === 0 || n > MAX_SHAPE_KEYS) return;
    if (this.#covered() < COVERED) {
      this.#nextTry = this.#others + TRY_AGAIN;
      return;
    }
    const keys = Object.keys(object);
    // The object has fewer keys if one is repeated.
    if (keys.length !== n || keys.some((key) => utf8Length(key) > MAX_KEY_BYTES)) return;
    if (areSparse(keys, 0, n)) return; // generated readers do not call makeSparse
    if (this.#generate(keys, Object.values(object), this.#texts.get(hash) ?? [], count)) this.#counts[counter] = 0;
  }

  /** Generates a reader; returns true if the shape has one now. `count`: the frequency of the shape. */
  #generate(
    keys: readonly string[],
    sample: readonly unknown[],
    earlier: readonly (string | null)[],
    count: number,
  ): boolean {
    const slot = slotOf(hashOfFirstKey(keys), keys.length);
    const other = this.#slots[slot]!;
    // Shapes with the same number of keys and the same first key share a slot; the more frequent shape gets it.
    if (other !== null && 2 * (other.earlier + other.hits - other.reviewed) >= count) return false;
    const read = generateReader(keys, sample, earlier, this.#inParts);
    if (read === null) {
      this.#left = Number.NEGATIVE_INFINITY;
      return false;
    }
    if (other !== null) this.#drop(other);
    const shape = new HotShape(keys, slot);
    shape.read = read;
    shape.earlier = count;
    this.#slots[slot] = shape;
    this.#hot.push(shape);
    this.#left--;
    this.compiled++;
    return true;
  }

  #drop(shape: HotShape): void {
    this.#slots[shape.slot] = null;
    this.#hot.splice(this.#hot.indexOf(shape), 1);
    this.#droppedHits += shape.hits;
  }

  /** The share of objects whose shapes are frequent. */
  #covered(): number {
    const hits = this.#hot.reduce((sum, shape) => sum + shape.earlier + shape.hits - shape.reviewed, 0);
    const all = this.#earlier + this.#others + hits;
    let frequent = hits;
    for (const count of this.#counts) if (count >= all * FREQUENT) frequent += count;
    return frequent / all;
  }

  /** Halves the counters, and drops readers that are rarely used. */
  #review(): void {
    const isGivenUp = this.#covered() < GIVEN_UP;
    this.#earlier = (this.#earlier + this.#others) >> 1;
    this.#others = this.#nextTry = 0;
    const counts = this.#counts;
    for (let i = 0; i < counts.length; i++) counts[i]! >>= 1;
    this.#texts.clear();
    for (const shape of [...this.#hot]) {
      const used = shape.hits - shape.reviewed;
      shape.reviewed = shape.hits;
      shape.earlier = (shape.earlier + used) >> 1;
      if (isGivenUp || (!shape.isNew && (used < LEAST_USED || 4 * used < shape.misses))) this.#drop(shape);
      shape.isNew = false;
      shape.misses = 0;
    }
    const most = MAX_READERS - this.#hot.length;
    this.#left = Math.min(this.#left + READERS_EACH_REVIEW, most);
  }

  /** Reads the rest of a map for a generated reader. It has read the values `read`; the next key is not the one it expects. */
  fallBack(r: MessageReader, shape: HotShape, read: readonly unknown[], reserved: number): unknown {
    this.misses++;
    shape.misses++;
    const { keys, hashes } = shape;
    const n = keys.length;
    const object = emptyObject(n);
    for (let i = 0; i < read.length; i++) {
      const value = read[i];
      if (typeof value === "number") object[keys[i]!] = null;
      object[keys[i]!] = value;
    }
    const hash = read.length === 0 ? n : hashes[read.length - 1]!;
    return r.fill(object, n, n - read.length, hash, reserved);
  }

  /** Keeps an object until the next part. The values `read` are complete; the next value is not. See PartReader.suspend. */
  suspend(r: PartReader, shape: HotShape, read: unknown[], reserved: number): unknown {
    const { keys } = shape;
    return r.suspend(keys.slice(0, read.length + 1), read, 2 * (keys.length - read.length) - 1, reserved);
  }
}

function slotOf(start: number, n: number): number {
  return Math.imul(start ^ n, 0x9e3779b1) >>> (32 - SLOTS_BITS);
}
