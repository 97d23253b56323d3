/** What the documents of a kind are in a service. The benchmark shows each class by itself. */
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
  /** What of each file is taken, in the notation of {@link select}. Without it, the file is the document. */
  readonly path?: string;
  /** Joins what was taken: each document is a list of so many. A shorter rest is left out if there is a full list. */
  readonly lists?: number;
  /** Divides what was taken: each document is an array of so many elements, or an object of so many entries. */
  readonly slices?: number;
  /** At most so many documents, taken at equal distances. */
  readonly take?: number;
}

/** At most so many documents are taken for a kind that names no number. */
export const DOCUMENTS = 40;
/** Bytes of JSON that no document exceeds: a service sends larger ones in parts. */
export const LARGEST_DOCUMENT = 65_536;
