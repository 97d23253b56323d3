/** A store of time series. */
import type { SeriesOptions } from "@moonpack/series";
import { invalidArgument, ownOptions } from "moonpack/bytes";
import type { Context, Target } from "../target.js";
import { peer } from "./codec.js";

/** A metric of a store. */
export interface SeriesMetric {
  readonly name: string;
  readonly tags?: Readonly<Record<string, string>>;
}

/** What is used of a store of `@moonpack/series`. */
export interface SeriesLike {
  metric(metric: SeriesMetric): Promise<SeriesMetric>;
  write(
    points: Iterable<{ readonly metric: SeriesMetric; readonly timestamp: number; readonly value: number }>,
  ): Promise<unknown>;
  writeColumn(metric: SeriesMetric, timestamps: Float64Array, values: Float64Array): Promise<unknown>;
  query(query: { readonly metric: SeriesMetric; readonly from: number; readonly to: number }): {
    toArray(): Promise<readonly unknown[]>;
  };
  close(): Promise<void>;
}

/** Options of {@link seriesStore}. */
export interface SeriesStoreOptions {
  /** The folder of the store. It is made if there is none. */
  readonly path?: string;
  /** A store of yours, which stays open, instead of `path`. Its timestamps are milliseconds. */
  readonly series?: SeriesLike;
  /** As in `openSeries`. Default `"batch"`. */
  readonly durability?: "sync" | "batch" | "none";
  /** Default `series:path`. */
  readonly name?: string;
}

const METRIC = "moonpack.load";
const MINUTE_MS = 60_000;
const SECOND_MS = 1000;
const POINTS = MINUTE_MS / SECOND_MS;
/** Metrics that are filled at once before the run. */
const FILL = 500;

/**
 * A target for a store of time series: each key is a metric `moonpack.load` with the tag `key`. `set` writes a point of now, `get` reads a minute
 * of 60 points, which `setup` has written. Other metrics of the store are left alone. Needs the package `@moonpack/series`, unless you
 * give a store.
 *
 * @example
 * const result = await load(seriesStore({ path: "./metrics" }), { scenario: "set", keys: 1000 });
 */
export function seriesStore(options: SeriesStoreOptions): Target {
  const { path, series: given, durability, name = `series:${path ?? ""}` } = ownOptions(options);
  if ((path === undefined) === (given === undefined)) throw invalidArgument("either path or series must be given");
  let own: SeriesLike | undefined;
  let series: SeriesLike;
  let metrics: readonly SeriesMetric[] = [];
  let minute = 0;
  return {
    name,
    async setup({ keys, signal }: Context) {
      if (given === undefined) own = await opened(path, durability);
      series = given ?? own!;
      // A minute that has passed, so that it is read as it was written.
      minute = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - MINUTE_MS;
      const times = Float64Array.from({ length: POINTS }, (_, second) => minute + second * SECOND_MS);
      const handles: SeriesMetric[] = [];
      for (let from = 0; from < keys && !signal.aborted; from += FILL) {
        const some = Array.from({ length: Math.min(FILL, keys - from) }, async (_, i) => {
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

/** Any point that was filled in has the value that follows from its metric and time. */
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
