/** Prometheus' HTTP API, over real connections. */
import { gzipSync } from "node:zlib";
import { Labels } from "@moonpack/prometheus";
import { fetchHandler } from "@moonpack/prometheus/fetch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writePoints } from "../harness/store.ts";
import { AT, answerOf, type Served, serve } from "./serve.ts";

let served: Served;
beforeAll(async () => {
  served = await serve();
  const odd = Labels.of([
    ["__name__", "odd"],
    ["http.status", "200"],
    ["text", 'a"\n\u{1f600}'],
    ["__proto__", "p"],
  ]);
  await writePoints(served.store, odd, AT * 1000, 1, [Number.NaN, Number.POSITIVE_INFINITY, -0, 1e-7, 1e21]);
});
afterAll(() => served.close());

const UP = { __name__: "up", instance: "1", job: "api" };

describe("query", () => {
  test("a vector", async () => {
    const { status, headers, body } = await served.get("/api/v1/query", {
      query: 'up{job="api",instance="1"}',
      time: String(AT + 0.25),
    });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(body).toEqual({
      status: "success",
      data: { resultType: "vector", result: [{ metric: UP, value: [AT + 0.25, "1"] }] },
    });
  });
  test("a scalar, a text and a matrix", async () => {
    expect((await served.get("/api/v1/query", { query: "1+1" })).body.data).toEqual({
      resultType: "scalar",
      result: [AT + 60, "2"],
    });
    expect((await served.get("/api/v1/query", { query: '"a\\"b"', time: "0" })).body.data).toEqual({
      resultType: "string",
      result: [0, 'a"b'],
    });
    const { body } = await served.get("/api/v1/query", { query: 'up{job="api",instance="1"}[31s]', time: String(AT) });
    expect(body.data).toEqual({
      resultType: "matrix",
      result: [
        {
          metric: UP,
          values: [
            [AT - 30, "1"],
            [AT - 15, "1"],
            [AT, "1"],
          ],
        },
      ],
    });
  });
  test("values in Go's form, and labels of any characters", async () => {
    const { body } = await served.get("/api/v1/query", { query: "odd[1m]", time: String(AT + 0.004) });
    const [series] = (body.data as { result: [{ metric: object; values: [number, string][] }] }).result;
    expect(series.values).toEqual([
      [AT, "NaN"],
      [AT + 0.001, "+Inf"],
      [AT + 0.002, "-0"],
      [AT + 0.003, "1e-07"],
      [AT + 0.004, "1e+21"],
    ]);
    expect(Object.entries(series.metric)).toEqual([
      ["__name__", "odd"],
      ["__proto__", "p"],
      ["http.status", "200"],
      ["text", 'a"\n\u{1f600}'],
    ]);
  });
  test("warnings and infos", async () => {
    const warned = await served.get("/api/v1/query", { query: "quantile(2, up)", time: String(AT) });
    expect(warned.body.warnings).toEqual(["PromQL warning: quantile value should be between 0 and 1, got 2 (1:10)"]);
    const informed = await served.get("/api/v1/query", { query: "rate(up[1m])", time: String(AT) });
    expect((informed.body.infos as string[])[0]).toMatch(/^PromQL info: metric might not be a counter/);
  });
  test("limit, and a form with the parameters of the URL behind its own", async () => {
    const body = new URLSearchParams({ query: "up", time: String(AT), limit: "2" });
    const { body: answer } = await answerOf(
      await fetch(`${served.server.url}/api/v1/query?query=1`, { method: "POST", body }),
    );
    expect((answer.data as { result: unknown[] }).result).toHaveLength(2);
    expect(answer.warnings).toEqual(["results truncated due to limit"]);
    const mixed = await fetch(`${served.server.url}/api/v1/query?time=7`, {
      method: "POST",
      body: new URLSearchParams({ query: "time()" }),
    });
    expect((await answerOf(mixed)).body.data).toEqual({ resultType: "scalar", result: [7, "7"] });
  });
  test("a packed form", async () => {
    const headers = { "content-encoding": "gzip", "content-type": "application/x-www-form-urlencoded" };
    const answer = await fetch(`${served.server.url}/api/v1/query`, {
      method: "POST",
      body: gzipSync("query=2%2B2&time=1"),
      headers,
    });
    expect((await answerOf(answer)).body.data).toEqual({ resultType: "scalar", result: [1, "4"] });
    const wrong = await fetch(`${served.server.url}/api/v1/query`, { method: "POST", body: "query=1", headers });
    expect(await answerOf(wrong)).toMatchObject({ status: 400, body: { errorType: "bad_data" } });
    const other = { ...headers, "content-encoding": "br" };
    expect(
      (await fetch(`${served.server.url}/api/v1/query`, { method: "POST", body: "query=1", headers: other })).status,
    ).toBe(415);
  });
  test("lookback_delta", async () => {
    const count = async (lookback_delta: string) => {
      const { body } = await served.get("/api/v1/query", { query: "count(up)", time: String(AT + 20), lookback_delta });
      return (body.data as { result: unknown[] }).result.length;
    };
    expect([await count("20"), await count("21s"), await count("1m")]).toEqual([0, 1, 1]);
  });
});

