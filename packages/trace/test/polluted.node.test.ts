/** Properties that somebody put on Object.prototype change nothing. */
import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openRequest } from "../src/inbound/open-request.ts";
import { readOptions } from "../src/inbound/options.ts";
import {
  carrier,
  carrierExtension,
  expressMiddleware,
  fastifyPlugin,
  fetchHandler,
  get,
  hapiPlugin,
  honoMiddleware,
  httpListener,
  id,
  koaMiddleware,
  outgoingHeaders,
  parseTraceparent,
  parseTracestate,
  pinoMixin,
  propagate,
  requestProfiler,
  runWithCarrier,
  runWithId,
  undiciInterceptor,
  winstonFormat,
  winstonLine,
  winstonMeta,
} from "../src/index.ts";

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const POLLUTION: Record<string, unknown> = {
  useHeader: true,
  headerName: "bad name",
  requestIdFactory: () => "polluted",
  echoHeader: true,
  maxIdLength: 0,
  acceptId: () => "polluted",
  traceContext: true,
  sampled: false,
  enabled: false,
  outer: {},
  frameworkId: "polluted",
  "x-request-id": "polluted",
  traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  tracestate: "a=1",
  rawHeaders: { length: 2 },
  id: "polluted",
  values: { a: 1 },
  type: 1,
  polluted: "polluted",
  to: "any",
  origin: "http://polluted.example",
  incoming: new EventEmitter(),
  outgoing: new EventEmitter(),
  sampleRate: 1,
  dutyCycle: 1,
  html: "/polluted/page.html",
  output: "/polluted/lines",
  maxConcurrent: 1,
  requestId: "polluted",
  traceId: "polluted",
  spanId: "polluted",
  timestamp: "polluted",
  origins: () => true,
  maxDuration: 1,
};

beforeEach(() => {
  for (const [key, value] of Object.entries(POLLUTION))
    Object.defineProperty(Object.prototype, key, { value, configurable: true, writable: true });
});
afterEach(() => {
  for (const key of Object.keys(POLLUTION)) Reflect.deleteProperty(Object.prototype, key);
});

test("options", () => {
  const settings = readOptions({});
  expect([settings.useHeader, settings.headerName, settings.maxIdLength, settings.enabled]).toEqual([
    false,
    "X-Request-Id",
    128,
    true,
  ]);
  expect([settings.requestIdFactory, settings.acceptId, settings.traceContext]).toEqual([undefined, undefined, false]);
});

test("headers, and what adapters add", () => {
  const settings = readOptions({ useHeader: true, traceContext: true });
  const context = openRequest(settings, {}, { headers: {} }, {});
  expect(context).toMatchObject({ id: expect.stringMatching(UUID_V4), parentSpanId: undefined });
  const own = openRequest(settings, {}, { headers: { "x-request-id": "a" } });
  expect(own).toMatchObject({ id: "a" });
});

test("a middleware", () => {
  const message = Object.assign(new EventEmitter(), { headers: {} });
  let seen: unknown;
  expressMiddleware({})(message as never, new EventEmitter() as never, () => {
    seen = id();
  });
  expect(seen).toMatch(UUID_V4);
  message.on("x", () => undefined).emit("x");
});

test("values and carriers", () => {
  runWithId(() => {
    expect([id(), get("polluted")]).toEqual(["mine", undefined]);
    expect(carrier()!.values).toBeUndefined();
    runWithCarrier({}, () => {
      expect(id()).toMatch(UUID_V4);
      expect(get("a")).toBeUndefined();
    });
  }, "mine");
  expect(carrierExtension({}).type).toBe(116);
});

test("parsers", () => {
  expect(parseTraceparent({})).toBeUndefined();
  expect(parseTracestate("a=1")).toEqual([["a", "1"]]);
});

/** The messages of a request that no server made. */
const messages = () => [Object.assign(new EventEmitter(), { headers: {} }), new EventEmitter()] as const;
const note = (seen: unknown[]) => () => void seen.push(id());

