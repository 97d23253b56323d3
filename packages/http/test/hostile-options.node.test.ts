/** Options of untyped callers: unknown names, wrong forms, inherited properties. */
import { schema, u8 } from "@moonpack/pck";
import { MoonpackError } from "moonpack/bytes";
import { describe, expect, test } from "vitest";
import { fetchStream, fetchValue, pckOf, streamBody } from "../src/client/index.ts";
import * as hono from "../src/hono.ts";
import { bodies, msgpack, pck } from "../src/index.ts";
import * as express from "../src/node/express.ts";
import * as fastify from "../src/node/fastify.ts";
import * as node from "../src/node/index.ts";
import * as koa from "../src/node/koa.ts";

const ENTRIES = Object.entries({
  web: bodies,
  node: node.bodies,
  express: express.bodies,
  fastify: fastify.bodies,
  koa: koa.bodies,
  hono: hono.bodies,
});
const invalid = (message: string | RegExp): object =>
  expect.objectContaining({ code: "ERR_INVALID_ARGUMENT", message: expect.stringMatching(message) });
const unknown = (name: string, meant: string): object =>
  invalid(`^"${name}" is not a known option.*: did you mean ${meant}\\?$`);
const request = (): Request =>
  new Request("http://localhost", { method: "POST", body: "1", headers: { "content-type": "application/json" } });

describe.each(ENTRIES)("%s: options of bodies", (_, make) => {
  test("unknown names are refused, with a suggestion", () => {
    expect(() => make({ maxByte: 10 } as never)).toThrow(unknown("maxByte", "maxBytes"));
    expect(() => make({ onerror: () => undefined } as never)).toThrow(unknown("onerror", "onError"));
    expect(() => make({ unheardOf: 1 } as never)).toThrow(invalid(/^"unheardOf" is not a known option$/));
  });
  test("other values than objects are refused", () => {
    for (const options of [null, 1, "options", [], true])
      expect(() => make(options as never)).toThrow(invalid("object"));
  });
  test("inherited names do not count", () => {
    expect(() => make(Object.create({ unheardOf: 1, maxBytes: -1 }) as never)).not.toThrow();
  });
});

test("options of calls", async () => {
  const http = bodies();
  await expect(http.read(request(), { maxByte: 10 } as never)).rejects.toThrow(unknown("maxByte", "maxBytes"));
  await expect(http.readStream(request(), { pkc: 1 } as never).next()).rejects.toThrow(unknown("pkc", "pck"));
  await expect(hono.bodies().read({ req: { raw: request() } } as never, { maxByte: 1 } as never)).rejects.toThrow(
    MoonpackError,
  );
});

test("options of middlewares and routes are refused when these are made", () => {
  for (const make of [express.bodies, koa.bodies])
    expect(() => make().body({ maxByte: 10 } as never)).toThrow(unknown("maxByte", "maxBytes"));
  expect(() => fastify.bodies().route({ maxByte: 10 } as never)).toThrow(unknown("maxByte", "maxBytes"));
  expect(() => fastify.bodies().route({ steam: true } as never)).toThrow(unknown("steam", "stream"));
  expect(() => fastify.bodies().route({ stream: 1 } as never)).toThrow(invalid("stream"));
  expect(() => fastify.bodies().route({ pck: schema("A", u8("a")) } as never)).toThrow(invalid("pck must come from"));
});

test("misspelt names, ours and the ones of ResponseInit, are refused; others are passed on", async () => {
  const http = bodies();
  expect(() => http.response(request(), 1, { pkc: 1 } as never)).toThrow(unknown("pkc", "pck"));
  await expect(http.streamResponse(request(), [1], { earl: true } as never)).rejects.toThrow(unknown("earl", "early"));
  for (const [name, meant] of [
    ["statu", "status"],
    ["header", "headers"],
    ["statustext", "statusText"],
  ] as const) {
    expect(() => http.response(request(), 1, { [name]: 1 } as never)).toThrow(unknown(name, meant));
    await expect(http.streamResponse(request(), [1], { [name]: 1 } as never)).rejects.toThrow(unknown(name, meant));
  }
  const cloudflare = { webSocket: null, encodeBody: "automatic", cf: {} };
  expect(http.response(request(), 1, cloudflare as never).status).toBe(200);
  expect(() => http.response(request(), 1, 5 as never)).toThrow(invalid("init must be an object"));
});

