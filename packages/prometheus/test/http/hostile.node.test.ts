/** Hostile requests: errors with Prometheus' types and statuses, limits, clients that leave. */
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { createPrometheus, Labels, parseQuery } from "@moonpack/prometheus";
import { fetchHandler } from "@moonpack/prometheus/fetch";
import { memory, openSeries } from "@moonpack/series";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cpuTime } from "../harness/cpu-time.ts";
import { NOW, openStore } from "../harness/store.ts";
import { AT, type Served, serve } from "./serve.ts";

/** Takes much longer than a test. */
const SLOW = "sum_over_time(max_over_time(vector(1)[1d:1s])[10d:10s])";
const FORM = { "content-type": "application/x-www-form-urlencoded" };

let served: Served;
beforeAll(async () => {
  served = await serve({ maxSeries: 3, maxPoints: 100, maxBodyBytes: 10_000, maxConcurrent: 2, timeout: "20s" });
});
afterAll(() => served.close());

function post(
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = FORM,
): Promise<Response> {
  return fetch(served.server.url + path, { method: "POST", body, headers });
}

/** Resolves when a condition holds. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 400 && !(await holds()); i++) await sleep(5);
}

/** The number of queries that run, by the server's own metrics. */
async function running(name = "running"): Promise<number> {
  const text = await (await fetch(`${served.server.url}/metrics`)).text();
  return Number(new RegExp(`^moonpack_prometheus_queries_${name} (\\d+)$`, "m").exec(text)![1]);
}

describe("errors", () => {
  const range = { start: "0", end: "10", step: "1" };
  test.each([
    ["query", {}, 400, "bad_data", /^invalid parameter "query": 1:1: parse error: no expression found in input/],
    ["query", { query: "up{" }, 400, "bad_data", /parse error/],
    ["query", { query: 'up{job=~"("}' }, 400, "bad_data", /regexp/],
    ["query", { query: `${"(".repeat(600)}1${")".repeat(600)}` }, 400, "bad_data", /./],
    [
      "query",
      { query: "up", time: "x" },
      400,
      "bad_data",
      /^invalid parameter "time": cannot parse "x" to a valid timestamp$/,
    ],
    ["query", { query: "up", time: "1e300" }, 400, "bad_data", /time/],
    ["query", { query: "up", time: "NaN" }, 400, "bad_data", /time/],
    ["query", { query: "up", timeout: "-1" }, 400, "bad_data", /timeout/],
    ["query", { query: "up", timeout: "5 m" }, 400, "bad_data", /timeout/],
    ["query", { query: "up", limit: "-1" }, 400, "bad_data", /limit/],
    ["query", { query: "up", lookback_delta: "0" }, 400, "bad_data", /lookback_delta/],
    ["query", { query: "up * on() up", time: String(AT) }, 422, "execution", /series/],
    ["query", { query: SLOW, timeout: "20ms" }, 503, "timeout", /timed out/],
    ["query_range", { query: "1" }, 400, "bad_data", /^invalid parameter "start"/],
    [
      "query_range",
      { query: "1", ...range, step: "0" },
      400,
      "bad_data",
      /^invalid parameter "step": zero or negative/,
    ],
    [
      "query_range",
      { query: "1", ...range, step: "-1" },
      400,
      "bad_data",
      /^invalid parameter "step": zero or negative/,
    ],
    [
      "query_range",
      { query: "1", ...range, step: "0.0001" },
      400,
      "bad_data",
      /^invalid parameter "step": zero or negative/,
    ],
    [
      "query_range",
      { query: "1", ...range, end: "-1" },
      400,
      "bad_data",
      /^invalid parameter "end": end timestamp must not be before/,
    ],
    [
      "query_range",
      { query: "1", ...range, end: "100" },
      400,
      "bad_data",
      /^exceeded maximum resolution of 100 points/,
    ],
    ["query_range", { query: "up[1m]", ...range }, 400, "bad_data", /invalid expression type/],
    ["series", { "match[]": "up{" }, 400, "bad_data", /^invalid parameter "match\[\]"/],
    ["labels", { start: "5", end: "4" }, 400, "bad_data", /end timestamp/],
    ["format_query", { query: "up{" }, 400, "bad_data", /^invalid parameter "query"/],
    ["query", { query: `sum by (${"a,".repeat(501)}) (up)` }, 400, "bad_data", /501 labels, more than 500/],
    ["query", { query: `up{${'a!="b",'.repeat(501)}}` }, 400, "bad_data", /502 conditions, more than 500/],
    ["query", { query: "sum_over_time(vector(1)[10y:1s])" }, 400, "bad_data", /steps, more than 1048576/],
    ["metadata", { limit: "x" }, 400, "bad_data", /^limit must be a number$/],
    ["metadata", { limit_per_metric: "1.5" }, 400, "bad_data", /^limit_per_metric must be a number$/],
  ] as const)("%s %j", async (path, parameters, status, errorType, error) => {
    const answer = await served.get(`/api/v1/${path}`, parameters as unknown as Record<string, string>);
    expect(answer).toMatchObject({ status, body: { status: "error", errorType } });
    expect(answer.body.error).toMatch(error);
  });
  test("too many series", async () => {
    const expected = { status: 422, body: { status: "error", errorType: "execution" } };
    expect(await served.get("/api/v1/query", { query: "sum(up)", time: String(AT) })).toMatchObject(expected);
    expect(await served.get("/api/v1/series", { "match[]": "up" })).toMatchObject(expected);
  });
  test("a closed store", async () => {
    const store = await openStore();
    const handle = fetchHandler(createPrometheus(store, { now: () => NOW }));
    await store.close();
    for (const path of ["query?query=up", "labels", "label/job/values"])
      expect((await handle(new Request(`http://x/api/v1/${path}`))).status, path).toBe(503);
    expect((await handle(new Request("http://x/-/ready"))).status).toBe(503);
    expect((await handle(new Request("http://x/metrics"))).status).toBe(503);
  });
});

