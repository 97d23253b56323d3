import { invalidArgument } from "../bytes/errors.js";
import type { BytesInput } from "../bytes/input.js";
import type { DecoderOptions } from "../msgpack/options.js";
import type { Item, ItemType } from "./item.js";
import { tooDeep } from "./skip.js";
import { decodingFor, nameOfKey, Source } from "./source.js";

/** Calls of `get` on one map after which all its keys are indexed. */
const SCANS = 2;

/**
 * A part of a message that is read step by step. It checks only what it passes, and keeps the whole input in memory.
 *
 * @example
 * const message = view(bytes);
 * message.get("user")?.get("name")?.value(); // "Ada"
 */
export class View {
  readonly #source: Source;
  readonly #pos: number;
  readonly #depth: number;
  readonly #item: Item;
  /** Values by their keys' names, after some calls of `get`. */
  #index: Map<string, number> | null = null;
  #scans = 0;
  /** The last element that `at` returned, from which the next call continues. */
  #element = 0;
  #elementPos: number;

  /** @internal Views come from {@link view}. */
  constructor(source: Source, pos: number, depth: number) {
    this.#source = source;
    this.#pos = pos;
    this.#depth = depth;
    this.#item = source.item(pos);
    const { type } = this.#item;
    const maxDepth = source.stack.length;
    if (depth >= maxDepth && (type === "array" || type === "map")) throw tooDeep(maxDepth, pos);
    this.#elementPos = this.#item.body;
  }

  /** The item's type, as MessagePack's specification names it. */
  get type(): ItemType {
    return this.#item.type;
  }

  /** Pairs of a map, elements of an array, bytes of text, binary and extensions; 0 for other items. */
  get size(): number {
    return this.#item.size;
  }

  /**
   * Returns the value of a key; undefined if the item is not a map or lacks the key. A text and a number are different keys. The last of
   * equal keys counts, so the whole map is walked; the third call on a map indexes its keys.
   */
  get(key: string | number | bigint): View | undefined {
    if (typeof key !== "string" && typeof key !== "number" && typeof key !== "bigint")
      throw invalidArgument("key must be a text or a number");
    if (this.type !== "map") return undefined;
    const name = nameOfKey(Object.is(key, -0) ? 0 : key);
    const pos = this.#index !== null || this.#scans++ >= SCANS ? this.#indexed().get(name) : this.#find(name);
    return pos === undefined ? undefined : this.#child(pos);
  }

  /** Returns an element; undefined if the item is not an array or shorter. Loops are linear: a call continues where the last one was. */
  at(index: number): View | undefined {
    if (!Number.isInteger(index) || index < 0) throw invalidArgument("index must be an integer from 0 up");
    if (this.type !== "array" || index >= this.size) return undefined;
    if (index < this.#element) {
      this.#element = 0;
      this.#elementPos = this.#item.body;
    }
    this.#elementPos = this.#source.skip(this.#elementPos, index - this.#element, this.#depth + 1);
    this.#element = index;
    return this.#child(this.#elementPos);
  }

  /** Returns the pairs of a map in their order, equal keys included, or the elements of an array with their indices. */
  *entries(): Generator<[key: unknown, value: View], void, undefined> {
    const { type, size, body } = this.#item;
    if (type !== "map" && type !== "array") return;
    let pos = body;
    for (let i = 0; i < size; i++) {
      let key: unknown = i;
      if (type === "map") {
        key = this.#source.value(pos, this.#depth + 1);
        pos = this.#source.skip(pos, 1, this.#depth + 1);
      }
      yield [key, this.#child(pos)];
      pos = this.#source.skip(pos, 1, this.#depth + 1);
    }
  }

  /** Decodes the item, with the options of {@link view}. */
  value<T = unknown>(): T {
    return this.#source.value(this.#pos, this.#depth) as T;
  }

  /** Returns the item's bytes: a view of the input. Checks their structure, not their text. */
  raw(): Uint8Array<ArrayBuffer> {
    const end = this.#source.skip(this.#pos, 1, this.#depth);
    return this.#source.bytes.subarray(this.#pos, end);
  }

  #child(pos: number): View {
    return new View(this.#source, pos, this.#depth + 1);
  }

  /** The offset of the value of the last key with this name. */
  #find(name: string): number | undefined {
    let found: number | undefined;
    this.#eachPair((key, value) => {
      if (this.#source.keyName(key) === name) found = value;
    });
    return found;
  }

  #indexed(): Map<string, number> {
    if (this.#index !== null) return this.#index;
    const index = new Map<string, number>();
    this.#eachPair((key, value) => {
      const name = this.#source.keyName(key);
      if (name !== undefined) index.set(name, value);
    });
    return (this.#index = index);
  }

  #eachPair(pair: (key: number, value: number) => void): void {
    const { size, body } = this.#item;
    let pos = body;
    for (let i = 0; i < size; i++) {
      const value = this.#source.skip(pos, 1, this.#depth + 1);
      pair(pos, value);
      pos = this.#source.skip(value, 1, this.#depth + 1);
    }
  }
}

/**
 * Returns a view of a message's value. Throws a `DecodeError` for input that is not bytes or has no item; other errors come when a call
 * reaches them.
 *
 * @example
 * for (const [key, value] of view(bytes).entries()) console.log(key, value.type, value.size);
 */
export function view(input: BytesInput, options?: DecoderOptions): View {
  return new View(new Source(input, decodingFor(options)), 0, 0);
}
