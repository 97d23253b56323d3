/** The metrics of an import, by the text that stands for them in the input. Each input has texts of its own. */
import type { Metric, MetricHandle, Series } from "@moonpack/series";
import { MoonpackError, recordOf } from "moonpack/bytes";

/** A metric of the input, and its handle once the store has registered it. */
export class ImportedMetric {
  readonly metric: Metric;
  handle: MetricHandle | undefined;
  /** Why the store refused it. */
  failure: MoonpackError | undefined;

  constructor(metric: Metric) {
    this.metric = metric;
  }
}

/** Metrics that are remembered: more would let an import of ever new metrics grow. */
const MOST = 200_000;

/** Finds metrics by their texts, so that only the first point of each costs parsing and registration. */
export class ImportedMetrics {
  readonly #series: Pick<Series, "metric">;
  readonly #isInt64: boolean;
  readonly #most: number;
  readonly #known = new Map<string, ImportedMetric>();
  #unregistered: ImportedMetric[] = [];
  #stored: ((text: string) => string) | undefined;

  /** `isInt64`: all metrics are int64. */
  constructor(series: Pick<Series, "metric">, isInt64: boolean, most = MOST) {
    this.#series = series;
    this.#isInt64 = isInt64;
    this.#most = most;
  }

  /**
   * Forgets the texts: another input may use the same ones for other metrics. The metrics of the one before must be registered. `stored`
   * makes names and tags of what a store refuses.
   */
  startInput(stored?: (text: string) => string): void {
    this.#known.clear();
    this.#stored = stored;
  }

  /** The metric of a text, if it was added. */
  find(key: string): ImportedMetric | undefined {
    return this.#known.get(key);
  }

  /** Adds the metric of a text. Without a type it has the type that the store knows, or is float. */
  add(key: string, metric: Metric): ImportedMetric {
    const added = new ImportedMetric(this.#isInt64 ? { ...metric, type: "int64" } : metric);
    if (this.#known.size >= this.#most) this.#known.clear();
    this.#known.set(ownText(key), added);
    this.#unregistered.push(added);
    return added;
  }

  /** Registers all new metrics, at once. A metric that the store refuses has its `failure` set. */
  async register(): Promise<void> {
    const metrics = this.#unregistered;
    if (metrics.length === 0) return;
    this.#unregistered = [];
    await Promise.all(metrics.map((metric) => this.#registerOne(metric)));
  }

  async #registerOne(metric: ImportedMetric): Promise<void> {
    try {
      metric.handle = await this.#series.metric(
        this.#stored === undefined ? metric.metric : storedMetric(metric.metric, this.#stored),
      );
    } catch (error) {
      const isOfMetric =
        error instanceof MoonpackError && (error.code === "ERR_INVALID_METRIC" || error.code === "ERR_SERIES_TYPE");
      if (!isOfMetric) throw error;
      metric.failure = error;
    }
  }
}

function storedMetric({ name, tags = {}, ...metric }: Metric, stored: (text: string) => string): Metric {
  const changed = Object.entries(tags).map((tag) => tag.map(stored) as [string, string]);
  return { ...metric, name: stored(name), tags: recordOf(changed) };
}

/** A copy in memory of its own: a part of a text keeps the whole text alive. */
function ownText(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}