test("adapters", async () => {
  const seen: unknown[] = [];
  const [raw, response] = messages();
  httpListener(note(seen))(raw as never, response as never);
  await koaMiddleware({})({ request: {}, req: raw, res: response } as never, async () => note(seen)());
  const req = { raw: new Request("http://a.example") };
  await honoMiddleware({})({ req, env: {}, header: () => expect.unreachable() }, async () => note(seen)());
  await fetchHandler(() => new Response(String(seen.push(id()))), {})(req.raw);
  const hooks: Record<string, (...args: unknown[]) => void> = {};
  const version = "5.0.0";
  fastifyPlugin({ version, addHook: (name: string, hook: never) => (hooks[name] = hook) }, {}, () => undefined);
  const reply = { raw: response, header: () => expect.unreachable() };
  hooks.onRequest!({ raw: messages()[0], id: "framework" }, reply, note(seen));
  const extensions: string[] = [];
  hapiPlugin.register({ listener: raw, ext: (name: string) => extensions.push(name), decorate: () => undefined }, {});
  expect(extensions).toEqual(["onRequest"]); // no echo
  expect(seen.length).toBe(5);
  for (const each of seen) expect(each).toMatch(UUID_V4);
  expect(new Set(seen).size).toBe(5);
  expect(Object.hasOwn(POLLUTION.incoming as object, "on")).toBe(false); // not taken for a request of Node
});

test("destinations: to and origins are own properties, as headers are", () => {
  expect(() => propagate({} as never)).toThrow("to is required");
  expect(() => undiciInterceptor({} as never)).toThrow("origins must be a function");
  const sent: Record<string, unknown>[] = [];
  const agent = { dispatch: (request: Record<string, unknown>, _handler: object): boolean => sent.push(request) > 0 };
  const dispatch = undiciInterceptor({ origins: ({ host }) => host === "a.example" })(agent.dispatch.bind(agent));
  runWithId(() => {
    dispatch({ origin: "http://a.example", path: "/", headers: {} }, {});
    dispatch({ origin: "http://b.example", path: "/", headers: {} }, {});
    expect(outgoingHeaders()!.map(([name]) => name)).toEqual(["X-Request-Id", "traceparent"]);
  }, "mine");
  expect(sent.map(({ headers }) => Object.keys(headers as object))).toEqual([["X-Request-Id", "traceparent"], []]);
});

test("log lines", () => {
  const symbol = Symbol.for("message");
  const line = (): Record<symbol | string, unknown> => ({ level: "info", message: "m", ...winstonMeta({}) });
  expect(Object.keys(pinoMixin({})())).toEqual([]);
  expect(Object.keys(winstonFormat({}).transform(line()))).toEqual(["level", "message"]);
  expect(winstonLine().transform(line())[symbol]).toMatch(/^\d{4}-[^ ]*Z: m$/);
  runWithId(() => {
    expect(Object.keys(pinoMixin({})())).toEqual(["requestId", "traceId", "spanId"]);
    expect(Object.hasOwn(winstonFormat({}).transform(line()), "requestId")).toBe(true);
    expect(winstonLine().transform(line())[symbol]).toMatch(/Z \[request-id:mine\]: m$/);
  }, "mine");
});

test("the profiler: neither its outputs nor its rate", () => {
  const lines: string[] = [];
  const profiler = requestProfiler({ sampleRate: 1, output: (text) => lines.push(text) });
  const [raw, response] = messages();
  httpListener(() => profiler.middleware(raw as never, response as never, () => undefined))(
    raw as never,
    response as never,
  );
  response.emit("finish");
  profiler.stop(); // writes no page
  const [head] = lines.join("").split("\n");
  expect(JSON.parse(head!)).toMatchObject({ k: "request", id: expect.stringMatching(UUID_V4), end: "finish" });
});
