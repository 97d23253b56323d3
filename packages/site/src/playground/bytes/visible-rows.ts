// The visible items of a tree: items whose containers are all open.
import { type ItemStore, NONE } from "./item-store.ts";

/** Rows that are open at the beginning, at most. */
const FIRST_ROWS = 2000;

/** The open containers of a tree, and its rows. */
export class VisibleRows {
  readonly #store: ItemStore;
  readonly #isOpen: Uint8Array;
  #rows: Uint32Array = new Uint32Array(0);

  /** Opens levels from the top, while the rows are few. */
  constructor(store: ItemStore) {
    this.#store = store;
    this.#isOpen = new Uint8Array(store.count);
    const counts = rowsOfLevels(store);
    let sum = 0;
    const deepest = counts.findIndex((count) => (sum += count) > FIRST_ROWS);
    // The first level is open in any case.
    const levels = Math.max(deepest === -1 ? counts.length : deepest - 1, 1);
    eachWithDepth(store, (item, depth) => {
      if (depth < levels) this.#isOpen[item] = 1;
    });
    this.#list();
  }

  /** The number of rows. */
  get count(): number {
    return this.#rows.length;
  }

  /** The item of a row. */
  at(row: number): number {
    return this.#rows[row]!;
  }

  /** True if the content of an item is shown. */
  isOpen(item: number): boolean {
    return this.#isOpen[item] === 1;
  }

  /** Shows or hides the content of an item. Takes time linear in the rows. */
  setOpen(item: number, isOpen: boolean): void {
    this.#isOpen[item] = isOpen ? 1 : 0;
    this.#list();
  }

  /** The row of an item, or of the value that its key belongs to, after all around it were opened. */
  reveal(item: number): number {
    const shown = this.#store.isInRowOfNext(item) ? item + 1 : item;
    let isChanged = false;
    for (let at = this.#store.parent(shown); at !== NONE; at = this.#store.parent(at)) {
      isChanged ||= this.#isOpen[at] === 0;
      this.#isOpen[at] = 1;
    }
    if (isChanged) this.#list();
    return this.rowOf(shown);
  }

  /** The row of an item, or of the nearest visible item around it. -1 without one. */
  rowOf(item: number): number {
    const shown = this.#store.isInRowOfNext(item) ? item + 1 : item;
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.at(middle) <= shown) low = middle + 1;
      else high = middle;
    }
    // The last row before it is the item itself, or a closed container.
    return low - 1;
  }

  #list(): void {
    const store = this.#store;
    let count = 0;
    const each = (take: (item: number) => void) => {
      for (let item = 0; item < store.count; ) {
        if (!store.isInRowOfNext(item)) take(item);
        item = this.#isOpen[item] === 1 ? item + 1 : store.nextOutside(item);
      }
    };
    each(() => count++);
    const rows = new Uint32Array(count);
    let at = 0;
    each((item) => {
      rows[at++] = item;
    });
    this.#rows = rows;
  }
}

/** The number of rows in each level. */
function rowsOfLevels(store: ItemStore): number[] {
  const counts: number[] = [];
  eachWithDepth(store, (item, depth) => {
    if (!store.isInRowOfNext(item)) counts[depth] = (counts[depth] ?? 0) + 1;
  });
  return counts;
}

function eachWithDepth(store: ItemStore, take: (item: number, depth: number) => void): void {
  const ends: number[] = [];
  for (let item = 0; item < store.count; item++) {
    while (ends.length > 0 && ends.at(-1)! <= item) ends.pop();
    take(item, ends.length);
    if (store.hasContent(item)) ends.push(store.nextOutside(item));
  }
}
