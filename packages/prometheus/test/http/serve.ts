/** A store with a server of the HTTP API for tests. */
import {
  createPrometheus,
  Labels,
  type Prometheus,
  type PrometheusOptions,
  type PrometheusServer,
} from "@moonpack/prometheus";
import type { Series } from "@moonpack/series";
import { NOW, openStore, writePoints } from "../harness/store.ts";

/** The time of the newest sample, in seconds. */
export const AT = NOW / 1000 - 60;
const GAP = 15_000;
const POINTS = 41;

/** A server and its parts. */
export interface Served {
  readonly store: Series;
  readonly prom: Prometheus;
  readonly server: PrometheusServer;
  /** Asks by GET. */
  get(path: string, parameters?: Iterable<readonly [string, string]> | Record<string, string>): Promise<Answer>;
  close(): Promise<void>;
}

/** An answer in JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { readonly status: string; readonly data?: unknown; readonly [name: string]: unknown };
}

/** Serves a store with counters of two jobs with two instances each, and `up`. */
export async function serve(options: PrometheusOptions = {}): Promise<Served> {
  const store = await openStore();
  for (const job of ["api", "web"])
    for (const instance of ["1", "2"]) {
      const points = Array.from({ length: POINTS }, (_, i) => i * 30 * Number(instance));
      const labels = { __name__: "http_requests_total", job, instance };
      const start = AT * 1000 - (POINTS - 1) * GAP;
      await writePoints(store, Labels.of(labels), start, GAP, points);
      await writePoints(
        store,
        Labels.of({ ...labels, __name__: "up" }),
        start,
        GAP,
        points.map(() => 1),
      );
    }
  const prom = createPrometheus(store, { now: () => NOW, ...options });
  const server = await prom.listen({ port: 0 });
  return {
    store,
    prom,
    server,
    get: async (path, parameters = {}) =>
      answerOf(await fetch(`${server.url}${path}?${new URLSearchParams(parameters as Record<string, string>)}`)),
    close: async () => {
      await server.close();
      await store.close();
    },
  };
}

/** Reads an answer. */
export async function answerOf(response: Response): Promise<Answer> {
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}
