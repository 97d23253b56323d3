import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encode } from "@msgpack/msgpack";
import { loadCorpus } from "../../corpus/load.js";
import { type DocumentIndex, FILES, type Place, StoredDocuments, type StoredKind } from "./documents.js";
import { cutFragments } from "./fragments.js";

/**
 * Writes the documents as bytes, the first `most` of each kind. A measuring process reads them instead of the corpus, so that it
 * has no object of it, and no hidden class, before it measures.
 */
export function writeDocuments(folder: string, most = Number.MAX_SAFE_INTEGER): void {
  const kinds: StoredKind[] = [];
  const places: Place[] = [];
  const parts: Uint8Array[] = [];
  let end = 0;
  const add = (group: StoredKind["group"], all: readonly unknown[], mixed: boolean): void => {
    const documents = all.slice(0, most);
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
  for (const { id, documents } of cutFragments(corpus)) add(id, documents, false);
  writeFileSync(join(folder, FILES.index), JSON.stringify({ kinds, places } satisfies DocumentIndex));
  writeFileSync(join(folder, FILES.bytes), Buffer.concat(parts));
}

/** Reads the documents of `writeDocuments`. */
export function readDocuments(folder: string): StoredDocuments {
  const index = JSON.parse(readFileSync(join(folder, FILES.index), "utf8")) as DocumentIndex;
  return new StoredDocuments(index, readFileSync(join(folder, FILES.bytes)));
}
