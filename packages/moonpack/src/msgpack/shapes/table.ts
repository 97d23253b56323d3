/**
 * What a decoder knows of the objects it has met: a shape is a list of keys in order. Where a shape is expected its keys
 * are compared in order instead of being looked up one by one; shapes that prove hot get a reader generated for them.
 */
import { utf8Length } from "#utf8";
import { CUT } from "../deep.js";
import { buildObject } from "../objects.js";
import type { MessageReader } from "../read.js";
import { putFixstr } from "./fixstr.js";
import { generateReader, recurring, type ShapeReader } from "./generate.js";
import type { ShapeReading } from "./support.js";

/** Larger objects are not predicted: generated readers for them are long, and their keys rarely recur in order. */
const MAX_SHAPE_KEYS = 64;
/** A longer key has more than the 31 bytes of a fixstr. */
const MAX_KEY_UNITS = 31;
const SLOTS = 512;
/** From so many sightings on keys are compared in order. */
const RECURRING = 4;
/** A shape is hot after so many sightings; earlier, compiling costs more than it saves. */
const HOT = 200;
/**
 * The same for shapes of more than 16 keys: until V8 has optimised their long readers these are slower than none. (3,000
 * clinical records in 0.3 to 0.45 s instead of 0.5 s, two runs; generated at 200, their time settled after 3,300.)
 */
const HOT_LARGE = 2000;
const LARGE_KEYS = 16;
/** Generated readers a decoder may have: with 200 shapes an uncapped number needs 400 messages to get ahead. */
const MAX_READERS = 24;
/**
 * When all readers are in use and read less than a quarter of the objects, over so many others, they are given up: a call
 * among dozens of readers costs more than it saves. (200 shapes by turns: 0.86 of the speed without; 64: 1.15.)
 */
const REVIEWED = 4096;
/** Shapes that share a slot (same first key, same number of keys). */
const MAX_CHAIN = 4;
/** Shapes that get an object of their own; bounded, so that ever new shapes cost nothing more. */
const MAX_PRIMED = 512;
const NO_SLOT = -1;

/** One list of keys. */
class Shape {
  readonly keys: readonly string[];
  /** Bytes of each key with its fixstr header. */
  readonly sizes: Int32Array;
  /** What of a key's last word is the key's: a key of one or two bytes has no whole one. */
  readonly masks: Int32Array;
  /** The keys' bytes as little-endian words, each key's last two overlapping; null until the shape recurs, or if a key is unfit. */
  words: Int32Array | null = null;
  /** Short texts among the values of an object met half-way to being hot. */
  texts: (string | null)[] = [];
  /** Sightings after which it is hot. */
  readonly hot: number;
  /** The generated reader, once the shape is hot. */
  reader: ShapeReader | null = null;
  /**
   * An object of the shape. It keeps the hidden class alive: when a full collection finds no object of a class, V8 drops
   * the optimised code that makes such objects (measured: half the speed from one collection to the next).
   */
  kept: object | null = null;
  /** Sightings, less the times another shape was met in its place. */
  count = 0;
  /** Next shape of the same slot. */
  next: Shape | null = null;

  constructor(keys: readonly string[]) {
    this.keys = keys;
    this.hot = keys.length > LARGE_KEYS ? HOT_LARGE : HOT;
    this.sizes = new Int32Array(keys.length);
    this.masks = new Int32Array(keys.length);
  }

  /** Spells out the keys' bytes. Those above 31 have no fixstr, the empty one nothing to compare. */
  spell(): void {
    const words: number[] = [];
    for (let i = 0; i < this.keys.length; i++) {
      const size = utf8Length(this.keys[i]!) + 1;
      if (size < 2 || size > 32) return;
      const bytes = new Uint8Array(Math.max(size, 4));
      bytes.set(putFixstr(this.keys[i]!));
      const view = new DataView(bytes.buffer);
      for (let q = 0; q < size - 4; q += 4) words.push(view.getInt32(q, true));
      words.push(view.getInt32(bytes.length - 4, true));
      this.sizes[i] = size;
      this.masks[i] = size < 4 ? 0xffffff >>> (8 * (3 - size)) : -1;
    }
    this.words = Int32Array.from(words);
  }