describe("bodies", () => {
  test("too large ones are refused, packed ones before they are unpacked", async () => {
    expect((await post("/api/v1/query", `query=1&x=${"x".repeat(10_000)}`)).status).toBe(413);
    const bomb = gzipSync(`query=1&x=${"x".repeat(50_000_000)}`);
    const answer = await post("/api/v1/query", bomb.subarray(0, 9_000), { ...FORM, "content-encoding": "gzip" });
    expect(answer.status).toBe(413);
  });
  test("other types are refused", async () => {
    expect((await post("/api/v1/query", "{}", { "content-type": "application/json" })).status).toBe(415);
  });
  test("truncations and garbage", async () => {
    const packed = gzipSync("query=1%2B1");
    for (let end = 0; end < packed.length; end++) {
      const headers = { ...FORM, "content-encoding": "gzip" };
      expect((await post("/api/v1/query", packed.subarray(0, end), headers)).status, String(end)).toBe(400);
    }
    for (const body of ["%", "query=%ff", "\0\0", "&&&=", "query"])
      expect((await post("/api/v1/query", body)).status).toBe(400);
  });
  test("many selectors and long texts end in time", async () => {
    const matches = Array.from({ length: 800 }, () => "match[]=x").join("&");
    expect((await post("/api/v1/series", matches)).status).toBe(200);
    expect((await post("/api/v1/query", `query=${"a%2B".repeat(2000)}a`)).status).toBe(400);
    const quadratic = `query=up{job=~"${encodeURIComponent("(a+)+$|".repeat(200))}b"}`;
    expect((await post("/api/v1/query", quadratic)).status).toBe(200);
  });
});

