/** Runs queries over a store: a few at once, each within its time. */
import type { Series } from "@moonpack/series";
import { evaluate } from "../eval/evaluate.js";
import type { QueryResult, QueryValue } from "../eval/result.js";
import { parseRequest } from "../parse/parse.js";
import type { QueryTimes } from "../plan/durations.js";
import { StoreSource } from "../store/store-source.js";
import { withDeadline } from "./deadline.js";
import { Gate } from "./gate.js";
import type { PrometheusSettings, ReadSettings } from "./options.js";

/** A query with its times. */
export interface QueryRequest extends QueryTimes, ReadSettings {
  readonly text: string;
  readonly lookback: number | undefined;
}

const TRUNCATED = "results truncated due to limit";

/** Runs queries. */
export class QueryEngine {
  readonly settings: PrometheusSettings;
  /** The data. */
  readonly source: StoreSource;
  /** The queries that run and wait. */
  readonly gate: Gate;

  constructor(series: Series, settings: PrometheusSettings) {
    this.settings = settings;
    this.source = new StoreSource(series, settings);
    this.gate = new Gate(settings.maxConcurrent);
  }

  /** Evaluates a query. Throws as {@link evaluate} and `parseRequest` do. */
  async evaluate({ text, start, end, step, lookback, limit, ...read }: QueryRequest): Promise<QueryResult> {
    const query = parseRequest(text);
    const { maxSamples, maxSeries, maxPoints, subqueryStep, ...settings } = this.settings;
    const result = await this.read(read, (signal) =>
      evaluate(query, {
        query: text,
        start,
        ...(step > 0 && { end, step }),
        source: this.source,
        lookback: lookback ?? settings.lookback,
        subqueryStep,
        // The deadline is the signal's.
        timeout: Number.MAX_SAFE_INTEGER,
        signal,
        limits: { maxSamples, maxSeries, maxPoints },
      }),
    );
    return limited(result, limit);
  }

  /** Runs a task when it is its turn, and ends it at the deadline. */
  read<T>(
    { timeout, signal }: Pick<ReadSettings, "timeout" | "signal">,
    task: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return withDeadline(signal, timeout, (ends) => this.gate.run(ends, () => task(ends)));
  }
}

/** Returns a result with at most `limit` series. */
function limited(result: QueryResult, limit: number): QueryResult {
  const value = firstOf(result.value, limit);
  return value === result.value ? result : { ...result, value, warnings: [...result.warnings, TRUNCATED] };
}

function firstOf(value: QueryValue, limit: number): QueryValue {
  if (value.resultType === "vector" && value.labels.length > limit)
    return { ...value, labels: value.labels.slice(0, limit), values: value.values.slice(0, limit) };
  if (value.resultType === "matrix" && value.series.length > limit)
    return { ...value, series: value.series.slice(0, limit) };
  return value;
}

/** Returns the first texts or series, with a warning if that are not all. */
export function firstItems<T>(
  items: readonly T[],
  limit: number,
): { readonly items: readonly T[]; readonly warnings: readonly string[] } {
  if (items.length <= limit) return { items, warnings: [] };
  return { items: items.slice(0, limit), warnings: [TRUNCATED] };
}
