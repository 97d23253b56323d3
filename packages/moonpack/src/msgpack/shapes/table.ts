/**
 * What a reader knows of the objects it has met: a shape is a list of keys in order. Shapes that recur get a reader
 * generated for them (where allowed), and objects of a shape share one hidden class from the first one on:
 *
 * - up to 16 keys grow from `{}`, key by key: generated code does the same, so both end in the same class;
 * - 17 to 1,020 keys start as JSON.parse builds them, which is also the class of an object literal. (Keyed stores past
 *   16 keys would turn the object into a dictionary, V8's kFastPropertiesSoftLimit.)
 * - above that V8 has nothing but dictionaries.
 */
import { utf8Length } from "#utf8";
import { putFixstr } from "./codegen/fixstr.js";
import type { CodeGenerator, ShapeReader } from "./codegen/index.js";

/** Most keys of an object that grows by keyed stores without becoming a dictionary. */
export const MAX_STORED_KEYS = 16;
/** Most keys of an object that V8 can keep out of dictionary mode (kMaxNumberOfDescriptors). */
export const MAX_FAST_KEYS = 1020;
/** Larger objects are not predicted: generated code for them is long and their keys rarely recur in order. */
const MAX_SHAPE_KEYS = 64;

const SLOTS = 512;
/** A shape is hot after so many sightings; earlier, compiling costs more than it saves. */
const HOT = 200;
/** From so many sightings on its keys are compared in order before they are looked up one by one. */
const RECURRING = 4;
/** Generated readers a decoder may have: with 200 shapes an uncapped number needs 400 messages to get ahead. */
const MAX_READERS = 24;
/** Shapes that share a slot (same first bytes, same number of keys). */
const MAX_CHAIN = 4;
/** Shapes whose transitions are laid in advance; bounded, so that ever new shapes cost nothing more. */
const MAX_PRIMED = 512;

/** One list of keys. */
export class Shape {
  readonly keys: readonly string[];
  /** Bytes of each key with its fixstr header. */
  readonly sizes: Int32Array;
  /** The keys' bytes as little-endian words, each key's last two overlapping; null until the shape recurs, or if a key is unfit. */
  words: Int32Array | null = null;
  /** The generated reader, once the shape is hot. */
  reader: ShapeReader | null = null;
  /** Sightings, less the times another shape was met in its place. */
  count = 0;
  /** Next shape of the same slot. */
  next: Shape | null = null;
  /** JSON text of an object with these keys, for objects too large to grow key by key. */
  template: string | null = null;
  constructor(keys: readonly string[]) {
    this.keys = keys;
    this.sizes = new Int32Array(keys.length);
  }

  /** Spells out the keys' bytes. Keys of less than three bytes have no whole word, those above 31 no fixstr. */
  spell(): void {
    const words: number[] = [];
    for (let i = 0; i < this.keys.length; i++) {
      const size = utf8Length(this.keys[i]!) + 1;
      if (size < 4 || size > 32) return;
      const view = new DataView(putFixstr(this.keys[i]!).buffer);
      for (let q = 0; q < size - 4; q += 4) words.push(view.getInt32(q, true));
      words.push(view.getInt32(size - 4, true));
      this.sizes[i] = size;
    }
    this.words = Int32Array.from(words);
  }
}

/** The shapes of one reader. */
export class ShapeTable {
  readonly slots: (Shape | null)[] = new Array<Shape | null>(SLOTS).fill(null);
  /** Readers generated so far. */
  compiled = 0;
  #primed = 0;
  readonly #generate: CodeGenerator | null;

  constructor(generate: CodeGenerator | null) {
    this.#generate = generate;
  }

  /**
   * The slot of a map of `n` keys whose first four bytes are these: its first key's header and beginning. What of them
   * belongs to the value behind a key of less than three bytes does not count.
   */
  static slot(first: number, n: number): number {
    const bytes = (first & 0x1f) < 3 ? first & (0xffffff >>> (8 * (2 - (first & 0x1f)))) : first;
    return ((Math.imul(bytes, 0x9e3779b1) >>> 20) ^ n) & (SLOTS - 1);
  }