describe("many bodies", () => {
  test("at once are bounded, and their memory is given back", async () => {
    const { prom } = served;
    const most = 16 * 10_000;
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    /** A body that stops before its end. */
    async function* slow() {
      yield new TextEncoder().encode(`query=1&x=${"x".repeat(9000)}`);
      await ended;
    }
    const send = (body: AsyncIterable<Uint8Array>) =>
      prom.answer({ method: "POST", url: "/api/v1/query", headers: new Headers(FORM), body });
    const slowOnes = Array.from({ length: Math.floor(most / 9010) }, () => send(slow()));
    const refused = await send(slow());
    expect([refused.status, new TextDecoder().decode(refused.body as Uint8Array)]).toEqual([
      503,
      expect.stringContaining("too many bodies at once"),
    ]);
    end();
    for (const answer of await Promise.all(slowOnes)) expect(answer.status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(slow())));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });
});

describe("forms", () => {
  test("have at most 10,000 parameters, in the URL too", async () => {
    const own = createPrometheus(served.store);
    const ask = async (method: string, count: number) => {
      const text = `query=1${"&a".repeat(count - 1)}`;
      const url = method === "GET" ? `/api/v1/query?${text}` : "/api/v1/query";
      const body = method === "GET" ? null : text;
      return (await fetchHandler(own)(new Request(`http://x${url}`, { method, headers: FORM, body }))).status;
    };
    for (const method of ["GET", "POST"])
      expect([await ask(method, 10_000), await ask(method, 10_001)], method).toEqual([200, 413]);
    const long = await own.answer({
      method: "GET",
      url: `/api/v1/query?query=1&x=${"x".repeat(2 ** 20)}`,
      headers: new Headers(),
    });
    expect(long.status).toBe(413);
  });
  test("have at most 1 MiB, whatever bodies have", async () => {
    const prom = createPrometheus(served.store, { maxBodyBytes: 2 ** 30 });
    const answer = await fetchHandler(prom)(
      new Request("http://x/api/v1/series", { method: "POST", headers: FORM, body: "match[]=a&".repeat(110_000) }),
    );
    expect(answer.status).toBe(413);
  });
  test("with many selectors end at the timeout, and the event loop has turns", async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const match = Array.from({ length: 50_000 }, (_, i) => `a{i="${i}"}`);
    const asked = createPrometheus(served.store).findSeries({ match, timeout: 200 });
    await expect(asked).rejects.toMatchObject({ code: "ERR_TIMEOUT" });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });
});