/** The options of `fetch`: of the standard, of Node, Deno, Bun, Cloudflare and Next. All are passed on. */
const INIT = {
  ...{ method: "POST", headers: {}, mode: "cors", credentials: "omit", cache: "no-store", redirect: "error" },
  ...{ referrer: "", referrerPolicy: "", integrity: "", keepalive: true, signal: undefined, duplex: "half" },
  ...{ priority: "high", window: null, attributionReporting: {}, browsingTopics: true, targetAddressSpace: "local" },
  ...{ dispatcher: {}, client: {}, proxy: "", tls: {}, unix: "", verbose: true, decompress: true, timeout: 1, cf: {} },
  ...{ next: {}, agent: {}, compress: true, follow: 1, size: 1, retry: {}, reactNative: {} },
};

test.each([
  ["fetchValue", (options: object) => fetchValue("http://localhost/", options)],
  ["fetchStream", (options: object) => fetchStream("http://localhost/", options).next()],
])("%s: names similar to its own or to RequestInit's are refused, others are passed on", async (_, call) => {
  const wrong = { maxByte: "maxBytes", maxbytes: "maxBytes", valeu: "value", reqest: "request", respones: "response" };
  const standard = { signl: "signal", methd: "method", header: "headers", credential: "credentials", modes: "mode" };
  const more = { redirct: "redirect", keepAlive: "keepalive", dispacher: "dispatcher", referer: "referrer" };
  for (const [name, meant] of Object.entries({ ...wrong, ...standard, ...more }))
    await expect(call({ [name]: 1 })).rejects.toThrow(unknown(name, meant));
  let passed: object = {};
  const fetch = (_url: unknown, init: object): never => {
    passed = init;
    throw new Error("passed on");
  };
  await expect(call({ ...INIT, fetch })).rejects.toMatchObject({ cause: { message: "passed on" } });
  expect(Object.keys(passed)).toEqual(expect.arrayContaining(Object.keys(INIT)));
});

test.each([
  ["maxBytes", { maxBytes: "64k" }],
  ["maxBytes", { maxBytes: Number.NaN }],
  ["maxBytes", { maxBytes: -1 }],
  ["fetch", { fetch: 5 }],
  ["request", { request: 5, value: 1 }],
  ["request", { request: schema("A", u8("a")), value: 1 }],
  ["response", { response: {} }],
  ["response", { response: null }],
  ["body", { body: "text" }],
  ["a value or a body", { value: 1, body: streamBody([1]) }],
  ["options", null],
  ["options", []],
])("an invalid %s of fetchValue: %j", async (name, options) => {
  await expect(fetchValue("http://localhost/", options as never)).rejects.toThrow(invalid(name));
});

test.each([undefined, 5, null, {}, []])("fetchValue(%j) is refused", async (url) => {
  await expect(fetchValue(url as never)).rejects.toThrow(invalid("url"));
});

test("arguments of streamBody and pckOf", () => {
  for (const values of [undefined, null, 5, {}]) expect(() => streamBody(values as never)).toThrow(invalid("iterable"));
  for (const format of [5, null, {}, "msgpack"])
    expect(() => streamBody([1], format as never)).toThrow(invalid("format"));
  for (const messages of [undefined, 5, {}, { fingerprint: "5ac501d48d978c22" }])
    expect(() => pckOf(messages as never)).toThrow(invalid(""));
});

