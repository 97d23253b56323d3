// The items of a dump in the order of their bytes. That is also the order of the tree: the content of an item follows it.
import type { Diagnosis } from "moonpack";
import { Column } from "./columns.ts";

/** Maximum number of items that are kept. `readItems` also counts further items and checks them for errors. */
export const MAX_ITEMS = 4_000_000;
/** Maximum number of items if their texts are kept too. */
export const MAX_TEXTS = 500_000;

const KEY = 1;
const FAULT = 2;

/** No item, for example as the parent of a top-level item. */
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
  /** For each item, the first item after its content. */
  readonly #nextOutside = new Column();
  readonly #positions = new Column();
  readonly #flags = new Column();
  readonly #texts: Map<number, ItemTexts> = new Map();
  readonly #keepsTexts: boolean;
  readonly #maxItems: number;
  /** The items that contain the next item, outermost first, and the number of values that each has so far. */
  readonly #open: { readonly item: number; values: number }[] = [];
  #topValues = 0;

  /** `keepsTexts`: true if the texts of an item cannot be computed from its bytes alone. */
  constructor(keepsTexts: boolean, maxItems: number = keepsTexts ? MAX_TEXTS : MAX_ITEMS) {
    this.#keepsTexts = keepsTexts;
    this.#maxItems = maxItems;
  }

  /** Number of items that are kept. */
  get count(): number {
    return this.#offsets.length;
  }

  /** Adds the next item. Returns false if the limit is reached. An item with an error is added even then. */
  add({ offset, end, depth, path, role, format, meaning, error }: Diagnosis): boolean {
    const isFault = error !== undefined;
    if (this.count >= this.#maxItems && !isFault) return false;
    this.#closeTo(depth);
    const item = this.count;
    const parent = this.#open.at(-1);
    this.#offsets.push(offset);
    this.#ends.push(end);
    this.#parents.push(parent?.item ?? NONE);
    this.#nextOutside.push(item + 1);
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

  /** Closes the containers that are still open, when all items have been added. */
  finish(): void {
    this.#closeTo(0);
  }

  /** Closes the innermost open containers until `depth` of them are left. */
  #closeTo(depth: number): void {
    while (this.#open.length > depth) this.#nextOutside.set(this.#open.pop()!.item, this.count);
  }

  /** Offset of the first byte of an item. */
  offset(item: number): number {
    return this.#offsets.at(item);
  }

  /** Offset after an item without its content. */
  end(item: number): number {
    return this.#ends.at(item);
  }

  /** Offset after an item and its content. */
  spanEnd(item: number): number {
    return Math.max(this.end(item), this.end(this.nextOutside(item) - 1));
  }

  /** The first item after the content of an item. */
  nextOutside(item: number): number {
    return this.#nextOutside.at(item);
  }

  /** The item that contains an item, or {@link NONE}. */
  parent(item: number): number {
    return this.#parents.at(item);
  }

  /** Number of values before an item in its parent. */
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

  /** True for an item with items inside it. */
  hasContent(item: number): boolean {
    return this.nextOutside(item) > item + 1;
  }

  /** Number of containers around an item. */
  depth(item: number): number {
    let depth = 0;
    for (let at = this.parent(item); at !== NONE; at = this.parent(at)) depth++;
    return depth;
  }

  /** The texts of an item, if they are kept. */
  texts(item: number): ItemTexts | undefined {
    return this.#texts.get(item);
  }

  /** True for a key without content: it is shown in the row of its value, which is the next item. */
  isInRowOfNext(item: number): boolean {
    return this.isKey(item) && !this.hasContent(item) && item + 1 < this.count && !this.isFault(item);
  }

  /** The innermost item that contains a byte; {@link NONE} without one. */
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
