/** The paths of the HTTP API. */
import type { Series } from "@moonpack/series";
import type { QueryEngine } from "../query/engine.js";
import type { WriteReceiver } from "../remote-write/receiver.js";
import type { ScrapeJob } from "../scrape/types.js";
import type { SeriesFinder } from "../store/find.js";
import type { MetadataMap } from "../store/metadata.js";
import type { BodyMemory } from "./body.js";
import { RequestError } from "./errors.js";
import { labelNames, labelValues, metadata, series } from "./labels.js";
import type { HttpRequest, Reply } from "./messages.js";
import { ownMetrics, type RequestCounts } from "./own-metrics.js";
import type { Parameters } from "./parameters.js";
import { formatQuery, query, queryRange } from "./queries.js";
import { receivedWrite } from "./remote-write.js";
import { targets } from "./targets.js";

/** The parts that routes need. */
export interface RouteParts {
  readonly series: Series;
  readonly engine: QueryEngine;
  readonly finder: SeriesFinder;
  readonly metadata: MetadataMap;
  readonly receiver: WriteReceiver;
  /** The jobs that run. */
  readonly jobs: ReadonlySet<ScrapeJob>;
  readonly requests: RequestCounts;
  /** The bodies of requests in memory. */
  readonly bodies: BodyMemory;
}

/** A request that a route answers. */
export interface RouteRequest {
  readonly parts: RouteParts;
  readonly parameters: Parameters;
  readonly signal: AbortSignal;
  readonly request: HttpRequest;
}

/** A route. */
export interface Route {
  /** Its path, as it is counted. */
  readonly name: string;
  readonly methods: readonly string[];
  /** True if it reads the body itself. Other bodies are forms. */
  readonly readsBody?: true;
  run(request: RouteRequest): Reply | Promise<Reply>;
}

/** The version of Prometheus whose API and language this is: clients such as Grafana choose by it. */
const VERSION = "3.5.0";
const PLAIN = "text/plain; charset=utf-8";
const BOTH = ["GET", "POST"];
const GET = ["GET"];

const RUNS: ReadonlyMap<string, Omit<Route, "name">> = /* @__PURE__ */ new Map<string, Omit<Route, "name">>([
  ["/api/v1/query", { methods: BOTH, run: ({ parts, parameters, signal }) => query(parts.engine, parameters, signal) }],
  [
    "/api/v1/query_range",
    { methods: BOTH, run: ({ parts, parameters, signal }) => queryRange(parts.engine, parameters, signal) },
  ],
  ["/api/v1/series", { methods: BOTH, run: ({ parts, parameters, signal }) => series(parts, parameters, signal) }],
  ["/api/v1/labels", { methods: BOTH, run: ({ parts, parameters, signal }) => labelNames(parts, parameters, signal) }],
  ["/api/v1/metadata", { methods: GET, run: ({ parts, parameters }) => metadata(parts.metadata.entries, parameters) }],
  ["/api/v1/format_query", { methods: BOTH, run: ({ parameters }) => formatQuery(parameters) }],
  ["/api/v1/query_exemplars", { methods: BOTH, run: () => ({ data: [] }) }],
  ["/api/v1/rules", { methods: GET, run: () => ({ data: { groups: [] } }) }],
  ["/api/v1/alerts", { methods: GET, run: () => ({ data: { alerts: [] } }) }],
  ["/api/v1/targets", { methods: GET, run: ({ parts, parameters }) => targets(parts.jobs, parameters) }],
  ["/api/v1/write", { methods: ["POST"], readsBody: true, run: ({ parts, request }) => receivedWrite(parts, request) }],
  ["/api/v1/status/buildinfo", { methods: GET, run: () => ({ data: BUILD_INFO }) }],
  ["/-/healthy", { methods: GET, run: () => ({ text: "healthy\n", type: PLAIN }) }],
  ["/-/ready", { methods: GET, run: ({ parts }) => ready(parts.series) }],
  [
    "/metrics",
    {
      methods: GET,
      run: ({ parts, request }) => ownMetrics(parts, request.headers.get("accept")),
    },
  ],
]);

const BUILD_INFO = {
  version: VERSION,
  revision: "moonpack",
  branch: "",
  buildUser: "",
  buildDate: "",
  goVersion: "",
};

const LABEL_VALUES = /^\/api\/v1\/label\/([^/]*)\/values$/;

/** Returns the route of a path. */
export function routeOf(path: string): Route | undefined {
  const run = RUNS.get(path);
  if (run !== undefined) return { name: path, ...run };
  const escaped = LABEL_VALUES.exec(path)?.[1];
  if (escaped === undefined) return undefined;
  return {
    name: "/api/v1/label/:name/values",
    methods: GET,
    run: ({ parts, parameters, signal }) => labelValues(parts, decoded(escaped), parameters, signal),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RequestError(["bad_data", 400], `invalid label name: ${JSON.stringify(text)}`);
  }
}

/** Answers 200 while the store is open. */
async function ready(store: Series): Promise<Reply> {
  try {
    await store.last({ name: "up" });
    return { text: "ready\n", type: PLAIN };
  } catch {
    return { text: "the store cannot be read\n", type: PLAIN, status: 503 };
  }
}