  is(keys: readonly unknown[], base: number, n: number): boolean {
    if (this.keys.length !== n) return false;
    for (let i = 0; i < n; i++) if (this.keys[i] !== keys[base + i]) return false;
    return true;
  }
}

/** The shapes of one decoder. */
export class ShapeTable implements ShapeReading {
  readonly #slots: (Shape | null)[] = new Array<Shape | null>(SLOTS).fill(null);
  #generate: boolean;
  /** Shapes that have a reader. */
  #served: Shape[] = [];
  /** Objects since the last review that had none, and `hits` then. */
  #others = 0;
  #reviewedHits = 0;
  #primed = 0;
  hits = 0;
  misses = 0;
  compiled = 0;

  constructor(generate: boolean) {
    this.#generate = generate;
  }

  readMap(r: MessageReader, n: number, owed: number): unknown {
    const first = r.pos;
    if (first + 4 > r.end) return r.gather(n, 0, owed, NO_SLOT);
    // The first key's header and beginning; what belongs to the value behind a key of less than three bytes does not count.
    let word = r.view.getInt32(first, true);
    if ((word & 0x1f) < 3) word &= 0xffffff >>> (8 * (2 - (word & 0x1f)));
    const slot = ((Math.imul(word, 0x9e3779b1) >>> 20) ^ n) & (SLOTS - 1);
    const shape = this.#slots[slot]!;
    if (shape === null || shape.keys.length !== n) return r.gather(n, 0, owed, slot);
    if (shape.reader !== null) {
      this.hits++;
      return shape.reader(r, this, owed, slot);
    }
    return shape.words === null ? r.gather(n, 0, owed, slot) : this.#predicted(r, shape, shape.words, owed, slot);
  }

