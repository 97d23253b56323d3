/**
 * The shapes of the objects that a decoder has read. A shape is a list of keys in order. Where a shape is expected, its keys are
 * compared in order instead of being looked up one by one; a hot shape gets a generated reader.
 */
import { utf8Length } from "#utf8";
import { areSparse } from "../../../bytes/sparse.js";
import { INCOMPLETE } from "../incomplete.js";
import type { MessageReader } from "../message.js";
import { buildObject, NO_SLOT } from "../objects.js";
import type { PartReader } from "../parts/part-reader.js";
import type { ShapeReading } from "../settings.js";
import { fixstrOf } from "./fixstr.js";
import { generateReader, recurringTexts, type ShapeReader } from "./generate.js";

/** Larger objects are not predicted: their generated readers would be long, and their keys rarely recur in order. */
const MAX_SHAPE_KEYS = 64;
/** A longer key does not fit into the 31 bytes of a fixstr. */
const MAX_KEY_UNITS = 31;
const SLOTS = 512;
/** Objects of a shape after which its keys are compared in order. */
const RECURRING = 4;
/** Objects of a shape after which it is hot; earlier, compiling costs more than it saves. */
const HOT = 200;
/**
 * The same for shapes of more than 16 keys: their long readers are slower than none until V8 has optimised them. (3,000 clinical
 * records in 0.3 to 0.45 s instead of 0.5 s, two runs; generated at 200, their time settled after 3,300.)
 */
const HOT_LARGE = 2000;
const LARGE_SHAPE_KEYS = 16;
/** Generated readers of one decoder: without a cap, messages of 200 shapes get faster only after 400 messages. */
const MAX_READERS = 24;
/**
 * Once all readers exist, they are reviewed after so many objects that had none, and given up if they have read less than a
 * quarter of all objects: a call to one of dozens of readers costs more than it saves. (200 shapes in turn: 0.86 of the speed
 * without readers; 64 shapes: 1.15.)
 */
const REVIEWED = 4096;
/** Shapes that share a slot: same start of the first key, same number of keys. */
const MAX_CHAIN = 4;
/** Shapes that get an object of their own; bounded, so that endless new shapes cost no more. */
const MAX_PRIMED = 512;

/** One list of keys. */
class Shape {
  readonly keys: readonly string[];
  /** Bytes of each key with its fixstr header. */
  readonly sizes: Int32Array;
  /** The bits of each key's last word that belong to the key: a key of one or two bytes is shorter than a word. */
  readonly masks: Int32Array;
  /** The keys' bytes as little-endian words, each key's last two overlapping; null until the shape recurs, or if a key has no fixstr. */
  words: Int32Array | null = null;
  /** Short texts among the values of the object that was read half-way to being hot. */
  texts: (string | null)[] = [];
  /** Objects after which it is hot. */
  readonly hot: number;
  /** The generated reader, once the shape is hot. */
  reader: ShapeReader | null = null;
  /**
   * An object of the shape. It keeps the hidden class alive. A full garbage collection that finds no object of a class makes V8
   * drop the optimised code that creates such objects (measured: half the speed from one collection to the next).
   */
  kept: object | null = null;
  /** Objects of the shape, minus the objects of other shapes that needed the same slot. */
  count = 0;
  /** Next shape in the same slot. */
  next: Shape | null = null;

  constructor(keys: readonly string[]) {
    this.keys = keys;
    this.hot = keys.length > LARGE_SHAPE_KEYS ? HOT_LARGE : HOT;
    this.sizes = new Int32Array(keys.length);
    this.masks = new Int32Array(keys.length);
  }

