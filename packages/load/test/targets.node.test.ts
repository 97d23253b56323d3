/** The targets against real servers and stores on this machine. */

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memory, openSeries } from "@moonpack/series";
import { decode, encode } from "moonpack";
import { expect, onTestFinished, test } from "vitest";
import { type LoadOptions, load, toReport } from "../src/index.js";
import { type Codec, hazelcastMap, http, seriesStore, tcpEcho } from "../src/targets/index.js";

const short: LoadOptions = { operations: 1500, warmup: 0, rounds: 2, concurrency: 16, keys: 40, payload: 100 };
const msgpack: Codec = { name: "msgpack", encode: (value) => encode(value), decode: (bytes) => decode(bytes) };
const records = Array.from({ length: 7 }, (_, id) => ({ id, name: `record ${id}`, on: id % 2 === 0 }));

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

function echoing(change: (chunk: Buffer) => Buffer = (chunk) => chunk): Promise<number> {
  return listening(
    createServer((socket) => socket.on("data", (chunk) => socket.write(change(chunk))).on("error", () => {})),
  );
}

test.each([
  { payload: 3 },
  { payload: 0 },
  { payload: 200_000, operations: 300 },
  { payload: 100, connections: 5 },
  { payload: 100, gather: false },
  { payload: records },
  { payload: records, codec: msgpack },
])("TCP echo: every byte comes back: %j", async ({ payload, operations = 1500, ...options }) => {
  const target = tcpEcho({ port: await echoing(), ...options });
  const { summary, failures } = await load(target, { ...short, payload, operations, scenario: { gets: 50 } });
  expect(failures).toEqual([]);
  expect(summary).toMatchObject({ operations: 2 * operations, errors: {} });
});

test("TCP echo: a server that changes a byte is a wrong answer, one that sends more is an error", async () => {
  const changed = tcpEcho({ port: await echoing((chunk) => Buffer.from(chunk).fill(0, 0, 1)) });
  expect((await load(changed, short)).failures).toEqual([expect.stringContaining("wrong answer")]);
  const more = tcpEcho({ port: await echoing((chunk) => Buffer.concat([chunk, chunk])) });
  const { summary } = await load(more, { ...short, concurrency: 1 });
  expect(Object.keys(summary!.errors)).toEqual(["Error"]);
});