describe("query_range", () => {
  test("steps from the start, the last one at or before the end", async () => {
    const parameters = {
      query: "sum by (job) (up)",
      start: String(AT - 40),
      end: String(AT),
      step: "15",
    };
    const { body } = await served.get("/api/v1/query_range", parameters);
    const values = [
      [AT - 40, "2"],
      [AT - 25, "2"],
      [AT - 10, "2"],
    ];
    expect(body.data).toEqual({
      resultType: "matrix",
      result: [
        { metric: { job: "api" }, values },
        { metric: { job: "web" }, values },
      ],
    });
    const form = new URLSearchParams(parameters);
    expect(
      (await answerOf(await fetch(`${served.server.url}/api/v1/query_range`, { method: "POST", body: form }))).body,
    ).toEqual(body);
    const iso = {
      ...parameters,
      start: new Date(AT * 1000 - 40_000).toISOString(),
      end: new Date(AT * 1000).toISOString().replace("Z", "+00:00"),
      step: "15s",
    };
    expect((await served.get("/api/v1/query_range", iso)).body).toEqual(body);
  });
  test("series with gaps, and others", async () => {
    const parameters = {
      query: "up and on() (vector(time() % 10) == 0) or http_requests_total",
      start: "1700009900",
      end: String(AT),
      step: "5",
    };
    const { body } = await served.get("/api/v1/query_range", parameters);
    const { result } = body.data as { result: { values: [number, string][] }[] };
    expect(result).toHaveLength(8);
    for (const { values } of result) {
      expect(values.length).toBeGreaterThan(3);
      expect(values.every(([time, value]) => Number.isInteger(time) && value !== "undefined")).toBe(true);
    }
    expect(new Set(result.map(({ values }) => values.length)).size).toBe(2);
  });
});

describe("labels", () => {
  test("series need a selector", async () => {
    const { body } = await served.get("/api/v1/series", [
      ["match[]", 'up{instance="1"}'],
      ["match[]", '{__name__="up",job="api"}'],
    ]);
    expect(body.data).toEqual(
      [UP, { ...UP, job: "web" }, { ...UP, instance: "2" }].sort(
        (a, b) => a.instance.localeCompare(b.instance) || a.job.localeCompare(b.job),
      ),
    );
    expect(await served.get("/api/v1/series")).toMatchObject({
      status: 400,
      body: { error: "no match[] parameter provided" },
    });
    const limited = await served.get("/api/v1/series", { "match[]": "up", limit: "1" });
    expect(limited.body).toMatchObject({ data: [UP], warnings: ["results truncated due to limit"] });
  });
  test("series of a time", async () => {
    const at = async (start: number, end: number) =>
      (
        (await served.get("/api/v1/series", { "match[]": "up", start: String(start), end: String(end) })).body
          .data as unknown[]
      ).length;
    expect([
      await at(AT, AT + 5),
      await at(AT + 0.001, AT + 9),
      await at(0, AT - 601),
      await at(0, AT - 600),
      await at(0, 1e11),
    ]).toEqual([4, 0, 0, 4, 4]);
  });
  test("names", async () => {
    expect((await served.get("/api/v1/labels")).body.data).toEqual([
      "__name__",
      "__proto__",
      "http.status",
      "instance",
      "job",
      "text",
    ]);
    expect((await served.get("/api/v1/labels", { "match[]": "up" })).body.data).toEqual([
      "__name__",
      "instance",
      "job",
    ]);
    const early = { start: "1", end: "2" };
    expect((await served.get("/api/v1/labels", early)).body.data).toHaveLength(6);
    expect((await served.get("/api/v1/labels", { ...early, "match[]": "up" })).body.data).toEqual([]);
    const form = new URLSearchParams({ "match[]": "odd" });
    const posted = await answerOf(await fetch(`${served.server.url}/api/v1/labels`, { method: "POST", body: form }));
    expect(posted.body.data).toEqual(["__name__", "__proto__", "http.status", "text"]);
  });
  test("values, of names in Prometheus' form of paths too", async () => {
    const values = async (name: string, parameters = {}) =>
      (await served.get(`/api/v1/label/${name}/values`, parameters)).body.data;
    expect(await values("__name__")).toEqual(["http_requests_total", "odd", "up"]);
    expect(await values("job", { "match[]": 'up{instance="1"}', start: String(AT - 60), end: String(AT) })).toEqual([
      "api",
      "web",
    ]);
    expect(await values("http.status")).toEqual(["200"]);
    expect(await values("U__http_2e_status")).toEqual(["200"]);
    expect(await values("U____proto____")).toEqual([]);
    expect(await values("U_______proto____")).toEqual([]);
    expect(await values("__proto__")).toEqual(["p"]);
    expect(await values("missing", { "match[]": "up" })).toEqual([]);
    expect(await values("a%2Fb")).toEqual([]);
    expect(await served.get("/api/v1/label//values")).toMatchObject({ status: 400 });
    expect(await served.get("/api/v1/label/%ff/values")).toMatchObject({ status: 400 });
  });
});

