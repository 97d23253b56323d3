// How long requests take, by route and status. A metric has one value at a time, so requests are not points: each second a histogram
// of its requests becomes four points. A busy service writes as many points as an idle one.
import { createHistogram } from "node:perf_hooks";
import { openSeries } from "@moonpack/series";

const EVERY = 1000;
/** Histograms hold integers: microseconds. */
const SCALE = 1000;
const STATISTICS = {
  count: (histogram) => histogram.count,
  p50: (histogram) => histogram.percentile(50) / SCALE,
  p99: (histogram) => histogram.percentile(99) / SCALE,
  max: (histogram) => histogram.max / SCALE,
};
/** The summary of a window over the values of its seconds. */
const AGGREGATES = { count: "sum", p50: "avg", p99: "max", max: "max" };

/** Opens the store in a folder. `onError` is called if points cannot be written. */
export async function openLatency(path, onError) {
  const series = await openSeries({ path, retention: "30d" });
  const histograms = new Map();
  const timer = setInterval(() => write().catch(onError), EVERY);

  /** Writes what has been recorded since the last call. */
  async function write() {
    const timestamp = Date.now();
    const points = [];
    for (const { tags, histogram } of histograms.values()) {
      for (const [stat, of] of Object.entries(STATISTICS))
        points.push({ metric: { name: "http.latency", tags: { ...tags, stat } }, timestamp, value: of(histogram) });
    }
    histograms.clear();
    await series.write(points);
  }

  return {
    record(route, status, milliseconds) {
      const tags = { route, status: String(status) };
      const key = `${status} ${route}`;
      if (!histograms.has(key)) histograms.set(key, { tags, histogram: createHistogram() });
      histograms.get(key).histogram.record(Math.max(1, Math.round(milliseconds * SCALE)));
    },

    /** The latency of each route since a time: windows in columns, as a chart wants them. */
    async since(from, window) {
      const routes = new Map();
      for (const [stat, aggregate] of Object.entries(AGGREGATES)) {
        const match = { name: "http.latency", tags: { stat } };
        for await (const { metric, points } of series.select({ ...match, from, window, aggregate: [aggregate] })) {
          const rows = await points.toArray();
          if (rows.length === 0) continue;
          const { route, status } = metric.tags;
          const key = `${status} ${route}`;
          if (!routes.has(key)) routes.set(key, { route, status, starts: rows.map(({ start }) => start) });
          routes.get(key)[stat] = rows.map((row) => row[aggregate]);
        }
      }
      return [...routes.values()];
    },

    async close() {
      clearInterval(timer);
      await write();
      // Seals what is in memory. Without it nothing is lost either: the log has it.
      await series.close();
    },
  };
}