test("TCP echo: a lost connection fails its operations; a missing server rejects", async () => {
  let chunks = 0;
  const port = await listening(
    createServer((socket) => socket.on("data", (chunk) => (++chunks > 20 ? socket.destroy() : socket.write(chunk)))),
  );
  const { summary } = await load(tcpEcho({ port }), { ...short, concurrency: 1 });
  expect(summary!.errors.ECONNRESET).toBeGreaterThan(2000);
  const server = createServer();
  const free = await listening(server);
  server.close();
  await expect(load(tcpEcho({ port: free }), short)).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

async function web(listener: RequestListener): Promise<string> {
  const server = createHttpServer(listener);
  const port = await listening(server as unknown as Server);
  onTestFinished(() => server.closeAllConnections());
  return `http://127.0.0.1:${port}`;
}

test("HTTP: get and set, with keys in the path and values as bodies", async () => {
  const seen = new Set<string>();
  const stored = new Map<string, string>();
  const origin = await web(async (request, response) => {
    seen.add(`${request.method} ${request.headers["x-from"]}`);
    const url = request.url!;
    if (request.method === "GET") return void response.end(stored.get(url) ?? url);
    let body = "";
    for await (const chunk of request) body += chunk;
    stored.set(url, body);
    response.writeHead(204).end();
  });
  let checked = 0;
  const target = http({
    url: `${origin}/items/{key}?k={key}`,
    headers: { "X-From": "load" },
    check: (key, { status, body }) => {
      checked++;
      const text = Buffer.concat(body).toString();
      return status === 200 && (text.length === 100 || text === `/items/${key}?k=${key}`);
    },
  });
  const { summary, failures } = await load(target, { ...short, operations: 600, scenario: { gets: 50 } });
  expect(failures).toEqual([]);
  expect(summary).toMatchObject({ operations: 1200, errors: {} });
  expect([...seen].sort()).toEqual(["GET load", "PUT load"]);
  expect([...stored.keys()].every((url) => /^\/items\/(\d+)\?k=\1$/.test(url))).toBe(true);
  expect([...stored.values()].every((body) => body.length === 100)).toBe(true);
  expect(checked).toBeGreaterThanOrEqual(0);
});

test("HTTP: a body for get, with any method; a fixed URL has no keys, and a get no payload", async () => {
  const seen = new Set<string>();
  const origin = await web(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    seen.add(`${request.method} ${request.url} ${body}`);
    response.end();
  });
  const options = { ...short, operations: 20, rounds: 1 };
  for (const body of ['{"a":1}', new TextEncoder().encode('{"a":1}')]) {
    const result = await load(http({ url: `${origin}/a`, method: "POST", body }), options);
    expect(result.summary).toMatchObject({ operations: 20, errors: {} });
    expect(result.options).toMatchObject({ payload: null, keys: null });
    expect(toReport(result).description).toBe("POST; 16 in flight; 1 round of 20 operations");
  }
  expect([...seen]).toEqual(['POST /a {"a":1}']);
  const keyed = await load(http({ url: `${origin}/{key}` }), options);
  expect(keyed.options).toMatchObject({ payload: null, keys: expect.any(Number) });
  const written = await load(http({ url: `${origin}/a` }), { ...options, scenario: "set" });
  expect(written.options).toMatchObject({ payload: { bytes: expect.any(Number) }, keys: null });
});

test("HTTP: records are JSON, a codec's bytes, other methods, pipelining", async () => {
  const bodies: unknown[] = [];
  const origin = await web(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    bodies.push(request.url === "/json" ? JSON.parse(bytes.toString()) : decode(bytes));
    expect(request.method).toBe("POST");
    response.end();
  });
  const options = { ...short, operations: 40, rounds: 1, scenario: "set", payload: records } as const;
  for (const path of ["/json", "/msgpack"]) {
    const codec = path === "/msgpack" ? { codec: msgpack } : {};
    const target = http({ url: origin + path, setMethod: "POST", connections: 2, pipelining: 4, ...codec });
    expect((await load(target, options)).summary).toMatchObject({ operations: 40, errors: {} });
  }
  expect(bodies).toHaveLength(80);
  for (const body of bodies) expect(records).toContainEqual(body);
});

test("HTTP: other statuses are errors with their number; a hanging server is a timeout", async () => {
  const origin = await web((request, response) => {
    if (request.url === "/hang") return;
    response.writeHead(Number(request.url!.slice(1))).end("no");
  });
  for (const status of [304, 404, 503]) {
    const { summary } = await load(http({ url: `${origin}/${status}` }), { ...short, operations: 50, rounds: 1 });
    expect(summary).toMatchObject({ operations: 0, errors: { [`HTTP_${status}`]: 50 } });
  }
  const hanging = { ...short, operations: 20, rounds: 1, timeout: 50 };
  expect((await load(http({ url: `${origin}/hang` }), hanging)).summary).toMatchObject({ errors: { ERR_TIMEOUT: 20 } });
});

