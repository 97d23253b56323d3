import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encode } from "@msgpack/msgpack";
import type { KindClass } from "../../corpus/kind.js";
import { loadCorpus } from "../../corpus/load.js";
import type { Player } from "../../types.js";
import type { KindRange } from "./sequence.js";
import { cutSpecimens, type SpecimenId } from "./specimens.js";

/** A kind as measuring processes know it. Specimens are not in the mix. */
export interface StoredKind extends KindRange {
  readonly group: KindClass | SpecimenId;
  readonly mixed: boolean;
}

/** Where a document's bytes are: JSON from `start`, MessagePack from `middle`. */
type Place = readonly [start: number, middle: number, end: number];

interface Index {
  readonly kinds: readonly StoredKind[];
  readonly places: readonly Place[];
}

const INDEX = "index.json";
const BYTES = "documents.bin";

/**
 * Writes all documents as bytes. A measuring process reads them instead of the corpus, so that it has no object of it, and no
 * hidden class, before it measures.
 */
export function writeDocuments(folder: string): void {
  const kinds: StoredKind[] = [];
  const places: Place[] = [];
  const parts: Uint8Array[] = [];
  let end = 0;
  const add = (group: StoredKind["group"], documents: readonly unknown[], mixed: boolean): void => {
    kinds.push({ group, first: places.length, count: documents.length, mixed });
    for (const document of documents) {
      const json = Buffer.from(JSON.stringify(document));
      const bytes = encode(document);
      parts.push(json, bytes);
      places.push([end, end + json.length, end + json.length + bytes.length]);
      end += json.length + bytes.length;
    }
  };
  const corpus = loadCorpus();
  for (const kind of corpus) add(kind.class, kind.documents, true);
  for (const { id, documents } of cutSpecimens(corpus)) add(id, documents, false);
  writeFileSync(join(folder, INDEX), JSON.stringify({ kinds, places } satisfies Index));
  writeFileSync(join(folder, BYTES), Buffer.concat(parts));
}

/** The documents in a measuring process, by their numbers. */
export class StoredDocuments {
  readonly kinds: readonly StoredKind[];
  readonly #places: readonly Place[];
  readonly #bytes: Buffer;

  constructor(folder: string) {
    const index = JSON.parse(readFileSync(join(folder, INDEX), "utf8")) as Index;
    this.kinds = index.kinds;
    this.#places = index.places;
    this.#bytes = readFileSync(join(folder, BYTES));
  }

  /** The kinds of the mix. */
  get mixed(): readonly StoredKind[] {
    return this.kinds.filter(({ mixed }) => mixed);
  }

  /** The bytes of a document in the format of a player. All MessagePack decoders read the same. */
  payload(document: number, format: Player["format"]): Buffer {
    const [start, middle, end] = this.#places[document]!;
    return format === "json" ? this.#bytes.subarray(start, middle) : this.#bytes.subarray(middle, end);
  }

  /** The value of a document: a new one, as a service has just built it. */
  value(document: number): unknown {
    return JSON.parse(this.payload(document, "json").toString());
  }
}
