// The items of a dump in the order of their bytes, which is also the order of the tree: an item is followed by those in it.
import type { Diagnosis } from "moonpack";
import { Column } from "./columns.ts";

/** Items that are kept. All others are still counted and looked at for errors. */
export const MOST_ITEMS = 4_000_000;
/** The largest number of items whose texts are kept. */
export const MOST_TEXTS = 500_000;

const KEY = 1;
const FAULT = 2;

/** No item: the parent of the first ones. */
export const NONE = 0xffffffff;

/** The texts of an item. */
export interface ItemTexts {
  readonly path: string;
  readonly format: string;
  readonly meaning: string;
}

/** Items and how they contain each other. */
export class ItemStore {
  readonly #offsets = new Column();
  readonly #ends = new Column();
  readonly #parents = new Column();
  /** The item after all that are inside an item. */
  readonly #after = new Column();
  readonly #positions = new Column();
  readonly #flags = new Column();
  readonly #texts: Map<number, ItemTexts> = new Map();
  readonly #keepsTexts: boolean;
  readonly #most: number;
  /** The items that contain the next one, and how many values of each came. */
  readonly #open: { readonly item: number; values: number }[] = [];
  #topValues = 0;

  /** `keepsTexts`: the texts of an item cannot be made again from its bytes alone. */
  constructor(keepsTexts: boolean, most: number = keepsTexts ? MOST_TEXTS : MOST_ITEMS) {
    this.#keepsTexts = keepsTexts;
    this.#most = most;
  }

  /** The number of items that are kept. */
  get count(): number {
    return this.#offsets.length;
  }

  /** Adds the next item. Returns false if there are too many, unless it is the one that ends a broken input. */
  add({ offset, end, depth, path, role, format, meaning, error }: Diagnosis): boolean {
    const isFault = error !== undefined;
    if (this.count >= this.#most && !isFault) return false;
    this.#closeTo(depth);
    const item = this.count;
    const parent = this.#open.at(-1);
    this.#offsets.push(offset);
    this.#ends.push(end);
    this.#parents.push(parent?.item ?? NONE);
    this.#after.push(item + 1);
    this.#positions.push(parent?.values ?? this.#topValues);
    this.#flags.push((role === "key" ? KEY : 0) | (isFault ? FAULT : 0));
    if (role !== "key") {
      if (parent === undefined) this.#topValues++;
      else parent.values++;
    }
    if (this.#keepsTexts || isFault) this.#texts.set(item, { path, format, meaning });
    this.#open.push({ item, values: 0 });
    return true;
  }

  /** Ends the last containers, when all items were added. */
  finish(): void {
    this.#closeTo(0);
  }

  #closeTo(depth: number): void {
    while (this.#open.length > depth) this.#after.set(this.#open.pop()!.item, this.count);
  }

  /** First byte of an item. */
  offset(item: number): number {
    return this.#offsets.at(item);
  }

  /** The end of an item without its content. */
  end(item: number): number {
    return this.#ends.at(item);
  }

  /** The end of all that is inside an item. */
  spanEnd(item: number): number {
    return Math.max(this.end(item), this.end(this.after(item) - 1));
  }

  /** The item after all that are inside an item. */
  after(item: number): number {
    return this.#after.at(item);
  }

  /** The item around an item, or {@link NONE}. */
  parent(item: number): number {
    return this.#parents.at(item);
  }

  /** How many values of its parent came before. */
  position(item: number): number {
    return this.#positions.at(item);
  }

  /** True for the key of a map. */
  isKey(item: number): boolean {
    return (this.#flags.at(item) & KEY) !== 0;
  }

  /** True for an item with an error. */
  isFault(item: number): boolean {
    return (this.#flags.at(item) & FAULT) !== 0;
  }

  /** True if items are inside it. */
  hasContent(item: number): boolean {
    return this.after(item) > item + 1;
  }

  /** The number of containers around an item. */
  depth(item: number): number {
    let depth = 0;
    for (let at = this.parent(item); at !== NONE; at = this.parent(at)) depth++;
    return depth;
  }

  /** The texts that were kept. */
  texts(item: number): ItemTexts | undefined {
    return this.#texts.get(item);
  }

  /** True if an item is shown in the row of the value behind it: a key without content. */
  isInRowOfNext(item: number): boolean {
    return this.isKey(item) && !this.hasContent(item) && item + 1 < this.count && !this.isFault(item);
  }

  /** The innermost item at a byte; {@link NONE} without one. */
  itemAt(byte: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.offset(middle) <= byte) low = middle + 1;
      else high = middle;
    }
    for (let item = low - 1; item >= 0; item--) if (this.end(item) > byte) return item;
    return NONE;
  }
}