  /** Fills in the keys' bytes. Does nothing if a key has more than 31 bytes, and so no fixstr, or is empty. */
  setWords(): void {
    const words: number[] = [];
    for (let i = 0; i < this.keys.length; i++) {
      const size = utf8Length(this.keys[i]!) + 1;
      if (size < 2 || size > 32) return;
      const bytes = new Uint8Array(Math.max(size, 4));
      bytes.set(fixstrOf(this.keys[i]!));
      const view = new DataView(bytes.buffer);
      for (let q = 0; q < size - 4; q += 4) words.push(view.getInt32(q, true));
      words.push(view.getInt32(bytes.length - 4, true));
      this.sizes[i] = size;
      this.masks[i] = size < 4 ? 0xffffff >>> (8 * (3 - size)) : -1;
    }
    this.words = Int32Array.from(words);
  }

  equals(keys: readonly unknown[], base: number, n: number): boolean {
    if (this.keys.length !== n) return false;
    for (let i = 0; i < n; i++) if (this.keys[i] !== keys[base + i]) return false;
    return true;
  }
}

/** The shapes of one decoder. */
export class ShapeTable implements ShapeReading {
  readonly #slots: (Shape | null)[] = new Array<Shape | null>(SLOTS).fill(null);
  #generate: boolean;
  readonly #inParts: boolean;
  /** Shapes that have a reader. */
  #withReader: Shape[] = [];
  /** Objects without a reader since the last review, and `hits` at that time. */
  #others = 0;
  #reviewedHits = 0;
  #primed = 0;
  /** Incremented by the generated readers. */
  hits = 0;
  predicted = 0;
  misses = 0;
  compiled = 0;

  constructor(generate: boolean, inParts: boolean) {
    this.#generate = generate;
    this.#inParts = inParts;
  }

  readMap(r: MessageReader, n: number, reserved: number): unknown {
    const first = r.pos;
    if (first + 4 > r.end) return r.readPairs(n, 0, reserved, NO_SLOT);
    // The first four bytes of the key with its header; without the value's bytes, if the key is shorter than three.
    let word = r.view.getInt32(first, true);
    if ((word & 0x1f) < 3) word &= 0xffffff >>> (8 * (2 - (word & 0x1f)));
    const slot = ((Math.imul(word, 0x9e3779b1) >>> 20) ^ n) & (SLOTS - 1);
    const shape = this.#slots[slot]!;
    if (shape === null || shape.keys.length !== n) return r.readPairs(n, 0, reserved, slot);
    if (shape.reader !== null) return shape.reader(r, this, reserved, slot);
    return shape.words === null
      ? r.readPairs(n, 0, reserved, slot)
      : this.#predicted(r, shape, shape.words, reserved, slot);
  }

