/** PromQL and Prometheus' HTTP API over a store. */
import type { Series } from "@moonpack/series";
import { durationOption, invalidArgument } from "moonpack/bytes";
import type { Labels } from "./eval/labels.js";
import { LABEL_WORK, Pace } from "./eval/pace.js";
import type { LabelsObject, QueryResult, VectorRow } from "./eval/result.js";
import { Api } from "./http/api.js";
import { type ListenOptions, listen, type PrometheusServer } from "./http/listen.js";
import type { HttpAnswer, HttpRequest } from "./http/messages.js";
import { type NodeHandler, nodeHandler } from "./http/node.js";
import { firstItems, QueryEngine } from "./query/engine.js";
import {
  type FindOptions,
  lookbackOption,
  type PrometheusOptions,
  type PrometheusSettings,
  prometheusSettings,
  type QueryOptions,
  type RangeOptions,
  type ReadSettings,
  readSettings,
  timeOption,
} from "./query/options.js";
import { WriteReceiver } from "./remote-write/receiver.js";
import { startScrapes } from "./scrape/start.js";
import type { ScrapeJob, ScrapeOptions } from "./scrape/types.js";
import { type FindRequest, SeriesFinder } from "./store/find.js";
import { MetadataMap } from "./store/metadata.js";

/** A series of a range query. */
export interface SeriesRow {
  readonly labels: LabelsObject;
  /** The times in milliseconds. Series may share the array. */
  readonly times: Float64Array;
  /** The values, in the order of the times. */
  readonly values: Float64Array;
}

/** The answer of a query. */
export type QueryAnswer = (
  | { readonly resultType: "vector"; readonly result: readonly VectorRow[] }
  | { readonly resultType: "matrix"; readonly result: readonly SeriesRow[] }
  | { readonly resultType: "scalar"; readonly result: number }
  | { readonly resultType: "string"; readonly result: string }
) & {
  /** Texts such as `PromQL warning: .. (1:10)`. */
  readonly warnings: readonly string[];
  /** Texts such as `PromQL info: .. (1:10)`. */
  readonly infos: readonly string[];
};

/** PromQL over a store. Times in milliseconds. */
export interface Prometheus {
  /**
   * Evaluates a query at one time. Throws `PrometheusError` with `ERR_PROMQL_SYNTAX`, `ERR_PROMQL_EXECUTION`, `ERR_LIMIT_SAMPLES`,
   * `ERR_LIMIT_SERIES` or `ERR_TIMEOUT`; `ERR_ABORTED`, `ERR_INVALID_ARGUMENT`, and errors of the store.
   *
   * @example
   * const { result } = await prom.query("sum(rate(requests_total[5m]))");
   */
  query(text: string, options?: QueryOptions): Promise<QueryAnswer>;
  /**
   * Evaluates a query at the steps from `start` to `end`. A number is a series without labels. Throws as {@link Prometheus.query} does, and
   * `ERR_LIMIT_POINTS`.
   *
   * @example
   * const { result } = await prom.queryRange("up", { start: Date.now() - 3_600_000, step: "15s" });
   */
  queryRange(text: string, options: RangeOptions): Promise<QueryAnswer>;
  /**
   * Returns the labels of series, in order; with `start` or `end` only of series with points in that time.
   *
   * @example
   * await prom.findSeries({ match: 'up{job="api"}' }); // [{ __name__: "up", job: "api" }]
   */
  findSeries(options?: FindOptions): Promise<readonly LabelsObject[]>;
  /**
   * Returns the names of labels, in order. Without `match` the times are not looked at.
   *
   * @example
   * await prom.labelNames({ match: "up" }); // ["__name__", "job"]
   */
  labelNames(options?: FindOptions): Promise<readonly string[]>;
  /**
   * Returns the values of a label, in order. Without `match` the times are not looked at.
   *
   * @example
   * await prom.labelValues("__name__"); // ["up"]
   */
  labelValues(name: string, options?: FindOptions): Promise<readonly string[]>;
  /**
   * Starts to scrape targets: URLs of exporters, and registries of metrics in this process, such as prom-client's. Throws
   * `ERR_INVALID_ARGUMENT`. Stop the job before you close the store.
   *
   * @example
   * const job = prom.scrape({ targets: ["http://localhost:9100/metrics", register], interval: "15s" });
   * await job.stop();
   */
  scrape(options: ScrapeOptions): ScrapeJob;
  /**
   * Answers a request of Prometheus' HTTP API, for servers with requests of their own kind. It throws nothing: errors
   * are answers.
   *
   * @example
   * const { status, headers, body } = await prom.answer({ method: "GET", url: "/api/v1/labels", headers, body: undefined });
   */
  answer(request: HttpRequest): Promise<HttpAnswer>;
  /**
   * Returns a handler of Prometheus' HTTP API for servers of `node:http`.
   *
   * @example
   * createServer(prom.handler()).listen(9090, "127.0.0.1");
   */
  handler(): NodeHandler;
  /**
   * Starts a server of Prometheus' HTTP API: on 127.0.0.1, unless `host` says otherwise. Rejects with the error of `node:http` if it cannot
   * listen.
   *
   * @example
   * const server = await prom.listen({ port: 9090 });
   * console.log(server.url); // http://127.0.0.1:9090
   */
  listen(options?: ListenOptions): Promise<PrometheusServer>;
}

/**
 * Makes an open store of `@moonpack/series`, whose unit is milliseconds, answer PromQL. The store stays the caller's to close. Throws
 * `ERR_INVALID_ARGUMENT`.
 *
 * @example
 * const prom = createPrometheus(await openSeries({ path: "./metrics" }));
 * const { result } = await prom.query("up == 0");
 */
