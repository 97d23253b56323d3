import type { KindClass } from "../../corpus/kind.js";
import type { Candidate } from "../../types.js";
import type { FragmentId } from "./fragments.js";
import type { KindRange } from "./sequence.js";

/** A kind as measuring processes know it. Fragments are not in the mix. */
export interface StoredKind extends KindRange {
  readonly group: KindClass | FragmentId;
  readonly mixed: boolean;
}

/** Where a document's bytes are: JSON from `start`, MessagePack from `middle`. */
export type Place = readonly [start: number, middle: number, end: number];

/** The index of the stored documents. */
export interface DocumentIndex {
  readonly kinds: readonly StoredKind[];
  readonly places: readonly Place[];
}

/** Their files. Processes read them from a folder, pages from their server. */
export const FILES = { index: "index.json", bytes: "documents.bin" } as const;

const text = new TextDecoder();

/** The documents where measuring is done, in a process or in a page, by their numbers. */
export class StoredDocuments {
  readonly kinds: readonly StoredKind[];
  readonly #places: readonly Place[];
  readonly #bytes: Uint8Array;

  constructor({ kinds, places }: DocumentIndex, bytes: Uint8Array) {
    this.kinds = kinds;
    this.#places = places;
    this.#bytes = bytes;
  }

  /** The kinds of the mix. */
  get mixed(): readonly StoredKind[] {
    return this.kinds.filter(({ mixed }) => mixed);
  }

  /** The bytes of a document in the format of a candidate. All MessagePack decoders read the same. */
  payload(document: number, format: Candidate["format"]): Uint8Array {
    const [start, middle, end] = this.#places[document]!;
    return format === "json" ? this.#bytes.subarray(start, middle) : this.#bytes.subarray(middle, end);
  }

  /** The value of a document: a new one, as a service has just built it. */
  value(document: number): unknown {
    return JSON.parse(text.decode(this.payload(document, "json")));
  }
}