describe("other paths", () => {
  test("answers without data", async () => {
    const data = async (path: string) => (await served.get(path)).body.data;
    expect(await data("/api/v1/query_exemplars")).toEqual([]);
    expect(await data("/api/v1/rules")).toEqual({ groups: [] });
    expect(await data("/api/v1/alerts")).toEqual({ alerts: [] });
    expect(await data("/api/v1/metadata")).toEqual({});
    expect(await data("/api/v1/targets")).toMatchObject({ activeTargets: [], droppedTargets: [] });
    expect(await data("/api/v1/status/buildinfo")).toMatchObject({ version: "3.5.0" });
  });
  test("format_query", async () => {
    expect((await served.get("/api/v1/format_query", { query: "sum(up)by(job)" })).body.data).toBe("sum by (job) (up)");
  });
  test("health", async () => {
    for (const path of ["/-/healthy", "/-/ready"]) expect((await fetch(served.server.url + path)).status).toBe(200);
    const head = await fetch(`${served.server.url}/-/healthy`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });
  test("metrics, in the format that the client prefers", async () => {
    const plain = await fetch(`${served.server.url}/metrics`);
    expect(plain.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(await plain.text()).toMatch(
      /moonpack_prometheus_http_requests_total\{handler="\/api\/v1\/query",code="200"\} \d+\n/,
    );
    const open = await fetch(`${served.server.url}/metrics`, { headers: { accept: "application/openmetrics-text" } });
    expect(await open.text()).toMatch(
      /# TYPE moonpack_series_points counter\nmoonpack_series_points_total \d+[\s\S]*# EOF\n$/,
    );
  });
  test("unknown paths and methods", async () => {
    expect(await served.get("/api/v1/nothing")).toMatchObject({
      status: 404,
      body: { status: "error", errorType: "not_found" },
    });
    const wrong = await fetch(`${served.server.url}/api/v1/query`, { method: "DELETE" });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
    expect((await fetch(`${served.server.url}/api/v1/rules`, { method: "POST" })).status).toBe(405);
  });
  test("answers are packed for clients that accept it", async () => {
    const ask = (encoding: string) =>
      fetch(`${served.server.url}/api/v1/query?query=up&time=${AT}`, { headers: { "accept-encoding": encoding } });
    const packed = await ask("br, gzip;q=0.5");
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(packed.headers.get("vary")).toBe("Accept-Encoding");
    const plain = await ask("gzip;q=0, *;q=0");
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(await packed.json()).toEqual(await plain.json());
  });
});

test("the handler of fetch answers as the server does", async () => {
  const handle = fetchHandler(served.prom);
  const paths = [
    "query?query=up",
    "query?query=(",
    "labels",
    "label/job/values",
    `query_range?query=up&start=${AT - 60}&end=${AT}&step=5`,
    "nothing",
  ];
  for (const path of paths) {
    const url = `${served.server.url}/api/v1/${path}`;
    const [own, other] = await Promise.all([handle(new Request(url)), fetch(url)]);
    expect([own.status, own.headers.get("content-type"), await own.text()], path).toEqual([
      other.status,
      other.headers.get("content-type"),
      await other.text(),
    ]);
  }
  const posted = await handle(
    new Request("http://x/api/v1/query", { method: "POST", body: new URLSearchParams({ query: "1", time: "0" }) }),
  );
  expect(await posted.json()).toEqual({ status: "success", data: { resultType: "scalar", result: [0, "1"] } });
  const packed = await handle(
    new Request("http://x/api/v1/query?query=up", { headers: { "accept-encoding": "gzip" } }),
  );
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  expect(await new Response(packed.body!.pipeThrough(new DecompressionStream("gzip"))).json()).toMatchObject({
    status: "success",
  });
  expect((await handle(new Request("http://x/-/healthy", { method: "HEAD" }))).status).toBe(200);
});