  /** Reads a map that is expected to have this shape, as generated code does. */
  #predicted(r: MessageReader, shape: Shape, words: Int32Array, reserved: number, slot: number): unknown {
    const { keys, sizes, masks } = shape;
    const { values, top: base, end, view } = r;
    const n = keys.length;
    let w = 0;
    for (let i = 0; i < n; i++) {
      const pos = r.pos;
      const next = pos + sizes[i]!;
      let last = pos;
      if (pos + 4 > end || next >= end) return this.#mispredicted(r, shape, i, reserved, slot);
      for (; last < next - 4; last += 4) {
        if (view.getInt32(last, true) !== words[w++]) return this.#mispredicted(r, shape, i, reserved, slot);
      }
      if (next - 4 > pos) last = next - 4;
      if ((view.getInt32(last, true) & masks[i]!) !== words[w++])
        return this.#mispredicted(r, shape, i, reserved, slot);
      r.pos = next;
      r.top = base + i + 1;
      const value = r.element(reserved + 2 * (n - 1 - i));
      if (value === INCOMPLETE) {
        r.top = base;
        const read = values.slice(base, base + i);
        values.fill(undefined, base, base + i);
        return this.suspend(r as PartReader, keys, read, reserved, slot);
      }
      values[base + i] = value;
    }
    r.top = base;
    this.predicted++;
    this.#confirm(r, shape, base);
    return buildObject(keys, 0, values, base, n, shape.kept !== null, false);
  }

  /** Reads the rest of a map whose first `read` keys are those of the shape. Their values are on the stack. */
  #mispredicted(r: MessageReader, shape: Shape, read: number, reserved: number, slot: number): unknown {
    const base = r.top - read;
    r.top = base;
    for (let i = 0; i < read; i++) r.keys[base + i] = shape.keys[i];
    return r.readPairs(shape.keys.length, read, reserved, slot);
  }

  /** Keeps an object until the next part. The values `read` are complete; the next value is not. See PartReader.suspend. */
  suspend(r: PartReader, keys: readonly string[], read: unknown[], reserved: number, slot: number): unknown {
    return r.suspend(keys.slice(0, read.length + 1), read, 2 * (keys.length - read.length) - 1, reserved, slot);
  }

  /** Reads the rest of a map for a generated reader. It has read the values `read`; the next key is not the one it expects. */
  fallBack(
    r: MessageReader,
    keys: readonly string[],
    read: readonly unknown[],
    reserved: number,
    slot: number,
  ): unknown {
    this.misses++;
    for (let i = 0; i < read.length; i++) {
      r.keys[r.top + i] = keys[i];
      r.values[r.top + i] = read[i];
    }
    return r.readPairs(keys.length, read.length, reserved, slot);
  }

  note(slot: number, r: MessageReader, base: number, n: number): boolean {
    const { keys } = r;
    // Only keys with a fixstr can be predicted. The limits also bound the memory of what is remembered.
    if (n > MAX_SHAPE_KEYS) return false;
    for (let i = base; i < base + n; i++) if ((keys[i] as string).length > MAX_KEY_UNITS) return false;
    if (areSparse(keys, base, n)) return false; // generated readers do not call makeSparse
    let length = 0;
    for (let shape = this.#slots[slot]!, previous: Shape | null = null; shape !== null; shape = shape.next!) {
      if (shape.equals(keys, base, n)) {
        if (previous !== null) this.#moveToFront(slot, shape, previous);
        this.#confirm(r, shape, base);
        return shape.kept !== null;
      }
      previous = shape;
      length++;
    }
    if (length === MAX_CHAIN && this.#keepsSlot(slot)) return false;
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

  /** True while one of the shapes in a full slot has a count left; each new shape decrements their counts. */
  #keepsSlot(slot: number): boolean {
    let worth = 0;
    for (let shape = this.#slots[slot]!; shape !== null; shape = shape.next!)
      worth += shape.count > 0 ? shape.count-- : 0;
    return worth > 0;
  }

  /**
   * Creates the shape's hidden classes with fields of any type. Otherwise a field that starts as a small integer and gets a
   * fraction later would leave the first objects in a class of their own.
   */
  #prime(shape: Shape): void {
    this.#primed++;
    const n = shape.keys.length;
    shape.kept = buildObject(shape.keys, 0, new Array(n).fill(null), 0, n, true, false);
  }

  /** Counts an object of the shape; the reader's values from `base` on are a sample of its values. */
  #confirm(r: MessageReader, shape: Shape, base: number): void {
    const count = ++shape.count;
    if (++this.#others === REVIEWED) this.#review();
    if (count === RECURRING) shape.setWords();
    else if (count === shape.hot / 2 && this.#generate) shape.texts = recurringTexts(this.#sample(r, shape, base));
    else if (count === shape.hot && this.#generate && this.compiled < MAX_READERS) {
      shape.reader = generateReader(shape.keys, this.#sample(r, shape, base), shape.texts, this.#inParts);
      if (shape.reader === null) return;
      this.#withReader.push(shape);
      // The review counts only objects that are read after all readers exist.
      if (++this.compiled === MAX_READERS) this.#beginReview();
    }
  }

  #sample(r: MessageReader, shape: Shape, base: number): unknown[] {
    return r.values.slice(base, base + shape.keys.length);
  }

  #review(): void {
    if (this.compiled === MAX_READERS && 3 * (this.hits - this.#reviewedHits) < REVIEWED) {
      for (const shape of this.#withReader) shape.reader = null;
      this.#withReader = [];
      this.#generate = false;
    }
    this.#beginReview();
  }

  #beginReview(): void {
    this.#others = 0;
    this.#reviewedHits = this.hits;
  }
}
