/** Classes of documents, by their role in a service. The benchmark also shows each class alone. */
export const CLASSES = [
  "webhooks",
  "resources",
  "pages",
  "envelopes",
  "events",
  "tweets",
  "records",
  "rows",
  "tables",
  "dictionaries",
  "geojson",
  "numbers",
  "manifests",
  "specifications",
  "compatibility",
] as const;

/** One of {@link CLASSES}. */
export type KindClass = (typeof CLASSES)[number];

/** Documents that one endpoint, topic or file of a service would send. */
export interface Kind {
  /** Unique, and stable: seeds, filters and result files refer to it. */
  readonly name: string;
  readonly class: KindClass;
  /** Where the documents come from, for people: package, files and path. */
  readonly source: string;
  /** All different. They share no memory with each other or with the file that they are cut from. */
  readonly documents: readonly unknown[];
}

/** How the documents of a kind are cut from files of a package. */
export interface Cut {
  readonly name: string;
  readonly class: KindClass;
  readonly package: string;
  /** Files of the package. Their documents follow each other. */
  readonly files: readonly string[];
  /** The part of each file that is taken, in the notation of {@link select}. Without it, the file is the document. */
  readonly path?: string;
  /** Joins items: each document is a list of this many. A shorter rest is dropped if there is a full list. */
  readonly lists?: number;
  /** Divides items: each document is an array with this many elements, or an object with this many entries. */
  readonly slices?: number;
  /** The largest number of documents, taken at equal distances. */
  readonly take?: number;
}

/** The largest number of documents of a kind that sets no `take`. */
export const DOCUMENTS = 40;
/** Bytes of JSON that no document exceeds: a service sends larger ones in parts. */
export const LARGEST_DOCUMENT = 65_536;
