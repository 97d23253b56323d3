/**
 * A database in memory, for tests and for data that may be lost. Entries are sorted in blocks, so a snapshot copies only the list of blocks.
 */

import { closedError } from "@moonpack/series/driver";
import { invalidArgument } from "moonpack/bytes";
import { columnSpecs, ofColumn } from "./columns.js";
import type { Driver, Entry, Operation, RangeOptions, Store } from "./driver.js";
import { ReadOnlyStore } from "./read-only.js";

/** Entries of a block after which it is split. */
const MAX_BLOCK = 512;
/** Bytes of a chunk of a range. */
const PIECE_BYTES = 65_536;

/**
 * Returns a driver whose databases are lost when they are closed. Opening one with a path is `ERR_INVALID_ARGUMENT`: its log would outlive
 * the database.
 */
export function memoryDriver(): Driver {
  return {
    name: "memory",
    async open(path, options) {
      if (path !== undefined) throw invalidArgument("memory() does not use a folder: open it without a path");
      const store = new MemoryStore(columnSpecs(options).length);
      return options.readOnly ? new ReadOnlyStore(store) : store;
    },
  };
}

/** Sorted entries. A block is never changed, only replaced. */
type Block = readonly Entry[];

class MemoryStore implements Store {
  readonly #columns: Block[][];
  #isClosed = false;

  constructor(columns: number) {
    this.#columns = Array.from({ length: columns }, () => [[]]);
  }

  async getMany(column: number, keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    const blocks = this.#blocks(column);
    return keys.map((key) => {
      const block = blocks[blockOf(blocks, key)]!;
      const entry = block[firstAtLeast(block, key)];
      return entry !== undefined && Buffer.compare(entry[0], key) === 0 ? entry[1].slice() : undefined;
    });
  }

  async batch(operations: readonly Operation[]): Promise<void> {
    // All columns are checked before any write: a batch that fails changes nothing.
    const columns = operations.map(({ column }) => this.#blocks(column));
    operations.forEach(({ key, value }, i) => {
      this.#write(columns[i]!, key, value);
    });
  }

  #write(blocks: Block[], key: Uint8Array, value: Uint8Array | undefined): void {
    const b = blockOf(blocks, key);
    const block = blocks[b]!;
    const at = firstAtLeast(block, key);
    const isThere = at < block.length && Buffer.compare(block[at]![0], key) === 0;
    if (value === undefined && !isThere) return;
    // Copies: the caller may reuse its memory.
    const entry: Entry[] = value === undefined ? [] : [[key.slice(), value.slice()]];
    const changed = [...block.slice(0, at), ...entry, ...block.slice(isThere ? at + 1 : at)];
    if (changed.length > MAX_BLOCK) {
      blocks.splice(b, 1, changed.slice(0, MAX_BLOCK / 2), changed.slice(MAX_BLOCK / 2));
    } else if (changed.length === 0 && blocks.length > 1) blocks.splice(b, 1);
    else blocks[b] = changed;
  }

  async deleteRange(column: number, from: Uint8Array, to: Uint8Array): Promise<void> {
    const kept = this.#blocks(column).map((block) => {
      const first = firstAtLeast(block, from);
      const end = Math.max(first, firstAtLeast(block, to));
      return first === end ? block : [...block.slice(0, first), ...block.slice(end)];
    });
    const full = kept.filter((block) => block.length > 0);
    this.#columns[column] = full.length > 0 ? full : [[]];
  }

  async *range(column: number, from: Uint8Array, to: Uint8Array, options: RangeOptions = {}): AsyncGenerator<Entry[]> {
    // Blocks are immutable, so the list is a snapshot.
    const blocks = [...this.#blocks(column)];
    if (options.reverse) blocks.reverse();
    let piece: Entry[] = [];
    let bytes = 0;
    for (const block of blocks) {
      const entries = block.slice(firstAtLeast(block, from), firstAtLeast(block, to));
      if (options.reverse) entries.reverse();
      for (const [key, value] of entries) {
        piece.push([key.slice(), options.keysOnly ? new Uint8Array(0) : value.slice()]);
        bytes += key.length + value.length;
        if (bytes < PIECE_BYTES) continue;
        yield piece;
        this.#checkOpen();
        piece = [];
        bytes = 0;
      }
    }
    if (piece.length > 0) yield piece;
  }

  async size(column: number): Promise<number> {
    let bytes = 0;
    for (const block of this.#blocks(column)) for (const [key, value] of block) bytes += key.length + value.length;
    return bytes;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#columns.length = 0;
  }

  #blocks(column: number): Block[] {
    this.#checkOpen();
    return ofColumn(this.#columns, column);
  }

  #checkOpen(): void {
    if (this.#isClosed) throw closedError();
  }
}

/** Returns the last block whose first key is at most `key`, otherwise the first block. */
function blockOf(blocks: readonly Block[], key: Uint8Array): number {
  let low = 0;
  let high = blocks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const first = blocks[middle]![0];
    if (first !== undefined && Buffer.compare(first[0], key) <= 0) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Returns the position of the first entry whose key is at least `key`. */
function firstAtLeast(block: Block, key: Uint8Array): number {
  let low = 0;
  let high = block.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Buffer.compare(block[middle]![0], key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
