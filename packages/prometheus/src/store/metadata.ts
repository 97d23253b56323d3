/** The metadata of metrics: in memory, lost at a restart. */
import type { MetricMetadata, MetricType } from "../text/types.js";

/** The most names that are kept. */
const MAX_NAMES = 10_000;
/** The longest text that is kept, in UTF-16 code units: longer help texts are cut, longer names and units are left out. */
const MAX_TEXT = 1024;

/** The metadata of one name. */
export interface KeptMetadata {
  readonly type: MetricType;
  readonly help: string;
  readonly unit: string;
}

/** The type, the help text and the unit of at most 10,000 names. The first names are kept; their last content is. */
export class MetadataMap {
  readonly #entries = new Map<string, KeptMetadata>();

  /** The names and their metadata, in the order in which the names were first seen. */
  get entries(): ReadonlyMap<string, KeptMetadata> {
    return this.#entries;
  }

  /** Merges a line of metadata with earlier ones. Returns false if there is not enough room. */
  add({ name, type, help, unit = "" }: MetricMetadata): boolean {
    const known = this.#entries.get(name);
    const isFull = known === undefined && this.#entries.size >= MAX_NAMES;
    if (isFull || name.length > MAX_TEXT || unit.length > MAX_TEXT) return false;
    this.#entries.set(name, {
      type: type ?? known?.type ?? "unknown",
      help: help === undefined ? (known?.help ?? "") : cut(help),
      unit: unit || (known?.unit ?? ""),
    });
    return true;
  }
}

function cut(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  // Not between the two halves of a character.
  return text.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, "");
}