describe("clients that leave", () => {
  test("within a body are no error of the server", async () => {
    const own = await serve();
    const socket = connect(own.server.port, "127.0.0.1");
    socket.write("POST /api/v1/query HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nquery=");
    await sleep(50);
    socket.destroy();
    const metrics = async () => await (await fetch(`${own.server.url}/metrics`)).text();
    await until(async () => (await metrics()).includes('"/api/v1/query"'));
    expect(await metrics()).toContain('handler="/api/v1/query",code="499"} 1\n');
    await own.close();
  });
  test("end their query within 50 ms", async () => {
    const leave = new AbortController();
    const asked = fetch(`${served.server.url}/api/v1/query?query=${encodeURIComponent(SLOW)}`, {
      signal: leave.signal,
    });
    await until(async () => (await running()) === 1);
    leave.abort();
    await expect(asked).rejects.toThrow();
    const start = cpuTime();
    await until(async () => (await running()) === 0);
    expect(cpuTime() - start).toBeLessThan(200);
  });
  test("while they wait, too, and others get their turn", async () => {
    const ask = (signal: AbortSignal) =>
      fetch(`${served.server.url}/api/v1/query?query=${encodeURIComponent(SLOW)}`, { signal }).then(
        () => "answered",
        () => "left",
      );
    const leaves = Array.from({ length: 4 }, () => new AbortController());
    const asked = leaves.map(({ signal }) => ask(signal));
    await until(async () => (await running()) === 2 && (await running("waiting")) === 2);
    const waiting = served.get("/api/v1/query", { query: "1+1" });
    await until(async () => (await running("waiting")) === 3);
    for (const leave of leaves.slice(1)) leave.abort();
    expect(await waiting).toMatchObject({ status: 200 });
    leaves[0]!.abort();
    expect(await Promise.all(asked)).toEqual(["left", "left", "left", "left"]);
    await until(async () => (await running()) === 0);
    expect([await running(), await running("waiting")]).toEqual([0, 0]);
  });
  test("an answer that is not read ends after the timeout", async () => {
    const server = createServer(createPrometheus(served.store, { maxPoints: 2_000_000, timeout: "1s" }).handler());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    const path = "/api/v1/query_range?query=vector(1)&start=0&end=500000&step=1";
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await new Promise((resolve) => socket.once("data", resolve));
    socket.pause();
    const connections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
    for (let i = 0; i < 100 && (await connections()) > 0; i++) await sleep(50);
    expect(await connections()).toBe(0);
    socket.destroy();
    server.close();
  });
  test("in the middle of a large answer", async () => {
    const large = await serve({ maxPoints: 2_000_000 });
    const path = `/api/v1/query_range?query=vector(1)&start=0&end=1900000&step=1`;
    const socket = connect(large.server.port, "127.0.0.1");
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await new Promise((resolve) => socket.once("data", resolve));
    socket.pause();
    await sleep(50);
    socket.destroy();
    expect(await large.get("/api/v1/query", { query: "1+1" })).toMatchObject({ status: 200 });
    const whole = (await (await fetch(large.server.url + path)).json()) as {
      data: { result: [{ values: unknown[] }] };
    };
    expect(whole.data.result[0].values).toHaveLength(1_900_001);
    await large.close();
  });
});