test("HTTP: {key} works in a URL object; user name and password are sent, but not in reports", async () => {
  const seen = new Set<string>();
  const origin = await web((request, response) => {
    seen.add(`${request.url} ${request.headers.authorization}`);
    response.end();
  });
  const url = new URL(`${origin.replace("//", "//me:p%40ss@")}/{key}?k={key}`);
  const options = { ...short, keys: 1, operations: 20, rounds: 1 };
  const { summary, target } = await load(http({ url }), options);
  expect(summary).toMatchObject({ operations: 20, errors: {} });
  expect([...seen]).toEqual([`/0?k=0 Basic ${Buffer.from("me:p@ss").toString("base64")}`]);
  expect(target).toBe(`${origin}/{key}?k={key}`);
  seen.clear();
  await load(http({ url, headers: { Authorization: "Bearer a" } }), options);
  expect([...seen]).toEqual(["/0?k=0 Bearer a"]);
  expect(() => http({ url: "http://%zz@a/" })).toThrow(expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }));
});

test("HTTP: endless answers are aborted at the timeout, and their bodies are not kept", async () => {
  let open = 0;
  const origin = await web((_request, response) => {
    open++;
    const chunk = Buffer.alloc(65_536);
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on("drain", more).on("close", () => open--);
    more();
  });
  const before = process.memoryUsage().arrayBuffers;
  const options = { ...short, operations: 8, rounds: 1, concurrency: 4, timeout: 200 };
  const { summary } = await load(http({ url: origin }), options);
  expect(summary).toMatchObject({ operations: 0, errors: { ERR_TIMEOUT: 8 } });
  await expect.poll(() => open, { timeout: 10_000 }).toBe(0);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 << 20);
});

test("HTTP: if nothing listens, only one connection is tried; a target that refuses all operations ends the run", async () => {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const refused = expect.objectContaining({
    code: "ERR_LOAD_REFUSED",
    message: expect.stringContaining(`127.0.0.1:${port}`),
    cause: expect.objectContaining({ code: "ECONNREFUSED" }),
  });
  await expect(load(http({ url: `http://127.0.0.1:${port}/` }), { ...short, operations: 1e6 })).rejects.toEqual(
    refused,
  );
  let calls = 0;
  const target = {
    name: `127.0.0.1:${port}`,
    async get() {
      calls++;
      throw Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
    },
  };
  for (const rate of [undefined, 100_000]) {
    calls = 0;
    await expect(load(target, { ...short, operations: 50_000, ...(rate && { rate }) })).rejects.toEqual(refused);
    expect(calls).toBeLessThan(1100);
  }
});

test("HTTP: a timed-out operation frees its connection", async () => {
  let requests = 0;
  const origin = await web((_request, response) => {
    if (++requests > 4) response.end();
  });
  const options = { ...short, operations: 100, rounds: 1, concurrency: 4, timeout: 500 };
  const { summary } = await load(http({ url: origin }), options);
  expect(Object.keys(summary!.errors)).toEqual(["ERR_TIMEOUT"]);
  expect(summary!.operations).toBeGreaterThan(80);
});

test.each(["nonsense", "ftp://a/b", "http://{key}.example/"])("HTTP: %s is refused", (url) => {
  expect(() => http({ url })).toThrow(expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }));
});

test.each([
  ["a port", () => tcpEcho({} as never)],
  ["a port in its range", () => tcpEcho({ port: 70_000 })],
  ["connections", () => tcpEcho({ port: 7000, connections: 0 })],
  ["a body", () => http({ url: "http://127.0.0.1/", body: {} } as never)],
  ["options", () => tcpEcho(null as never)],
  ["connections", () => http({ url: "http://a", connections: 1.5 })],
  ["pipelining", () => http({ url: "http://a", pipelining: 0 })],
  ["a codec with functions", () => http({ url: "http://a", codec: "json" as never })],
  ["a codec with functions", () => tcpEcho({ port: 7000, codec: { name: "a" } as never })],
  ["a codec with functions", () => hazelcastMap({ codec: null as never })],
  ["members", () => hazelcastMap({ members: [] })],
  ["overwrite", () => hazelcastMap({ overwrite: "yes" as never })],
  ["a path or a store", () => seriesStore({})],
  ["known options: http", () => http({ url: "http://a", metod: "POST" } as never)],
  ["known options: tcpEcho", () => tcpEcho({ port: 1, connection: 2 } as never)],
  ["known options: hazelcastMap", () => hazelcastMap({ member: [] } as never)],
  ["known options: seriesStore", () => seriesStore({ paths: "a" } as never)],
])("targets need %s: ERR_INVALID_ARGUMENT", (_, make) => {
  expect(make).toThrow(expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }));
});

