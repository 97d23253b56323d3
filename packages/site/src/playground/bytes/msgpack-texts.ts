// Format, meaning and path of an item of MessagePack, made again from its bytes: millions of texts are not kept.
import { type Diagnosis, diagnose } from "moonpack";
import { type ItemStore, type ItemTexts, NONE } from "./item-store.ts";

/** A map of one pair begins with this byte, and a value of one byte. */
const MAP_OF_ONE = 0x81;
const NIL = 0xc0;

/** The most paths that are kept. */
const KEPT_PATHS = 4096;

/** The texts of the items of one input. */
export class MsgpackTexts {
  readonly #store: ItemStore;
  readonly #bytes: Uint8Array;
  readonly #isSequence: boolean;
  /** Paths that are known: in deep input, each path begins with the one around it. */
  readonly #paths = new Map<number, string>();

  /** `isSequence`: the items at the top are messages. */
  constructor(store: ItemStore, bytes: Uint8Array, isSequence: boolean) {
    this.#store = store;
    this.#bytes = bytes;
    this.#isSequence = isSequence;
  }

  /** Describes an item. */
  of(item: number): ItemTexts {
    const kept = this.#store.texts(item);
    if (kept !== undefined) return kept;
    const { format, meaning } = firstItem(this.#bytes.subarray(this.#store.offset(item), this.#store.end(item)));
    return { format, meaning, path: this.#path(item) };
  }

  /** The path of an item; a key has the path of its map. */
  #path(item: number): string {
    const store = this.#store;
    const open: number[] = [];
    let at = item;
    while (at !== NONE && !this.#paths.has(at)) {
      open.push(at);
      at = store.parent(at);
    }
    let path = at === NONE ? "$" : this.#paths.get(at)!;
    if (this.#paths.size > KEPT_PATHS) this.#paths.clear();
    for (let inner = open.pop(); inner !== undefined; inner = open.pop()) {
      path += this.#step(inner);
      this.#paths.set(inner, path);
    }
    return path;
  }

  #step(item: number): string {
    const store = this.#store;
    if (store.isKey(item)) return "";
    if (store.parent(item) === NONE) return this.#isSequence ? `[${store.position(item)}]` : "";
    return stepTo(store, this.#bytes, item);
  }
}

function stepTo(store: ItemStore, bytes: Uint8Array, item: number): string {
  const key = keyOf(store, item);
  if (key === NONE) return `[${store.position(item)}]`;
  const content = bytes.subarray(store.offset(key), store.spanEnd(key));
  const pair = new Uint8Array(content.length + 2);
  pair[0] = MAP_OF_ONE;
  pair.set(content, 1);
  pair[content.length + 1] = NIL;
  let last: Diagnosis | undefined;
  for (last of diagnose(pair));
  return last!.path.slice(1);
}

/** The key that belongs to a value; {@link NONE} in an array. */
export function keyOf(store: ItemStore, item: number): number {
  if (item === 0 || store.isKey(item)) return NONE;
  const around = store.parent(item);
  // The item before a value is its container, its key, a part of its key, or a part of the element before it.
  let before = item - 1;
  while (before !== NONE && before !== around && store.parent(before) !== around) before = store.parent(before);
  return before !== NONE && before !== around && store.isKey(before) ? before : NONE;
}

function firstItem(bytes: Uint8Array): Diagnosis {
  for (const item of diagnose(bytes)) return item;
  throw new RangeError("an item needs a byte");
}