  /** Reads a map that is expected to be of this shape: what generated code does, interpreted. */
  #predicted(r: MessageReader, shape: Shape, words: Int32Array, owed: number, slot: number): unknown {
    const { keys, sizes, masks } = shape;
    const { values, top: base, end, view } = r;
    const n = keys.length;
    let w = 0;
    for (let i = 0; i < n; i++) {
      const pos = r.pos;
      const next = pos + sizes[i]!;
      let last = pos;
      if (pos + 4 > end || next >= end) return this.#mispredicted(r, shape, i, owed, slot);
      for (; last < next - 4; last += 4) {
        if (view.getInt32(last, true) !== words[w++]) return this.#mispredicted(r, shape, i, owed, slot);
      }
      if (next - 4 > pos) last = next - 4;
      if ((view.getInt32(last, true) & masks[i]!) !== words[w++]) return this.#mispredicted(r, shape, i, owed, slot);
      r.pos = next;
      r.top = base + i + 1;
      const value = r.element(owed + 2 * (n - 1 - i));
      if (value === CUT) {
        r.top = base;
        const met = values.slice(base, base + i);
        values.fill(undefined, base, base + i);
        return this.cut(r, keys, met, owed, slot);
      }
      values[base + i] = value;
    }
    r.top = base;
    this.#confirm(r, shape, base);
    return buildObject(keys, 0, values, base, n, shape.kept !== null, false);
  }

  #mispredicted(r: MessageReader, shape: Shape, met: number, owed: number, slot: number): unknown {
    const base = r.top - met;
    r.top = base;
    for (let i = 0; i < met; i++) r.keys[base + i] = shape.keys[i];
    return r.gather(shape.keys.length, met, owed, slot);
  }

  /** Keeps an object of which the end of the input has cut the value after those in `met`. See MessageReader.suspend. */
  cut(r: MessageReader, keys: readonly string[], met: unknown[], owed: number, slot: number): unknown {
    return r.suspend(keys.slice(0, met.length + 1), met, 2 * (keys.length - met.length) - 1, owed, slot);
  }

  /** Goes on where a generated reader met another key than it was made for; the values it has read are kept. */
  resume(r: MessageReader, keys: readonly string[], met: readonly unknown[], owed: number, slot: number): unknown {
    this.hits--;
    this.misses++;
    for (let i = 0; i < met.length; i++) {
      r.keys[r.top + i] = keys[i];
      r.values[r.top + i] = met[i];
    }
    return r.gather(keys.length, met.length, owed, slot);
  }

  sight(slot: number, r: MessageReader, base: number, n: number): boolean {
    const { keys } = r;
    // Only keys of a fixstr can be predicted, and nothing that is remembered may be of a size that others choose.
    if (n > MAX_SHAPE_KEYS) return false;
    for (let i = base; i < base + n; i++) if ((keys[i] as string).length > MAX_KEY_UNITS) return false;
    let length = 0;
    for (let shape = this.#slots[slot]!, previous: Shape | null = null; shape !== null; shape = shape.next!) {
      if (shape.is(keys, base, n)) {
        if (previous !== null) this.#moveToFront(slot, shape, previous);
        this.#confirm(r, shape, base);
        return shape.kept !== null;
      }
      previous = shape;
      length++;
    }
    if (length === MAX_CHAIN && this.#keepsChain(slot)) return false;
    const shape = new Shape(keys.slice(base, base + n) as string[]);
    if (length < MAX_CHAIN) shape.next = this.#slots[slot]!;
    this.#slots[slot] = shape;
    if (this.#primed < MAX_PRIMED) this.#prime(shape);
    return shape.kept !== null;
  }

  #moveToFront(slot: number, shape: Shape, previous: Shape): void {
    previous.next = shape.next;
    shape.next = this.#slots[slot]!;
    this.#slots[slot] = shape;
  }

  /** A full chain is kept while its shapes are worth more than chance; each stranger wears it down. */
  #keepsChain(slot: number): boolean {
    let worth = 0;
    for (let shape = this.#slots[slot]!; shape !== null; shape = shape.next!)
      worth += shape.count > 0 ? shape.count-- : 0;
    return worth > 0;
  }

  /**
   * Lays the transitions of the shape with fields of any type: a field that begins as a small integer and meets a
   * fraction later would otherwise leave the first objects in a class of their own.
   */
  #prime(shape: Shape): void {
    this.#primed++;
    const n = shape.keys.length;
    shape.kept = buildObject(shape.keys, 0, new Array(n).fill(null), 0, n, true, false);
  }

  /** Counts a sighting; the reader's values from `base` on are a sample of what the shape holds. */
  #confirm(r: MessageReader, shape: Shape, base: number): void {
    const count = ++shape.count;
    if (++this.#others === REVIEWED) this.#review();
    if (count === RECURRING) shape.spell();
    else if (count === shape.hot / 2 && this.#generate) shape.texts = recurring(this.#sample(r, shape, base));
    else if (count === shape.hot && this.#generate && this.compiled < MAX_READERS) {
      shape.reader = generateReader(shape.keys, this.#sample(r, shape, base), shape.texts, r.resumable);
      if (shape.reader === null) return;
      this.#served.push(shape);
      // Judged by what is read once all are there.
      if (++this.compiled === MAX_READERS) this.#beginReview();
    }
  }

  #sample(r: MessageReader, shape: Shape, base: number): unknown[] {
    return r.values.slice(base, base + shape.keys.length);
  }

  #review(): void {
    if (this.compiled === MAX_READERS && 3 * (this.hits - this.#reviewedHits) < REVIEWED) {
      for (const shape of this.#served) shape.reader = null;
      this.#served = [];
      this.#generate = false;
    }
    this.#beginReview();
  }

  #beginReview(): void {
    this.#others = 0;
    this.#reviewedHits = this.hits;
  }
}