describe("in JavaScript", () => {
  test("an abort ends a call within 50 ms, also in the queue", async () => {
    const prom = createPrometheus(served.store, { maxConcurrent: 1 });
    for (const waits of [false, true]) {
      const first = new AbortController();
      const leave = new AbortController();
      const other = waits ? prom.query(SLOW, { signal: first.signal }).catch(() => undefined) : undefined;
      const asked = prom.query(SLOW, { signal: leave.signal });
      await sleep(30);
      const start = cpuTime();
      leave.abort(new Error("no"));
      await expect(asked).rejects.toMatchObject({ code: "ERR_ABORTED" });
      expect(cpuTime() - start).toBeLessThan(50);
      first.abort();
      await other;
    }
    await expect(prom.query("1", { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "ERR_ABORTED" });
    expect((await prom.query("1")).result).toBe(1);
  });
  test("the timeout includes the time in the queue", async () => {
    const prom = createPrometheus(served.store, { maxConcurrent: 1, timeout: 10_000 });
    const leave = new AbortController();
    const other = prom.query(SLOW, { signal: leave.signal }).catch(() => undefined);
    await expect(prom.query("1", { timeout: 40 })).rejects.toMatchObject({ code: "ERR_TIMEOUT" });
    leave.abort();
    await other;
  });
  test("wrong options are refused, with a suggestion", async () => {
    const { store, prom } = served;
    const refused: [() => unknown, RegExp][] = [
      [() => createPrometheus({} as never), /open store/],
      [() => createPrometheus(store, { maxSample: 1 } as never), /did you mean maxSamples/],
      [() => createPrometheus(store, { timeout: "1y" as never }), /timeout/],
      [() => createPrometheus(store, { now: 5 as never }), /now/],
      [() => prom.query("1", { tim: 1 } as never), /did you mean time/],
      [() => prom.query("1", { time: "x" }), /time must be/],
      [() => prom.query("1", { signal: {} as never }), /signal/],
      [() => prom.queryRange("1", { start: 0, end: 1 } as never), /step/],
      [() => prom.queryRange("1", { start: 2, end: 1, step: 1 }), /end/],
      [() => prom.queryRange("1", { end: 1, step: 1 } as never), /start/],
      [() => prom.labelNames({ match: 5 as never }), /match/],
      [() => prom.labelValues("" as never), /name/],
      [() => prom.listen({ prt: 1 } as never), /did you mean port/],
      [() => fetchHandler({} as never), /createPrometheus/],
    ];
    for (const [call, text] of refused)
      await expect(Promise.resolve().then(call)).rejects.toMatchObject({
        code: "ERR_INVALID_ARGUMENT",
        message: expect.stringMatching(text),
      });
  });
  test("an answer to HEAD has no body, an error neither; a server may be closed twice", async () => {
    const { prom } = served;
    for (const url of ["/api/v1/labels", "/none", "/api/v1/query"]) {
      const { body } = await prom.answer({ method: "HEAD", url, headers: new Headers() });
      expect((body as Uint8Array).length, url).toBe(0);
    }
    const own = await prom.listen({ port: 0 });
    await own.close();
    await own.close();
  });
  test("listen says that other machines can reach it, and only then", async () => {
    const warnings: string[] = [];
    const onWarning = (text: string) => void warnings.push(text);
    const own = await served.prom.listen({ port: 0, onWarning });
    expect([own.url, warnings]).toEqual([`http://127.0.0.1:${own.port}`, []]);
    await own.close();
    const open = await served.prom.listen({ port: 0, host: "0.0.0.0", onWarning });
    expect(warnings).toEqual([
      `other machines can reach 0.0.0.0:${open.port}: whoever can connect can read and write series of the store`,
    ]);
    await expect(served.prom.listen({ port: open.port, host: "0.0.0.0", onWarning })).rejects.toMatchObject({
      code: "EADDRINUSE",
    });
    await open.close();
    const reader = { ...served.store, unit: "ms", readOnly: true, blocks() {}, tagValues() {} };
    const readOnly = await createPrometheus(reader as never).listen({ port: 0, host: "0.0.0.0", onWarning });
    expect(warnings[1]).toBe(
      `other machines can reach 0.0.0.0:${readOnly.port}: whoever can connect can read the series of the store`,
    );
    await readOnly.close();
  });
  test("queries and selectors are bounded before they are parsed, and while they are", async () => {
    const { prom } = served;
    const tokens = (count: number) => `sum by (${"a,".repeat(count / 2)}) (up)`;
    for (const [text, code] of [
      [`1${" ".repeat(2 ** 19 - 1)}`, undefined],
      [`1${" ".repeat(2 ** 19)}`, "ERR_LIMIT_BYTES"],
      [tokens(2 ** 15), "ERR_LIMIT_ELEMENTS"],
      [5, "ERR_INVALID_ARGUMENT"],
    ] as const)
      await expect(prom.query(text as string).then(() => undefined, ({ code }) => code)).resolves.toBe(code); // biome-ignore format: a call
    const match = `{${'a!="b",'.repeat(9000)}c="d"}`;
    await expect(prom.findSeries({ match })).rejects.toMatchObject({ code: "ERR_LIMIT_ELEMENTS" });
    expect(parseQuery(tokens(2 ** 17)).kind).toBe("aggregation");
  });
  test("a store whose unit is not milliseconds is refused", async () => {
    const store = await openSeries({ driver: memory(), unit: "s" });
    expect(() => createPrometheus(store)).toThrow(
      expect.objectContaining({
        code: "ERR_INVALID_ARGUMENT",
        message: 'the unit of the store must be "ms", not "s": its files do not depend on it',
      }),
    );
    await store.close();
  });
  test("labels that are none are refused", () => {
    for (const labels of [null, undefined, 5, "ab", [["a"]], [["a", 1]], { a: 1 }, [null], new Map([[1, "a"]])])
      expect(() => Labels.of(labels as never), String(labels)).toThrow(
        expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }),
      );
  });
});