test("a store of time series: minutes are read back, points are written", async () => {
  const folder = mkdtempSync(join(tmpdir(), "moonpack-load-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "store");
  const options = { ...short, scenario: { gets: 50 } } as const;
  const { target, summary, failures } = await load(seriesStore({ path }), options);
  expect([target, failures]).toEqual([`series:${path}`, []]);
  expect(summary).toMatchObject({ operations: 3000, errors: {} });
  await using series = await openSeries({ path });
  expect((await series.stats()).metrics).toBe(40);
});

test("a given store stays open", async () => {
  await using series = await openSeries({ driver: memory() });
  const { summary, failures } = await load(seriesStore({ series }), { ...short, operations: 200 });
  expect(failures).toEqual([]);
  expect(summary).toMatchObject({ operations: 400, errors: {} });
  expect((await series.stats()).points).toBe(40 * 60);
});

/** A fake map of a Hazelcast client. */
function fakeClient() {
  const maps = new Map<string, Map<number, unknown>>();
  const calls: string[] = [];
  const client = {
    async getMap(name: string) {
      const map = maps.get(name) ?? new Map<number, unknown>();
      maps.set(name, map);
      return {
        get: async (key: number) => map.get(key) ?? null,
        set: async (key: number, value: unknown) => void map.set(key, value),
        async setAll(pairs: [number, unknown][]) {
          calls.push(`setAll ${pairs.length}`);
          for (const [key, value] of pairs) map.set(key, value);
        },
        async clear() {
          calls.push("clear");
          map.clear();
        },
        size: async () => map.size,
      };
    },
    async shutdown() {
      calls.push("shutdown");
    },
  };
  return { client, maps, calls };
}

test.each([
  undefined,
  msgpack,
])("a Hazelcast map: filled, loaded, emptied; a client of yours stays connected", async (codec) => {
  const { client, maps, calls } = fakeClient();
  const target = hazelcastMap({ client, map: "m", ...(codec === undefined ? {} : { codec }) });
  const options = { ...short, keys: 700, payload: records, scenario: { gets: 50 } } as const;
  const { target: name, summary, failures } = await load(target, options);
  expect([name, failures]).toEqual(["hazelcast://127.0.0.1:5701/m", []]);
  expect(summary).toMatchObject({ operations: 3000, errors: {} });
  expect(calls).toEqual(["clear", "setAll 500", "setAll 200", "clear"]);
  expect([...maps.keys()]).toEqual(["m"]);
});

test("a Hazelcast map with entries is refused and not changed, unless `overwrite` is set", async () => {
  const { client, maps, calls } = fakeClient();
  maps.set("orders", new Map([[7, "an order"]]));
  await expect(load(hazelcastMap({ client, map: "orders" }), short)).rejects.toMatchObject({
    code: "ERR_INVALID_ARGUMENT",
    message: expect.stringContaining("orders is not empty (1)"),
  });
  expect([maps.get("orders")!.size, calls]).toEqual([1, []]);
  const { failures } = await load(hazelcastMap({ client, map: "orders", overwrite: true }), short);
  expect([failures, maps.get("orders")!.size]).toEqual([[], 0]);
});

test("a Hazelcast map: a lost or changed entry is a wrong answer", async () => {
  const { client } = fakeClient();
  const getMap = client.getMap.bind(client);
  client.getMap = async (name) => ({ ...(await getMap(name)), get: async () => null });
  expect((await load(hazelcastMap({ client }), short)).failures).toEqual([expect.stringContaining("wrong")]);
});
