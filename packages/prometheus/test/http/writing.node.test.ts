/** Samples come in over HTTP and by scrapes, and queries see them. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createPrometheus } from "@moonpack/prometheus";
import { fetchHandler } from "@moonpack/prometheus/fetch";
import { memory, openSeries } from "@moonpack/series";
import { Counter, Registry } from "prom-client";
import { expect, test } from "vitest";
import { until } from "../harness/scraping.ts";
import { NOW, openStore } from "../harness/store.ts";
import { labels, pack, request, STALE, sample, series } from "../remote-write/encode.ts";

const HEADERS = {
  "content-type": "application/x-protobuf",
  "content-encoding": "snappy",
  "x-prometheus-remote-write-version": "0.1.0",
};
const AT = NOW - 60_000;

test("remote writes are asked at once, staleness markers too", async () => {
  const store = await openStore();
  const prom = createPrometheus(store, { now: () => NOW, maxBodyBytes: 1000, maxRawBytes: 5000 });
  const server = await prom.listen({ port: 0 });
  const write = async (body: Uint8Array<ArrayBuffer>, headers: Record<string, string> = HEADERS) => {
    const answer = await fetch(`${server.url}/api/v1/write`, { method: "POST", headers, body });
    return [answer.status, await answer.text()];
  };
  const own = labels({ __name__: "up", job: "a\n" });
  expect(await write(pack(request(series(own, sample(AT, 1), sample(AT + 1000, STALE)))))).toEqual([204, ""]);
  const value = async (time: number) => {
    const { result } = await prom.query('up{job="a\\n"}', { time });
    return result;
  };
  expect(await value(AT + 999)).toEqual([{ labels: { __name__: "up", job: "a\n" }, time: AT + 999, value: 1 }]);
  expect(await value(AT + 1000)).toEqual([]);
  expect((await write(pack(request()), { ...HEADERS, "content-type": "text/plain" }))[0]).toBe(415);
  expect((await write(Uint8Array.of(255)))[0]).toBe(400);
  expect((await write(new Uint8Array(1001)))[0]).toBe(413);
  expect((await write(pack(new Uint8Array(5001))))[0]).toBe(413);
  expect((await fetch(`${server.url}/api/v1/write`)).status).toBe(405);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toContain('handler="/api/v1/write",code="204"} 1\n');
  expect(metrics).toContain("moonpack_prometheus_received_samples_total 2\n");
  // The same by the handler of fetch.
  const body = pack(request(series(labels({ __name__: "x" }), sample(AT, 5))));
  const posted = new Request("http://x/api/v1/write", { method: "POST", headers: HEADERS, body });
  expect((await fetchHandler(prom)(posted)).status).toBe(204);
  expect((await prom.query("x")).result).toMatchObject([{ value: 5 }]);
  await server.close();
  await store.close();
});

test("targets and registries are scraped; their state and metadata are shown", async () => {
  const exporter = createServer((_, response) => response.end("# HELP a Text.\n# TYPE a gauge\na 7\n"));
  await new Promise<void>((resolve) => exporter.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(exporter.address() as AddressInfo).port}/metrics`;
  const register = new Registry();
  new Counter({ name: "b_total", help: "Calls.", registers: [register] }).inc(3);
  const store = await openSeries({ driver: memory() });
  const prom = createPrometheus(store);
  const job = prom.scrape({ job: "test", interval: 100, targets: [url, register] });
  const answer = async (path: string) => {
    const { body } = await prom.answer({ method: "GET", url: path, headers: { get: () => undefined } });
    const chunks: Uint8Array[] = [];
    for await (const chunk of body instanceof Uint8Array ? [body] : body) chunks.push(chunk);
    return JSON.parse(Buffer.concat(chunks).toString()).data;
  };
  await until(() => job.targets.every(({ health }) => health === "up"));
  expect((await prom.query("sum(a) + sum(b_total)")).result).toMatchObject([{ value: 10 }]);
  expect((await prom.query("sum(up)")).result).toMatchObject([{ value: 2 }]);
  expect(await answer("/api/v1/metadata?metric=a")).toEqual({ a: [{ type: "gauge", help: "Text.", unit: "" }] });
  expect(Object.keys(await answer("/api/v1/metadata?limit=1"))).toHaveLength(1);
  // As in Prometheus: no name at all, and below 0 no limit.
  expect(await answer("/api/v1/metadata?limit=0")).toEqual({});
  for (const query of ["limit=-1", "limit_per_metric=0", "limit_per_metric=1", "limit_per_metric=-1"])
    expect(Object.keys(await answer(`/api/v1/metadata?${query}`)).sort(), query).toEqual(["a", "b_total"]);
  const { activeTargets } = await answer("/api/v1/targets?state=active");
  expect(activeTargets).toMatchObject([
    {
      scrapePool: "test",
      scrapeUrl: url,
      health: "up",
      lastError: "",
      scrapeInterval: "100ms",
      labels: { job: "test" },
    },
    { scrapePool: "test", scrapeUrl: "registry", health: "up" },
  ]);
  expect((await answer("/api/v1/targets?state=dropped")).activeTargets).toEqual([]);
  await job.stop();
  expect((await answer("/api/v1/targets")).activeTargets).toEqual([]);
  expect((await prom.query("a")).result).toEqual([]);
  exporter.close();
  await store.close();
});
