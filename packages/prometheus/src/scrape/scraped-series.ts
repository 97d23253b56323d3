/** The series of a target's samples: the labels of the text and of the target. */
import { recordOf } from "moonpack/bytes";
import { Labels, METRIC_NAME } from "../eval/labels.js";
import type { SampleSeries } from "../store/sample-writer.js";
import { boundText } from "../text/numbers.js";
import type { MetricSample, MetricType } from "../text/types.js";
import type { TextRecord } from "./options.js";

/** A series of a target. */
export interface ScrapedSeries extends SampleSeries {
  /** Equal for equal series only. */
  readonly key: string;
}

/** Returns a series with the labels of a target. */
export function scrapedSeries(name: string, labels: TextRecord): ScrapedSeries {
  return { name, labels, key: Labels.of([...Object.entries(labels), [METRIC_NAME, name]]).key, handle: undefined };
}

/** Finds the series of samples. Keeps the series of the last scrape, by their texts. */
export class SeriesCache {
  readonly #labels: TextRecord;
  readonly #honorLabels: boolean;
  #last = new Map<string, ScrapedSeries>();
  #next = new Map<string, ScrapedSeries>();

  constructor(labels: TextRecord, honorLabels: boolean) {
    this.#labels = labels;
    this.#honorLabels = honorLabels;
  }

  /** Returns the series of a sample. `text` is its name and labels in the text, `type` the type of the last line TYPE. */
  of({ name, labels }: MetricSample, text: string, type: MetricType | undefined): ScrapedSeries {
    // As Prometheus: the same bound of a bucket has one text, whichever format a target serves.
    const bound = type === "histogram" ? "le" : type === "summary" ? "quantile" : "";
    const id = bound === "" ? text : `${bound} ${text}`;
    let series = this.#next.get(id) ?? this.#last.get(id);
    if (series === undefined) {
      const own = Object.entries(labels).map(([label, value]): [string, string] => [
        label,
        label === bound ? boundText(value) : value,
      ]);
      series = scrapedSeries(name, merged(own, this.#labels, this.#honorLabels));
    }
    this.#next.set(id, series);
    return series;
  }

  /** Ends a scrape. The series of one that failed are forgotten. */
  end(isComplete: boolean): void {
    if (isComplete) this.#last = this.#next;
    this.#next = new Map();
  }
}

/** The labels of a text and of a target. An empty label is the same as none. */
function merged(own: readonly [string, string][], target: TextRecord, honorLabels: boolean): TextRecord {
  const names = new Set([...Object.keys(target), ...own.map(([name]) => name)]);
  const labels = new Map(Object.entries(target));
  for (const [name, value] of own) {
    if (honorLabels || !Object.hasOwn(target, name)) {
      labels.set(name, value);
      continue;
    }
    if (value === "") continue;
    let other = `exported_${name}`;
    while (names.has(other)) other = `exported_${other}`;
    names.add(other);
    labels.set(other, value);
  }
  return recordOf([...labels].filter(([, value]) => value !== ""));
}
