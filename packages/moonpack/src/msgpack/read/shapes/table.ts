/**
 * The generated readers of one decoder. A shape is a list of keys in order. A shape gets a reader when it is frequent, and loses it
 * when it is rare again. So a process that runs for weeks has readers for its current work.
 *
 * Counters keyed by the hash of the keys estimate the frequency of a shape. Each review halves the counters. Constants limit the
 * number of counters, readers and code generations for any input.
 */
import { utf8Length } from "#platform";
import { areSparse } from "../../../bytes/sparse.js";
import { hashOfEnds } from "../key-table.js";
import { MessageReader } from "../message.js";
import { emptyObject } from "../objects.js";
import type { PartReader } from "../parts/part-reader.js";
import type { DecoderSettings, ShapeReading } from "../settings.js";
import { generateReader, recurringTexts } from "./generate.js";
import { HotShape, type ShapeFallback } from "./hot-shape.js";
import { hashOfFirstKey } from "./key-bytes.js";

/** Objects with more keys get no reader: it would be long, and their keys rarely recur in the same order. */
const MAX_SHAPE_KEYS = 64;
/** The longest key that fits into a fixstr. */
const MAX_KEY_BYTES = 31;
const COUNTERS_BITS = 10;
const SLOTS_BITS = 8;
/** A shape is hot after this many objects. Below that, compiling costs more than it saves. */
const HOT = 192;
/**
 * The same for shapes of more than 16 keys: until V8 has optimised their long readers, the generic loop is faster. Measured in two
 * runs: 3,000 clinical records take 0.3 to 0.45 s with this limit, and 0.5 s with a limit of 200.
 */
const HOT_LARGE = 1920;
/**
 * `HOT` after the first review; `HOT_LARGE` does not change. By then V8 has optimised the generic loop, so a new reader is slower at first. Measured with
 * messages of a single kind after many kinds: a limit of 192 reaches only 0.66 to 0.97 of the speed without readers.
 */
const HOT_LATER = 768;
const LARGE_SHAPE_KEYS = 16;
/** A shape is checked each time its counter is a multiple of this number. HOT / 2, HOT_LARGE / 2 and HOT_LATER / 2 must be multiples of it. */
const CHECK_INTERVAL = 32;
/** A review follows after this many objects whose shapes have no reader. */
const REVIEW_INTERVAL = 16_384;
/** A shape is frequent if at least this share of all objects has it. */
const FREQUENT = 1 / 64;
/**
 * Readers are generated only while frequent shapes cover at least this share of all objects. Among hundreds of shapes, only some of
 * them frequent, readers cost time: each call goes to one of dozens of functions, and V8 optimises few of them (measured: 1.2 times
 * the time).
 */
const MIN_COVERAGE_TO_GENERATE = 3 / 4;
/** A review drops all readers if frequent shapes cover less than this share of all objects. */
const MIN_COVERAGE_TO_KEEP = 1 / 2;
/** If the coverage is too low for a reader, it is computed again after this many objects without a reader. */
const COVERAGE_INTERVAL = 2048;
/** A reader must read at least this many objects between two reviews; otherwise it is dropped. */
const MIN_USES = 128;
/** The most readers at a time. */
const MAX_READERS = 32;
/** Each review allows this many further readers to be generated. */
const READERS_PER_REVIEW = 8;

/** The generated readers of one decoder. */
export class ShapeTable implements ShapeReading, ShapeFallback {
  readonly #inParts: boolean;
  /** Hot shapes by their first key and the number of keys. */
  readonly #slots: (HotShape | null)[] = new Array<HotShape | null>(1 << SLOTS_BITS).fill(null);
  readonly #hot: HotShape[] = [];
  /** For each counter, the hash of the shape that it counts. Objects of other shapes decrement the counter until it is free. */
  readonly #hashes = new Int32Array(1 << COUNTERS_BITS);
  readonly #counts = new Int32Array(1 << COUNTERS_BITS);
  /**
   * For each shape, by its hash, the short texts of one object, saved when the shape is halfway to hot. If a text is the same when
   * the reader is generated, the reader expects it to recur. Each review clears the map.
   */
  readonly #texts = new Map<number, (string | null)[]>();
  /** Number of objects since the last review whose shapes have no reader. */
  #others = 0;
  /** No reader is generated before `#others` reaches this value: the coverage was too low. */
  #nextCoverageAt = 0;
  /** Objects whose shapes have no reader, before the last review: each review adds `#others` to it and halves the sum. */
  #earlier = 0;
  /** Number of readers that may be generated now. Negative if a Content-Security-Policy forbids to generate code. */
  #generationsLeft = MAX_READERS;
  /** Hits of readers that were dropped. */
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