describe.each([undefined, null, 5, "text", {}])("%j in the place of a request, a response or a context", (wrong) => {
  const none = wrong as never;
  test.each<[string, () => unknown]>([
    ["web read", () => bodies().read(none)],
    ["web readStream", () => bodies().readStream(none).next()],
    ["web response", () => bodies().response(none, 1)],
    ["web streamResponse", () => bodies().streamResponse(none, [1])],
    ["node read", () => node.bodies().read(none)],
    ["node readStream", () => node.bodies().readStream(none).next()],
    ["node send", () => node.bodies().send(none, 1)],
    ["node sendStream", () => node.bodies().sendStream(none, [1])],
    ["node sendProblem", () => node.bodies().sendProblem(none, new Error("a"))],
    ["express sendProblem", () => express.bodies().sendProblem(none, new Error("a"))],
    ["express send", () => express.bodies().send(none, 1)],
    ["koa read", () => koa.bodies().read(none)],
    ["koa readStream", () => koa.bodies().readStream(none).next()],
    ["koa send", () => koa.bodies().send(none, 1)],
    ["koa sendStream", () => koa.bodies().sendStream(none, [1])],
    ["hono read", () => hono.bodies().read(none)],
    ["hono readStream", () => hono.bodies().readStream(none).next()],
    ["hono send", () => hono.bodies().send(none, 1)],
    ["hono sendStream", () => hono.bodies().sendStream(none, [1])],
    ["fastify readStream", () => fastify.bodies().readStream(none).next()],
    ["fastify send", () => fastify.bodies().send(none, 1)],
    ["fastify sendStream", () => fastify.bodies().sendStream(none, [1])],
  ])("%s", async (_, call) => {
    await expect((async () => call())()).rejects.toThrow(invalid("expected a"));
  });
});

test("values of a stream of answers are iterable", async () => {
  for (const values of [undefined, 5, {}, () => 5])
    await expect(bodies().streamResponse(request(), values as never)).rejects.toThrow(invalid("iterable"));
});

test("options of formats", () => {
  expect(() => msgpack({ decode: {} } as never)).toThrow(unknown("decode", "decoder"));
  expect(() => pck(schema("A", u8("a")), 1 as never)).toThrow(invalid("object"));
  expect(() => pck(schema("A", u8("a")), { olde: [] } as never)).toThrow(unknown("olde", "older"));
  expect(() => pck(schema("A", u8("a")), { maxDepht: 9 } as never)).toThrow(unknown("maxDepht", "maxDepth"));
  for (const older of [5, {}, null])
    expect(() => pck(schema("A", u8("a")), { older } as never)).toThrow(invalid("older must be a list"));
  for (const wrong of [null, 5, {}]) {
    expect(() => bodies({ msgpack: wrong } as never)).toThrow(invalid("msgpack must come from"));
    expect(() => bodies().response(request(), 1, { pck: wrong } as never)).toThrow(invalid("pck must come from"));
  }
});

test("an init of a response has the names of Response, and ours", () => {
  const response = bodies().response(request(), 1, { status: 201, statusText: "Made", headers: { a: "b" } });
  expect([response.status, response.statusText, response.headers.get("a")]).toEqual([201, "Made", "b"]);
});

test.each([
  { signal: 3 },
  { redirect: "x" },
  { mode: 3 },
  { cache: "x" },
  { method: "BAD METHOD" },
  { method: 3 },
  { method: "GET", value: 1 },
  { headers: 3 },
  { headers: { "a b": "c" } },
])("fetch's option %j is refused, not reported as a lost connection", async (options) => {
  await expect(fetchValue("http://localhost:9/", options as never)).rejects.toMatchObject({
    code: "ERR_INVALID_ARGUMENT",
  });
});

test.each([
  { status: 99 },
  { status: 600 },
  { status: "x" },
  { statusText: 5 },
  { headers: 3 },
])("an answer with %j is refused", (init) => {
  const request = new Request("http://localhost/");
  expect(() => bodies().response(request, 1, init as never)).toThrow(
    expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }),
  );
});
