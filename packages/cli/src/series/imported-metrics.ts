/** The metrics of an import, keyed by their text in the input. The texts are separate for each input. */
import type { Metric, MetricHandle, Series } from "@moonpack/series";
import { MoonpackError, recordOf } from "moonpack/bytes";
import { STALE_TAG, storedLabel, storedText } from "./stored-text.js";

/** A metric of the input, and its handle once the store has registered it. */
export class ImportedMetric {
  readonly metric: Metric;
  handle: MetricHandle | undefined;
  /** The error if the store rejected the metric. */
  failure: MoonpackError | undefined;

  constructor(metric: Metric) {
    this.metric = metric;
  }
}

/** The largest number of remembered metrics: bounds the memory of an import with ever new metrics. */
const MOST = 200_000;

/** Finds metrics by their texts, so that only the first point of each costs parsing and registration. */
export class ImportedMetrics {
  readonly #series: Pick<Series, "metric">;
  readonly #isInt64: boolean;
  readonly #most: number;
  readonly #known = new Map<string, ImportedMetric>();
  #unregistered: ImportedMetric[] = [];
  #hasLabels = false;

  /** `isInt64`: all metrics are int64. */
  constructor(series: Pick<Series, "metric">, isInt64: boolean, most = MOST) {
    this.#series = series;
    this.#isInt64 = isInt64;
    this.#most = most;
  }

  /**
   * Forgets the texts, since another input may use the same text for another metric. The previous input's metrics must be
   * registered. `hasLabels`: the tags are labels of Prometheus, which are stored in a form that the store accepts.
   */
  startInput(hasLabels = false): void {
    this.#known.clear();
    this.#hasLabels = hasLabels;
  }

  /** The metric of a text, if it was added. */
  find(key: string): ImportedMetric | undefined {
    return this.#known.get(key);
  }

  /** Adds the metric of a text. A metric without a type gets the type in the store, or float if it is new. */
  add(key: string, metric: Metric): ImportedMetric {
    const added = new ImportedMetric(this.#isInt64 ? { ...metric, type: "int64" } : metric);
    if (this.#known.size >= this.#most) this.#known.clear();
    this.#known.set(ownText(key), added);
    this.#unregistered.push(added);
    return added;
  }

  /** Registers all new metrics with one call. Sets `failure` of each metric that the store rejects. */
  async register(): Promise<void> {
    const metrics = this.#unregistered;
    if (metrics.length === 0) return;
    this.#unregistered = [];
    await Promise.all(metrics.map((metric) => this.#registerOne(metric)));
  }

  async #registerOne(metric: ImportedMetric): Promise<void> {
    try {
      metric.handle = await this.#series.metric(
        this.#hasLabels ? storedMetric(metric.metric) : checkedMetric(metric.metric),
      );
    } catch (error) {
      const isOfMetric =
        error instanceof MoonpackError && (error.code === "ERR_INVALID_METRIC" || error.code === "ERR_SERIES_TYPE");
      if (!isOfMetric) throw error;
      metric.failure = error;
    }
  }
}

function storedMetric({ name, tags = {}, ...metric }: Metric): Metric {
  const changed = Object.entries(tags).map(([key, value]): [string, string] => [storedLabel(key), storedText(value)]);
  return { ...metric, name: storedText(name), tags: recordOf(changed) };
}

/** Returns a metric of a store. Throws `ERR_INVALID_METRIC` for one that would hold staleness markers, but that no store writes. */
function checkedMetric(metric: Metric): Metric {
  const { tags = {} } = metric;
  if (!Object.hasOwn(tags, STALE_TAG) || tags[STALE_TAG] === "1") return metric;
  const text = `the tag ${STALE_TAG} is for staleness markers, whose value is 1`;
  throw new MoonpackError("ERR_INVALID_METRIC", text);
}

/** Copies a string: a substring would keep the whole input string alive. */
function ownText(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}