export function createPrometheus(series: Series, options?: PrometheusOptions): Prometheus {
  if (typeof series?.blocks !== "function" || typeof series.tagValues !== "function")
    throw invalidArgument("series must be an open store of @moonpack/series");
  if (series.unit !== "ms")
    throw invalidArgument(
      `the unit of the store must be "ms", not ${JSON.stringify(series.unit)}: its files do not depend on it`,
    );
  return new StorePrometheus(series, prometheusSettings(options));
}

class StorePrometheus implements Prometheus {
  readonly #settings: PrometheusSettings;
  readonly #engine: QueryEngine;
  readonly #finder: SeriesFinder;
  readonly #series: Series;
  readonly #metadata = new MetadataMap();
  readonly #jobs = new Set<ScrapeJob>();
  readonly #api: Api;

  constructor(series: Series, settings: PrometheusSettings) {
    this.#series = series;
    this.#settings = settings;
    this.#engine = new QueryEngine(series, settings);
    this.#finder = new SeriesFinder(series, this.#engine.source.reader, settings.maxSeries);
    this.#api = new Api({
      series,
      engine: this.#engine,
      finder: this.#finder,
      metadata: this.#metadata,
      receiver: new WriteReceiver(series, this.#metadata, settings),
      jobs: this.#jobs,
    });
  }

  async query(text: string, options?: QueryOptions): Promise<QueryAnswer> {
    const { given, read } = readSettings(options, ["time", "lookback"], this.#settings);
    const start = timeOption("time", given.time, this.#settings.now());
    const lookback = lookbackOption(given.lookback);
    return answerOf(await this.#engine.evaluate({ text, start, end: start, step: 0, lookback, ...read }));
  }

  async queryRange(text: string, options: RangeOptions): Promise<QueryAnswer> {
    const { given, read } = readSettings(options, ["start", "end", "step", "lookback"], this.#settings);
    const start = timeOption("start", given.start, undefined);
    const end = timeOption("end", given.end, this.#settings.now());
    if (given.step === undefined) throw invalidArgument("step must be a duration");
    const step = Math.round(durationOption("step", given.step, 0, 1, Number.MAX_SAFE_INTEGER));
    const lookback = lookbackOption(given.lookback);
    return answerOf(await this.#engine.evaluate({ text, start, end, step, lookback, ...read }));
  }

  findSeries(options?: FindOptions): Promise<readonly LabelsObject[]> {
    return this.#find(options, async (request) => {
      const objects: LabelsObject[] = [];
      const pace = new Pace(request.signal, Number.POSITIVE_INFINITY);
      await pace.each(await this.#finder.series(request), LABEL_WORK, (labels) => objects.push(objectOf(labels)));
      return objects;
    });
  }

  labelNames(options?: FindOptions): Promise<readonly string[]> {
    return this.#find(options, (request) => this.#finder.names(request));
  }

  async labelValues(name: string, options?: FindOptions): Promise<readonly string[]> {
    if (typeof name !== "string" || name === "") throw invalidArgument("name must be the name of a label");
    return this.#find(options, (request) => this.#finder.values(name, request));
  }

  scrape(options: ScrapeOptions): ScrapeJob {
    const job = startScrapes(this.#series, this.#metadata, options, (ended) => this.#jobs.delete(ended));
    this.#jobs.add(job);
    return job;
  }

  answer(request: HttpRequest): Promise<HttpAnswer> {
    return this.#api.answer(request);
  }

  handler(): NodeHandler {
    return nodeHandler(this.#api);
  }

  listen(options?: ListenOptions): Promise<PrometheusServer> {
    return listen(this.#api, this.#series.readOnly, options);
  }

  async #find<T>(
    options: FindOptions | undefined,
    find: (request: FindRequest) => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    const { given, read } = readSettings(options, ["match", "start", "end"], this.#settings);
    const match = matchOf(given.match);
    const from = given.start === undefined ? undefined : timeOption("start", given.start, undefined);
    const to = given.end === undefined ? undefined : timeOption("end", given.end, undefined);
    const found = await this.#engine.read(read, (signal) => find({ match, from, to, signal }));
    return firstItems(found, (read as ReadSettings).limit).items;
  }
}

function matchOf(match: FindOptions["match"]): readonly string[] {
  const texts: unknown = match === undefined ? [] : typeof match === "string" ? [match] : match;
  if (!Array.isArray(texts)) throw invalidArgument("match must be a selector or a list of selectors");
  return [...texts];
}

function objectOf(labels: Labels): LabelsObject {
  return Object.fromEntries(labels);
}

/** Returns a result as objects, and lets the event loop run: there may be 100,000 series. */
async function answerOf({ value, warnings, infos }: QueryResult): Promise<QueryAnswer> {
  const notes = { warnings, infos };
  const pace = new Pace(undefined, Number.POSITIVE_INFINITY);
  switch (value.resultType) {
    case "vector": {
      const { time, values } = value;
      const result: VectorRow[] = [];
      await pace.each(value.labels, LABEL_WORK, (labels) =>
        result.push({ labels: objectOf(labels), time, value: values[result.length]! }),
      );
      return { resultType: "vector", result, ...notes };
    }
    case "matrix": {
      const result: SeriesRow[] = [];
      await pace.each(value.series, LABEL_WORK, ({ labels, timestamps, values }) =>
        result.push({ labels: objectOf(labels), times: timestamps, values }),
      );
      return { resultType: "matrix", result, ...notes };
    }
    case "scalar":
      return { resultType: "scalar", result: value.value, ...notes };
    case "string":
      return { resultType: "string", result: value.value, ...notes };
  }
}
