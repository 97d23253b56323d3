/**
 * Selects metrics by several tags with one value each, the most common selection. The entries of all values are read alternately, chunk by
 * chunk. The first value whose entries end has about the smallest set; of the other values only the chunks of this set are still needed.
 */
import type { Entry } from "../drivers/driver.js";
import { addEntry, type IdSet, intersect } from "./id-set.js";
import { chunkOfKey } from "./index-keys.js";
import type { IndexReader } from "./index-reader.js";

/** Fewer entries are probably the last ones: drivers return more at once. */
const SHORT_PIECE = 64;

/** A tag and its required value. */
export interface EqualTerm {
  readonly tag: string;
  readonly value: string;
}

/** Returns the ids of metrics with all of the tags: at least one tag. */
export async function idsOfAll(reader: IndexReader, terms: readonly EqualTerm[]): Promise<IdSet> {
  // Names last: usually more metrics share a name than the value of a tag.
  const all = terms
    .toSorted((a, b) => Number(a.tag === "") - Number(b.tag === ""))
    .map((term) => new EqualIds(reader, term));
  try {
    const first = await firstComplete(all);
    const result = first.set;
    for (const ids of all) {
      if (ids === first) continue;
      if (result.size === 0) break;
      await ids.readAll(result);
      intersect(result, ids.set);
    }
    return result;
  } finally {
    await Promise.all(all.map((ids) => ids.close()));
  }
}

/** Reads until the entries of one value have ended. */
async function firstComplete(all: readonly EqualIds[]): Promise<EqualIds> {
  for (;;) {
    for (const ids of all) {
      await ids.readPiece();
      if (ids.isComplete) return ids;
    }
  }
}

/** The ids of one value that have been read so far. */
class EqualIds {
  readonly set: IdSet = new Map();
  isComplete = false;
  readonly #reader: IndexReader;
  readonly #term: EqualTerm;
  readonly #pieces: AsyncIterator<readonly Entry[]>;
  /** Chunks below this one have been read. */
  #read = 0;

  constructor(reader: IndexReader, term: EqualTerm) {
    this.#reader = reader;
    this.#term = term;
    this.#pieces = reader.piecesOf(term.tag, term.value)[Symbol.asyncIterator]();
  }

  async readPiece(): Promise<void> {
    if ((await this.#readNext()) < SHORT_PIECE && !this.isComplete) await this.#readNext();
  }

  /** Reads the next entries. Returns their number. */
  async #readNext(): Promise<number> {
    const { value: piece, done } = await this.#pieces.next();
    if (!done) {
      for (const [key, value] of piece) addEntry(this.set, key, value);
      if (piece.length > 0) this.#read = chunkOfKey(piece[piece.length - 1]![0]) + 1;
    }
    this.isComplete = done === true || this.#read > this.#reader.lastChunk;
    return done ? 0 : piece.length;
  }

  /** Reads the remaining chunks that are in `only`, or all of them. */
  async readAll(only: IdSet): Promise<void> {
    const { tag, value } = this.#term;
    const chunks = [...only.keys()].filter((chunk) => chunk >= this.#read);
    const got = await this.#reader.idsOfFew(tag, value, chunks);
    if (got === undefined) while (!this.isComplete) await this.readPiece();
    else for (const [chunk, ids] of got) this.set.set(chunk, ids);
  }

  async close(): Promise<void> {
    await this.#pieces.return?.();
  }
}
