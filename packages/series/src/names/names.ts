/**
 * All metrics of a store that are on disk: several names files, read as one. Results do not contain forgotten metrics.
 */
import type { Entry } from "../drivers/driver.js";
import { ChunkIds } from "../metric/tag-index.js";
import { chunkOfKey, damagedEntry } from "../select/index-keys.js";
import type { NamesFile } from "./names-file.js";

/** Number of entries per piece. */
const PIECE_ENTRIES = 256;
const CHUNK_BITS = 12;

/** Ids that are forgotten, and their chunks. */
export class ForgottenIds {
  readonly ids: ReadonlySet<number>;
  readonly #chunks = new Map<number, number[]>();

  constructor(ids: Iterable<number>) {
    this.ids = new Set(ids);
    for (const id of this.ids) {
      const list = this.#chunks.get(id >>> CHUNK_BITS);
      if (list === undefined) this.#chunks.set(id >>> CHUNK_BITS, [id]);
      else list.push(id);
    }
  }

  /** The forgotten ids of a chunk. */
  ofChunk(chunk: number): readonly number[] {
    return this.#chunks.get(chunk) ?? [];
  }
}

/** The names files of a store, at one moment. */
export class Names {
  readonly #files: readonly NamesFile[];
  readonly #forgotten: ForgottenIds;

  /** `files`: the oldest first. */
  constructor(files: readonly NamesFile[], forgotten: ForgottenIds) {
    this.#files = files;
    this.#forgotten = forgotten;
  }

  /** The value of a canonical form: its id and its type. */
  async find(form: Uint8Array): Promise<Uint8Array | undefined> {
    for (let i = this.#files.length - 1; i >= 0; i--) {
      const value = await this.#files[i]!.find(form);
      if (value !== undefined && !this.#forgotten.ids.has(idOf(value))) return value;
    }
    return undefined;
  }

  /** The canonical form of an id, and its value. */
  async byId(id: number): Promise<Entry | undefined> {
    if (this.#forgotten.ids.has(id)) return undefined;
    for (let i = this.#files.length - 1; i >= 0; i--) {
      const entry = await this.#files[i]!.byId(id);
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  /** The ids of an entry of the tag index. */
  async tag(key: Uint8Array): Promise<Uint8Array | undefined> {
    const values: Uint8Array[] = [];
    for (const file of this.#files) {
      const value = await file.tag(key);
      if (value !== undefined) values.push(value);
    }
    return this.#united(key, values);
  }

  /** The entries of the tag index in a range, by ascending key, in pieces. */
  async *tags(from: Uint8Array, to: Uint8Array | undefined): AsyncGenerator<Entry[], void, undefined> {
    for await (const merged of mergedEntries(this.#files.map((file) => file.tags(from, to)))) {
      const piece: Entry[] = [];
      for (const { key, values } of merged) {
        const value = this.#united(key, values);
        if (value !== undefined) piece.push([key, value]);
      }
      yield piece;
    }
  }

  /** All metrics that are not forgotten, by ascending canonical form. */
  async *forms(): AsyncGenerator<Entry, void, undefined> {
    for await (const merged of mergedEntries(this.#files.map((file) => file.forms()))) {
      for (const { key, values } of merged) {
        // A form that was forgotten and registered again has several ids, of which at most one is not forgotten.
        const value = values.findLast((one) => !this.#forgotten.ids.has(idOf(one)));
        if (value !== undefined) yield [key, value];
      }
    }
  }

  /** The ids of all files; undefined without any. */
  #united(key: Uint8Array, values: readonly Uint8Array[]): Uint8Array | undefined {
    const forgotten = this.#forgotten.ids.size === 0 ? [] : this.#forgotten.ofChunk(chunkOfKey(key));
    if (forgotten.length === 0 && values.length <= 1) return values[0];
    const ids = new ChunkIds();
    for (const value of values) {
      const some = ChunkIds.parse(value);
      if (some === undefined) throw damagedEntry(key, "the ids of an index entry are damaged");
      ids.or(some);
    }
    for (const id of forgotten) ids.delete(id);
    return ids.value();
  }
}

function idOf(value: Uint8Array): number {
  return ((value[0]! << 24) | (value[1]! << 16) | (value[2]! << 8) | value[3]!) >>> 0;
}

/** The entries of one sorted source, and the next one to merge. */
interface MergeInput {
  readonly pages: AsyncIterator<readonly Entry[]>;
  page: readonly Entry[];
  at: number;
}

/** The entries of one key. */
interface MergedEntry {
  readonly key: Uint8Array;
  /** In the order of the sources. */
  readonly values: Uint8Array[];
}

/** The entries of several sorted sources by ascending key, in pieces: a promise for each entry would take longer than merging. */
async function* mergedEntries(
  sources: readonly AsyncIterable<readonly Entry[]>[],
): AsyncGenerator<readonly MergedEntry[], void, undefined> {
  const inputs: MergeInput[] = sources.map((source) => ({ pages: source[Symbol.asyncIterator](), page: [], at: 0 }));
  for (let i = inputs.length - 1; i >= 0; i--) if (!(await nextPage(inputs[i]!))) inputs.splice(i, 1);
  let piece: MergedEntry[] = [];
  while (inputs.length > 0) {
    let least = inputs[0]!.page[inputs[0]!.at]![0];
    for (let i = 1; i < inputs.length; i++) {
      const key = inputs[i]!.page[inputs[i]!.at]![0];
      if (Buffer.compare(key, least) < 0) least = key;
    }
    const values: Uint8Array[] = [];
    const ended: MergeInput[] = [];
    for (const input of inputs) {
      const [key, value] = input.page[input.at]!;
      if (key !== least && Buffer.compare(key, least) !== 0) continue;
      values.push(value);
      if (++input.at === input.page.length && !(await nextPage(input))) ended.push(input);
    }
    for (const input of ended) inputs.splice(inputs.indexOf(input), 1);
    piece.push({ key: least, values });
    if (piece.length < PIECE_ENTRIES) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}

async function nextPage(input: MergeInput): Promise<boolean> {
  const { value, done } = await input.pages.next();
  if (done) return false;
  input.page = value;
  input.at = 0;
  return true;
}
