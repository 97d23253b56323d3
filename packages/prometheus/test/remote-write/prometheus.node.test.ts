/**
 * The real Prometheus scrapes a target and writes to our server: the same values at the same times, and its staleness markers. Then its
 * promtool asks both, and reads our own metrics.
 */
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { createPrometheus, Labels } from "@moonpack/prometheus";
import { memory, openSeries } from "@moonpack/series";
import { expect, test } from "vitest";
import { isLeftOut, type PrometheusServer, startPrometheus } from "../harness/prometheus-server.ts";
import { until } from "../harness/scraping.ts";
import { storedContent } from "../harness/stored-content.ts";

const TEXT = `# HELP requests_total Requests.
# TYPE requests_total counter
requests_total{path="a\\nb\\"é🙂"} 5
# TYPE odd gauge
odd{is="nan"} NaN
odd{is="infinite"} -Inf
odd{is="small"} -5e-324
# TYPE took_seconds histogram
took_seconds_bucket{le="0.5"} 1
took_seconds_bucket{le="+Inf"} 2
took_seconds_sum 1.25
took_seconds_count 2
`;
const QUERIES = [
  "1 + 1",
  "up",
  '{job="test"}',
  "odd * 2",
  "sum by (__name__) (took_seconds_bucket)",
  "count_over_time(up[1m])",
  "rate(requests_total[1m])",
  "histogram_quantile(0.9, took_seconds_bucket)",
  'label_replace(up, "x", "$1", "job", "(t).*")',
  "absent(none)",
];

interface Row {
  readonly metric: Record<string, string>;
  readonly values: readonly (readonly [number, string])[];
}

async function samplesOf({ url }: PrometheusServer, text: string): Promise<Row[]> {
  const answer = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(text)}`);
  return ((await answer.json()) as { data: { result: Row[] } }).data.result;
}

/** Prometheus' program asks a server. Returns its lines, sorted. */
async function promtool({ programs }: PrometheusServer, ...args: string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(join(programs, "promtool"), args);
  return stdout.trim().split("\n").sort();
}

test.skipIf(isLeftOut)(
  "Prometheus 2.42",
  async () => {
    const store = await openSeries({ driver: memory() });
    const ours = await createPrometheus(store).listen({ port: 0 });
    let scrapes = 0;
    // The series `gone` is there for two scrapes.
    const exporter = createServer((_, response) => response.end(scrapes++ < 2 ? `${TEXT}gone 1\n` : TEXT));
    await new Promise<void>((resolve) => exporter.listen(0, "127.0.0.1", resolve));
    const target = `127.0.0.1:${(exporter.address() as AddressInfo).port}`;
    const prometheus = await startPrometheus(`
global: { scrape_interval: 500ms, scrape_timeout: 500ms }
scrape_configs: [{ job_name: test, static_configs: [{ targets: ["${target}"] }] }]
remote_write:
  - url: ${ours.url}/api/v1/write
    queue_config: { batch_send_deadline: 100ms }
    metadata_config: { send_interval: 300ms }
`);
    try {
      const nameOf = (name: string) => String(Labels.of({ __name__: name, instance: target, job: "test" }));
      let metadata: { data?: { requests_total?: unknown } } = {};
      while (metadata.data?.requests_total === undefined)
        metadata = (await (await fetch(`${ours.url}/api/v1/metadata`)).json()) as typeof metadata;
      expect(metadata.data.requests_total).toEqual([{ type: "counter", help: "Requests.", unit: "" }]);
      await until(() => scrapes > 5);
      const before = Date.now() - 100;
      exporter.close();
      exporter.closeAllConnections();
      // Prometheus notices that the target does not answer.
      const downs = async () => (await samplesOf(prometheus, "up[1m]"))[0]!.values.filter(([, value]) => value === "0");
      while ((await downs()).length < 2);
      const rows = await samplesOf(prometheus, '{__name__=~".+"}[1m]');
      const last = Math.max(...rows.flatMap(({ values }) => values.map(([seconds]) => Math.round(seconds * 1000))));
      let content = await storedContent(store, 0);
      while (!content[nameOf("up")]?.some(([time]) => time >= last)) content = await storedContent(store, 0);
      expect(rows.length).toBe(14);
      for (const { metric, values } of rows) {
        const stored = content[String(Labels.of(metric))]!.filter(([time]) => time <= last);
        const numberOf = (text: string) => Number(text.replace("Inf", "Infinity"));
        expect(stored.filter(([, value]) => value !== "stale")).toEqual(
          values.map(([seconds, text]) => [Math.round(seconds * 1000), numberOf(text)]),
        );
        // All series of the target end when it does not answer, but not its health.
        const markers = stored.filter(([, value]) => value === "stale").length;
        expect(markers).toBe(/^(up|scrape_.*)$/.test(metric.__name__!) ? 0 : 1);
      }
      const gone = content[nameOf("gone")]!;
      expect(gone.map(([, value]) => value)).toEqual([1, 1, "stale"]);
      expect(content[nameOf("up")]!.some(([time]) => time === gone[2]![0])).toBe(true);

      const ask = async (...args: string[]) => {
        const [command, ...rest] = args as [string, ...string[]];
        const of = (url: string) =>
          promtool(prometheus, "query", command, ...rest.map((arg) => (arg === "SERVER" ? url : arg)));
        const [own, theirs] = await Promise.all([of(ours.url), of(prometheus.url)]);
        expect(own, args.join(" ")).toEqual(theirs);
        return own.join("");
      };
      const seconds = (time: number) => (time / 1000).toFixed(3);
      for (const query of QUERIES) {
        expect(await ask("instant", `--time=${seconds(before)}`, "SERVER", query)).not.toBe("");
        await ask("instant", `--time=${seconds(last + 1)}`, "SERVER", query);
        const range = [`--start=${seconds(last - 5001)}`, `--end=${seconds(last + 1)}`, "--step=250ms"];
        await ask("range", ...range, "SERVER", query);
      }
      await ask("series", "--match={job='test'}", "SERVER");
      await ask("labels", "SERVER", "__name__");
      await ask("labels", "SERVER", "path");
      const check = execFile(join(prometheus.programs, "promtool"), ["check", "metrics"]);
      const metrics = await (await fetch(`${ours.url}/metrics`)).text();
      check.stdin!.end(metrics);
      const problems = await new Promise<string>((resolve) => {
        let text = "";
        check.stderr!.on("data", (chunk) => (text += chunk)).on("end", () => resolve(text));
      });
      expect(problems).toBe("");
      expect(metrics).not.toMatch(/handler="\/api\/v1\/write",code="[^2]/);
    } finally {
      await prometheus.stop();
      await ours.close();
      exporter.close();
      await store.close();
    }
  },
  90_000,
);
