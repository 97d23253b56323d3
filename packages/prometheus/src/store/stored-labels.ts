/**
 * The metric of a store that holds a series. Stores refuse control characters, so texts are written in another form:
 *
 * - a control character as the character U+E000 + its code;
 * - a character from U+E000 to U+E0FF after U+E0FF, so that every text is read back;
 * - the name of the label `__stale__` after U+E0FF, since the store uses this tag.
 *
 * Staleness markers are points of another metric: the same name and tags, and the tag `__stale__`.
 */
import { recordOf } from "moonpack/bytes";
import { Labels, METRIC_NAME } from "../eval/labels.js";

/** The tag of a metric that holds the staleness markers of a series. Its value is `1`. */
export const STALE_TAG = "__stale__";
/** The most labels of a series, with its name: 32 tags in a store, one of which is kept for {@link STALE_TAG}. */
export const MAX_LABELS = 32;

const BASE = 0xe000;
const ESCAPE = "\ue0ff";
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what stores refuse.
const ESCAPED = /[\0-\x1f\x7f\ue000-\ue0ff]/g;
const STORED = /\ue0ff(.)|[\ue000-\ue01f\ue07f]/gs;

/** A metric as stores have it. */
export interface StoredMetric {
  /** The name. */
  readonly name: string;
  /** The other labels. */
  readonly tags: { readonly [name: string]: string };
}

/** Returns the form in which a store keeps a name or a value. */
export function storedText(text: string): string {
  return text.replace(ESCAPED, (one) =>
    one >= "\ue000" ? ESCAPE + one : String.fromCharCode(BASE + one.charCodeAt(0)),
  );
}

/** Returns the text of a stored form. */
export function originalText(stored: string): string {
  return stored.replace(STORED, (one, own?: string) => own ?? String.fromCharCode(one.charCodeAt(0) - BASE));
}

/** Returns the tag that holds a label. */
export function storedLabel(name: string): string {
  return name === STALE_TAG ? ESCAPE + name : storedText(name);
}

/** Returns the metric that holds the values of a series. */
export function storedMetric(name: string, labels: { readonly [name: string]: string }): StoredMetric {
  const tags = recordOf(
    Object.entries(labels).map(([label, value]): [string, string] => [storedLabel(label), storedText(value)]),
  );
  return { name: storedText(name), tags };
}

/** Returns the metric that holds the staleness markers of the series of a metric. */
export function markerMetric({ name, tags }: StoredMetric): StoredMetric {
  return { name, tags: recordOf([...Object.entries(tags), [STALE_TAG, "1"]]) };
}

/** True if a metric holds staleness markers. */
export function isMarkerMetric({ tags }: StoredMetric): boolean {
  return Object.hasOwn(tags, STALE_TAG);
}

/** Returns the labels, with the name, of the series that a metric holds, or whose markers it holds. */
export function labelsOf({ name, tags }: StoredMetric): Labels {
  const labels = new Map<string, string>();
  for (const [tag, value] of Object.entries(tags))
    if (tag !== STALE_TAG) labels.set(originalText(tag), originalText(value));
  return Labels.of(labels.set(METRIC_NAME, originalText(name)));
}