  /** `reserved`: the bytes that the enclosing containers still need; see base.ts. */
  readMap(r: MessageReader, n: number, reserved: number): unknown {
    const { pos, end } = r;
    if (this.#hot.length > 0 && pos + 4 <= end) {
      // The hash of the first key, as hashOfFirstKey computes it from the text.
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
      if ((count & (CHECK_INTERVAL - 1)) === 0) this.#generateIfHot(object, n, counter, count);
    } else if (counts[counter]! > 0) counts[counter]!--;
    else {
      this.#hashes[counter] = hash;
      counts[counter] = 1;
    }
    if (++this.#others >= REVIEW_INTERVAL) this.#review();
  }

  /** Generates a reader for the shape of an object, if the shape is hot and readers save time. */
  #generateIfHot(object: Record<string, unknown>, n: number, counter: number, count: number): void {
    const hot = n > LARGE_SHAPE_KEYS ? HOT_LARGE : this.#earlier === 0 ? HOT : HOT_LATER;
    const hash = this.#hashes[counter]!;
    if (count === hot / 2) this.#texts.set(hash, recurringTexts(Object.values(object)));
    if (
      count < hot ||
      this.#generationsLeft <= 0 ||
      this.#others < this.#nextCoverageAt ||
      n === 0 ||
      n > MAX_SHAPE_KEYS
    )
      return;
    if (this.#coverage() < MIN_COVERAGE_TO_GENERATE) {
      this.#nextCoverageAt = this.#others + COVERAGE_INTERVAL;
      return;
    }
    const keys = Object.keys(object);
    // A repeated key leaves fewer keys in the object.
    if (keys.length !== n || keys.some((key) => utf8Length(key) > MAX_KEY_BYTES)) return;
    if (areSparse(keys, 0, n)) return; // generated readers do not call makeSparse
    if (this.#generate(keys, Object.values(object), this.#texts.get(hash) ?? [], count)) this.#counts[counter] = 0;
  }

  /** Generates a reader. Returns true if the shape has one now. `count`: how often the shape was counted. */
  #generate(
    keys: readonly string[],
    sample: readonly unknown[],
    earlierTexts: readonly (string | null)[],
    count: number,
  ): boolean {
    const slot = slotOf(hashOfFirstKey(keys), keys.length);
    const other = this.#slots[slot]!;
    // Shapes with the same number of keys and the same first key share a slot; the new one gets it if it is more than twice as frequent.
    if (other !== null && 2 * (other.earlier + other.hits - other.reviewed) >= count) return false;
    const read = generateReader(keys, sample, earlierTexts, this.#inParts);
    if (read === null) {
      this.#generationsLeft = Number.NEGATIVE_INFINITY;
      return false;
    }
    if (other !== null) this.#drop(other);
    const shape = new HotShape(keys, slot);
    shape.read = read;
    shape.earlier = count;
    this.#slots[slot] = shape;
    this.#hot.push(shape);
    this.#generationsLeft--;
    this.compiled++;
    return true;
  }

  #drop(shape: HotShape): void {
    this.#slots[shape.slot] = null;
    this.#hot.splice(this.#hot.indexOf(shape), 1);
    this.#droppedHits += shape.hits;
  }

  /** Returns the share of objects whose shapes are frequent or have a reader. */
  #coverage(): number {
    const hits = this.#hot.reduce((sum, shape) => sum + shape.earlier + shape.hits - shape.reviewed, 0);
    const all = this.#earlier + this.#others + hits;
    let frequent = hits;
    for (const count of this.#counts) if (count >= all * FREQUENT) frequent += count;
    return frequent / all;
  }

  /** Halves the counters, and drops readers that are rarely used. */
  #review(): void {
    const dropsAll = this.#coverage() < MIN_COVERAGE_TO_KEEP;
    this.#earlier = (this.#earlier + this.#others) >> 1;
    this.#others = this.#nextCoverageAt = 0;
    const counts = this.#counts;
    for (let i = 0; i < counts.length; i++) counts[i]! >>= 1;
    this.#texts.clear();
    for (const shape of [...this.#hot]) {
      const used = shape.hits - shape.reviewed;
      shape.reviewed = shape.hits;
      shape.earlier = (shape.earlier + used) >> 1;
      if (dropsAll || (!shape.isNew && (used < MIN_USES || 4 * used < shape.misses))) this.#drop(shape);
      shape.isNew = false;
      shape.misses = 0;
    }
    const free = MAX_READERS - this.#hot.length;
    this.#generationsLeft = Math.min(this.#generationsLeft + READERS_PER_REVIEW, free);
  }

  /** Reads the rest of a map. The generated reader has read `values`; the next key is not the key that it expects. */
  fallBack(r: MessageReader, shape: HotShape, values: readonly unknown[], reserved: number): unknown {
    this.misses++;
    shape.misses++;
    const { keys, hashes } = shape;
    const n = keys.length;
    const object = emptyObject(n);
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      // See "A number is stored after null" in docs/performance-notes.md.
      if (typeof value === "number") object[keys[i]!] = null;
      object[keys[i]!] = value;
    }
    const hash = values.length === 0 ? n : hashes[values.length - 1]!;
    return r.fill(object, n, n - values.length, hash, reserved);
  }

  /** Keeps an object until the next part of the input. `values` are complete; the next value is not. See PartReader.suspend. */
  suspend(r: PartReader, shape: HotShape, values: unknown[], reserved: number): unknown {
    const { keys } = shape;
    return r.suspend(keys.slice(0, values.length + 1), values, 2 * (keys.length - values.length) - 1, reserved);
  }
}

function slotOf(firstKeyHash: number, n: number): number {
  return Math.imul(firstKeyHash ^ n, 0x9e3779b1) >>> (32 - SLOTS_BITS);
}
