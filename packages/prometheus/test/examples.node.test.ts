/** The example in examples/prometheus-grafana: Grafana's calls for its dashboard, as Grafana sends them. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const example = new URL("../../../examples/prometheus-grafana/", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "moonpack-grafana-"));
let child: ChildProcess;
let service: string;
let api: string;

beforeAll(async () => {
  child = spawn(process.execPath, [fileURLToPath(new URL("server.js", example)), "0", "0", join(folder, "store")], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_OPTIONS: "", SCRAPE_INTERVAL: "200ms" },
  });
  const [line] = await once(createInterface(child.stdout!), "line");
  [service, api] = (line as string).split(" ") as [string, string];
  for (let i = 0; i < 20; i++)
    for (const path of ["/fast", "/slow", "/missing"]) await (await fetch(service + path)).arrayBuffer();
  const count = async () => (await instant("sum(http_requests_total)"))[0]?.value[1];
  for (let i = 0; i < 200 && (await count()) !== "60"; i++) await new Promise((resolve) => setTimeout(resolve, 50));
}, 60_000);

afterAll(async () => {
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  rmSync(folder, { recursive: true, force: true });
  expect(code).toBe(0);
});

interface Row {
  readonly metric: Record<string, string>;
  readonly value: [number, string];
  readonly values: [number, string][];
}

/** Grafana asks by POST with a form, and by GET for paths without POST. */
async function post<T>(path: string, parameters: Record<string, string>): Promise<T> {
  const headers = { "accept-encoding": "gzip", "x-grafana-org-id": "1" };
  const answer = await fetch(`${api}${path}`, { method: "POST", headers, body: new URLSearchParams(parameters) });
  const body = (await answer.json()) as { status: string; data: T };
  expect([answer.status, body.status], JSON.stringify(body)).toEqual([200, "success"]);
  return body.data;
}

async function get<T>(path: string): Promise<T> {
  const answer = await fetch(`${api}${path}`, { headers: { "accept-encoding": "gzip" } });
  const body = (await answer.json()) as { status: string; data: T };
  expect([answer.status, body.status], path).toEqual([200, "success"]);
  return body.data;
}

async function instant(query: string): Promise<readonly Row[]> {
  return (await post<{ result: Row[] }>("/api/v1/query", { query, time: String(Date.now() / 1000) })).result;
}

test("the test of a data source", async () => {
  expect((await post<{ result: unknown }>("/api/v1/query", { query: "1+1", time: "4" })).result).toEqual([4, "2"]);
  expect((await get<{ version: string }>("/api/v1/status/buildinfo")).version).toMatch(/^\d+\.\d+\.\d+$/);
});

test("the editor: names, values, series, metadata", async () => {
  const now = Date.now() / 1000;
  const range = `start=${now - 3600}&end=${now}`;
  expect(await get<string[]>(`/api/v1/label/__name__/values?${range}`)).toContain("http_requests_total");
  expect(await get<string[]>(`/api/v1/labels?${range}`)).toContain("route");
  const match = encodeURIComponent("http_requests_total");
  expect(await get<string[]>(`/api/v1/label/route/values?${range}&match[]=${match}`)).toEqual([
    "/fast",
    "/slow",
    "unknown",
  ]);
  const series = await get<Record<string, string>[]>(`/api/v1/series?${range}&match[]=${match}`);
  expect(series.map(({ route, status }) => `${route} ${status}`).sort()).toEqual([
    "/fast 200",
    "/slow 200",
    "unknown 404",
  ]);
  const metadata = await get<Record<string, [{ type: string; help: string }]>>("/api/v1/metadata");
  expect(metadata.http_request_duration_seconds![0]).toMatchObject({
    type: "histogram",
    help: "Time of requests by route.",
  });
  expect(await get("/api/v1/rules")).toEqual({ groups: [] });
});

test("each panel of the dashboard has data", async () => {
  const { panels, templating } = JSON.parse(readFileSync(new URL("dashboard.json", example), "utf8"));
  expect(templating.list[1].definition).toBe("label_values(http_requests_total, route)");
  const end = Math.ceil(Date.now() / 1000);
  for (const { title, targets } of panels)
    for (const { expr } of targets) {
      const query = expr.replace("$route", "(/fast|/slow|unknown)").replace("$__rate_interval", "1m");
      const { result } = await post<{ result: Row[] }>("/api/v1/query_range", {
        query,
        start: String(end - 4),
        end: String(end),
        step: "1",
      });
      expect(result.length, `${title}: ${expr}`).toBeGreaterThan(0);
      expect(
        result.some(({ values }) => values.some(([, value]) => Number.isFinite(Number(value)))),
        `${title}: ${expr}`,
      ).toBe(true);
    }
  const [requests] = panels[0].targets;
  const rates = await instant(requests.expr.replace("$route", ".+").replace("$__rate_interval", "1m"));
  expect(rates).toHaveLength(3);
});

// The last test: it adds a route to the series.
test("the page of the service names its routes and the address of the API", async () => {
  const page = await fetch(`${service}/`);
  const text = await page.text();
  expect([page.status, text]).toEqual([200, expect.stringContaining(`${api}/api/v1/query`)]);
  for (const [, path] of text.matchAll(/^ {2}(\/\w+)/gm)) expect((await fetch(service + path)).status, path).toBe(200);
  expect((await fetch(`${service}/missing`)).status).toBe(404);
});