  /** Notes that a map of these keys (`keys[base..base + n)`) was met in `slot`; answers its shape. */
  sight(slot: number, keys: readonly unknown[], values: readonly unknown[], base: number, n: number): Shape | null {
    if (n > MAX_SHAPE_KEYS) return null;
    let length = 0;
    for (let shape = this.slots[slot]!, previous: Shape | null = null; shape !== null; shape = shape.next!) {
      if (isShape(shape, keys, base, n)) {
        if (previous !== null) this.#moveToFront(slot, shape, previous);
        this.confirm(shape, values, base);
        return shape;
      }
      previous = shape;
      length++;
    }
    const shape = new Shape(keys.slice(base, base + n) as string[]);
    if (length < MAX_CHAIN) shape.next = this.slots[slot]!;
    else if (this.#keepsChain(slot)) return shape;
    this.slots[slot] = shape;
    if (n <= MAX_STORED_KEYS && this.#primed < MAX_PRIMED) this.#prime(shape.keys);
    return shape;
  }

  /** Counts a sighting; `values[base..]` are a sample of what the shape holds. */
  confirm(shape: Shape, values: readonly unknown[], base: number): void {
    const count = ++shape.count;
    if (count === RECURRING) shape.spell();
    else if (count === HOT) this.#compile(shape, values.slice(base, base + shape.keys.length));
  }

  #moveToFront(slot: number, shape: Shape, previous: Shape): void {
    previous.next = shape.next;
    shape.next = this.slots[slot]!;
    this.slots[slot] = shape;
  }

  /** A full chain is kept while its shapes are worth more than chance; each stranger wears it down. */
  #keepsChain(slot: number): boolean {
    let worth = 0;
    for (let shape = this.slots[slot]!; shape !== null; shape = shape.next!) worth += shape.count > 0 ? shape.count-- : 0;
    return worth > 0;
  }

  /**
   * Lays the transitions of the shape with fields of any type: a field that begins as a small integer and meets a
   * fraction later would otherwise leave the first objects in a class of their own.
   */
  #prime(keys: readonly string[]): void {
    this.#primed++;
    const object: Record<string, unknown> = {};
    for (const key of keys) if (key !== "__proto__") object[key] = null;
  }

  #compile(shape: Shape, sample: readonly unknown[]): void {
    if (this.#generate === null || this.compiled >= MAX_READERS || shape.keys.includes("__proto__")) return;
    shape.reader = this.#generate(shape.keys, sample);
    if (shape.reader !== null) this.compiled++;
  }
}

function isShape(shape: Shape, keys: readonly unknown[], base: number, n: number): boolean {
  const own = shape.keys;
  if (own.length !== n) return false;
  for (let i = 0; i < n; i++) if (own[i] !== keys[base + i]) return false;
  return true;
}

/** Sets an own property whatever its name: `__proto__` is a key like any other. */
export function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}

/** The object of `n` keys from `keys[first]` on and as many values from `values[base]` on, which are taken off their stack. */
export function buildObject(
  keys: readonly unknown[],
  first: number,
  values: unknown[],
  base: number,
  n: number,
  shape: Shape | null,
): object {
  const object = n > MAX_STORED_KEYS && n <= MAX_FAST_KEYS ? blank(keys, first, n, shape) : {};
  for (let i = 0; i < n; i++) {
    const key = keys[first + i] as string;
    if (key === "__proto__") setOwn(object, key, values[base + i]);
    else object[key] = values[base + i];
    values[base + i] = undefined; // the stack must not keep what the caller lets go
  }
  return object;
}

/** The Map of the same, whatever its keys. */
export function buildMap(keys: readonly unknown[], values: unknown[], base: number, n: number): Map<unknown, unknown> {
  const map = new Map<unknown, unknown>();
  for (let i = base; i < base + n; i++) {
    map.set(keys[i], values[i]);
    values[i] = undefined;
  }
  return map;
}

function blank(keys: readonly unknown[], base: number, n: number, shape: Shape | null): Record<string, unknown> {
  if (shape !== null && shape.template !== null) return JSON.parse(shape.template) as Record<string, unknown>;
  let text = "{";
  for (let i = base; i < base + n; i++) text += (i > base ? "," : "") + JSON.stringify(keys[i]) + ":null";
  text += "}";
  if (shape !== null) shape.template = text;
  return JSON.parse(text) as Record<string, unknown>;
}
