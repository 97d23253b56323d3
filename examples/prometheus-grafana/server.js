// A service that keeps its own metrics and serves them to Grafana: node server.js [PORT] [API PORT] [FOLDER]
import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import { createPrometheus } from "@moonpack/prometheus";
import { openSeries } from "@moonpack/series";
import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";

const [port = "3000", apiPort = "9090", folder = "service-metrics"] = process.argv.slice(2);

const register = new Registry();
collectDefaultMetrics({ register });
const requests = new Counter({
  name: "http_requests_total",
  help: "Requests by route and status.",
  labelNames: ["route", "status"],
  registers: [register],
});
const seconds = new Histogram({
  name: "http_request_duration_seconds",
  help: "Time of requests by route.",
  labelNames: ["route"],
  buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
  registers: [register],
});

// The work of the service: two routes that take their time, and a page that names them.
const routes = new Map([
  ["/", async () => page],
  ["/fast", async () => "fast\n"],
  ["/slow", () => setTimeout(20 + 80 * Math.random(), "slow\n")],
]);

const service = createServer(async ({ url }, response) => {
  const route = routes.has(url) ? url : "unknown";
  const end = seconds.startTimer({ route });
  const text = await routes.get(url)?.();
  response.writeHead(text === undefined ? 404 : 200, { "content-type": "text/plain; charset=utf-8" });
  response.end(text ?? `no such route: ${url}\n`);
  requests.inc({ route, status: response.statusCode });
  end();
});

let page = "The store is being opened.\n";
await new Promise((resolve) => service.listen(Number(port), "127.0.0.1", resolve));

// The store keeps a month. The registry is read in this process, every five seconds.
const series = await openSeries({ path: folder, retention: "30d" });
const prometheus = createPrometheus(series);
const job = prometheus.scrape({ job: "service", targets: [register], interval: process.env.SCRAPE_INTERVAL ?? "5s" });
const api = await prometheus.listen({ port: Number(apiPort) });
page = `The routes of this service:

  /fast  answers at once
  /slow  answers after 20 to 100 ms

Its metrics are at ${api.url}, the address of a data source Prometheus in Grafana. For example:

  ${api.url}/api/v1/query?query=http_requests_total
`;
console.log(`http://127.0.0.1:${service.address().port} ${api.url}`);

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, async () => {
    service.close();
    service.closeAllConnections();
    await api.close();
    await job.stop();
    await series.close();
    process.exit();
  });
}
