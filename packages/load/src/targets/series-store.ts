/** A target: a store of time series. */
import type { SeriesOptions } from "@moonpack/series";
import { choiceOption, invalidArgument, ownOptions, refuseUnknown } from "moonpack/bytes";
import type { Context, Target } from "../target.js";
import { peer } from "./codec.js";
import { objectOption, textOption } from "./target-options.js";

/** A metric of a store. */
export interface SeriesMetric {
  /** The name of the metric. */
  readonly name: string;
  /** The values of tags, by their names. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** The part of a store of `@moonpack/series` that is used. */
export interface SeriesLike {
  /** Resolves with a handle for a metric. */
  metric(metric: SeriesMetric): Promise<SeriesMetric>;
  /** Writes points; resolves when they are stored. */
  write(
    points: Iterable<{ readonly metric: SeriesMetric; readonly timestamp: number; readonly value: number }>,
  ): Promise<unknown>;
  /** Writes many points of one metric: their timestamps and values. */
  writeColumn(metric: SeriesMetric, timestamps: Float64Array, values: Float64Array): Promise<unknown>;
  /** Reads the points of a metric from the time `from` to the time `to`. */
  query(query: { readonly metric: SeriesMetric; readonly from: number; readonly to: number }): {
    toArray(): Promise<readonly unknown[]>;
  };
  /** Closes the store. It is not called for a store that was given. */
  close(): Promise<void>;
}

/** Options of {@link seriesStore}. */
export interface SeriesStoreOptions {
  /** The folder of the store. It is created if it does not exist. */
  readonly path?: string;
  /** An open store, which stays open, instead of `path`. Its timestamps are milliseconds. */
  readonly series?: SeriesLike;
  /** The option of `openSeries`. Default `"batch"`. */
  readonly durability?: "sync" | "batch" | "none";
  /** Default `series:path`. */
  readonly name?: string;
}

const METRIC = "moonpack.load";
const MINUTE_MS = 60_000;
const SECOND_MS = 1000;
const POINTS = MINUTE_MS / SECOND_MS;
/** Number of metrics in each batch of `setup`. */
const SETUP_BATCH = 500;
const OPTIONS = ["path", "series", "durability", "name"];

/**
 * Returns a target for a store of time series. Each key is a metric `moonpack.load` with the tag `key`. `set` writes a point with the
 * current time, `get` reads a minute of 60 points that `setup` has written. Other metrics of the store are not touched. Needs the package
 * `@moonpack/series`, unless `series` is given. Throws `ERR_INVALID_ARGUMENT` for invalid or unknown options.
 *
 * @example
 * const result = await load(seriesStore({ path: "./metrics" }), { scenario: "set", keys: 1000 });
 */
export function seriesStore(options: SeriesStoreOptions): Target {
  const settings = ownOptions(options);
  refuseUnknown(settings, OPTIONS);
  const { path, series: given, durability } = settings;
  if (path !== undefined) textOption("path", path, "");
  objectOption("series", given, ["metric", "write", "writeColumn", "query"]);
  choiceOption("durability", durability, ["batch", "sync", "none"]);
  const name = textOption("name", settings.name, `series:${path ?? ""}`);
  if ((path === undefined) === (given === undefined)) throw invalidArgument("give either path or series");
  let own: SeriesLike | undefined;
  let series: SeriesLike;
  let metrics: readonly SeriesMetric[] = [];
  let minute = 0;
  return {
    name,
    usesValues: false,
    async setup({ keys, signal }: Context) {
      if (given === undefined) own = await opened(path, durability);
      series = given ?? own!;
      // A past minute, so that later points do not change it.
      minute = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - MINUTE_MS;
      const times = Float64Array.from({ length: POINTS }, (_, second) => minute + second * SECOND_MS);
      const handles: SeriesMetric[] = [];
      for (let from = 0; from < keys && !signal.aborted; from += SETUP_BATCH) {
        const some = Array.from({ length: Math.min(SETUP_BATCH, keys - from) }, async (_, i) => {
          const metric = await series.metric({ name: METRIC, tags: { key: String(from + i) } });
          await series.writeColumn(
            metric,
            times,
            times.map((time) => valueAt(from + i, time)),
          );
          return metric;
        });
        handles.push(...(await Promise.all(some)));
      }
      metrics = handles;
    },
    get: (key) => series.query({ metric: metrics[key]!, from: minute, to: minute + MINUTE_MS }).toArray(),
    set: (key) => series.write([{ metric: metrics[key]!, timestamp: Date.now(), value: key }]),
    check: (key, result) => {
      const points = result as readonly { readonly timestamp: number; readonly value: number }[];
      return points.length === POINTS && points.every(({ timestamp, value }) => value === valueAt(key, timestamp));
    },
    async close() {
      await own?.close();
    },
  };
}

/** Returns the value of a point that `setup` writes. It depends on the key and the time only. */
function valueAt(key: number, time: number): number {
  return key + ((time / SECOND_MS) % POINTS) / 100;
}

async function opened(path: string | undefined, durability: SeriesStoreOptions["durability"]): Promise<SeriesLike> {
  const { openSeries } = await peer("@moonpack/series", () => import("@moonpack/series"));
  const options: SeriesOptions = {
    ...(path === undefined ? {} : { path }),
    ...(durability === undefined ? {} : { durability }),
  };
  return (await openSeries(options)) as unknown as SeriesLike;
}
