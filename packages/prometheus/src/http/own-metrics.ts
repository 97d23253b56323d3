/** The metrics of the server itself. */
import type { Series } from "@moonpack/series";
import type { Gate } from "../query/gate.js";
import type { WriteReceiver } from "../remote-write/receiver.js";
import { CONTENT_TYPES, chooseFormat } from "../text/content-type.js";
import type { MetricFamily, MetricSample, MetricType } from "../text/types.js";
import { writeMetrics } from "../text/write.js";
import type { Reply } from "./messages.js";

/** Counts the answers of the server. */
export class RequestCounts {
  readonly #counts = new Map<string, { readonly handler: string; readonly code: string; count: number }>();

  /** Counts an answer. `handler` is the path of a route. */
  add(handler: string, status: number): void {
    const key = `${status} ${handler}`;
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { handler, code: String(status), count: 1 });
    else known.count++;
  }

  /** The samples of the counter. */
  samples(name: string): MetricSample[] {
    return [...this.#counts.values()].map(({ handler, code, count }) => ({
      name,
      labels: { handler, code },
      value: count,
    }));
  }
}

/** The parts whose figures are shown. */
interface OwnParts {
  readonly series: Series;
  readonly engine: { readonly gate: Gate };
  readonly requests: RequestCounts;
  readonly receiver: WriteReceiver;
}

/** Answers with the metrics of the server and its store, in the format that the client prefers. */
export async function ownMetrics(
  { series, engine: { gate }, requests, receiver }: OwnParts,
  accept: string | null | undefined,
): Promise<Reply> {
  const stats = await series.stats();
  const { samples, refused, histograms, exemplars } = receiver.counts;
  const one = (name: string, type: MetricType, help: string, value: number): MetricFamily => {
    const sample = type === "counter" ? `${name}_total` : name;
    return { name, type, help, samples: [{ name: sample, labels: {}, value }] };
  };
  const families: MetricFamily[] = [
    {
      name: "moonpack_prometheus_http_requests",
      type: "counter",
      help: "Answers of the HTTP API.",
      samples: requests.samples("moonpack_prometheus_http_requests_total"),
    },
    one("moonpack_prometheus_queries_running", "gauge", "Queries that run.", gate.running),
    one("moonpack_prometheus_queries_waiting", "gauge", "Queries that wait for their turn.", gate.waiting),
    one("moonpack_prometheus_received_samples", "counter", "Samples of remote writes.", samples),
    one("moonpack_prometheus_refused_samples", "counter", "Samples of remote writes that were refused.", refused),
    one("moonpack_prometheus_dropped_histograms", "counter", "Native histograms of remote writes.", histograms),
    one("moonpack_prometheus_dropped_exemplars", "counter", "Exemplars of remote writes.", exemplars),
    one("moonpack_series_metrics", "gauge", "Metrics that the store has had.", stats.metrics),
    one("moonpack_series_points", "counter", "Points written since the store was opened.", stats.points),
    one("moonpack_series_head_points", "gauge", "Points in memory that are not in files.", stats.headPoints),
    one("moonpack_series_head_bytes", "gauge", "Memory of those points.", stats.headBytes),
    one("moonpack_series_disk_bytes", "gauge", "Size of the files of the store.", stats.diskBytes),
    one("moonpack_series_late", "counter", "Points of minutes that were sealed already.", stats.late),
    one("moonpack_series_refused", "counter", "Points that were too old, or too far ahead.", stats.refused),
  ];
  const format = chooseFormat(accept);
  return { text: writeMetrics(families, { format }), type: CONTENT_TYPES[format] };
}
