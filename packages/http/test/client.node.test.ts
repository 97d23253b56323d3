/** The client: against servers that are not ours, its errors, its limits, its options. */
import { createServer, type RequestListener } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { fetchStream, fetchValue, msgpack, pckOf, ResponseError, streamBody } from "@moonpack/http/client";
import { codec } from "@moonpack/pck";
import { encode } from "moonpack";
import { afterEach, expect, test } from "vitest";
import { newState } from "./harness/app.ts";
import { caught } from "./harness/caught.ts";
import { ADA, DECODED_ADA, oldPlayers, Player, players } from "./harness/player.ts";
import { listening, type Running, SERVERS } from "./harness/servers.ts";

const running: Running[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = await listening(createServer(listener), newState());
  running.push(server);
  return server.url;
}

/** Answers each request with this. */
const always = (status: number, headers: Record<string, string>, body?: Uint8Array | string) =>
  serve((_, response) => void response.writeHead(status, headers).end(body));

const MSGPACK = { "content-type": "application/vnd.msgpack" };
const drained = async (values: AsyncIterable<unknown>) => {
  for await (const _ of values);
};

test("the server's error: of a problem document, of another document, of none", async () => {
  const problem = {
    status: 409,
    title: "Conflict",
    detail: "taken",
    code: "ERR_DUPLICATE_KEY",
    offset: 7,
    path: "$.a",
  };
  const url = await always(
    409,
    { "content-type": "application/problem+json", "retry-after": "3" },
    JSON.stringify(problem),
  );
  const error = (await caught(fetchValue(url))) as ResponseError;
  expect(error).toBeInstanceOf(ResponseError);
  expect(error.name).toBe("ResponseError");
  expect(error.message).toBe("409: taken");
  expect({ ...error.problem }).toEqual(problem);
  expect(error.headers.get("retry-after")).toBe("3");
  expect(error).toMatchObject({ status: 409, code: "ERR_DUPLICATE_KEY", offset: 7, path: "$.a" });
  expect(await caught(drained(fetchStream(url)))).toMatchObject({ status: 409, code: "ERR_DUPLICATE_KEY" });

  const others: [Record<string, string>, string | Uint8Array, string][] = [
    [
      { "content-type": "application/json" },
      '{"message":"no","code":"E_OWN","offset":"x"}',
      "500: Internal Server Error",
    ],
    [{ "content-type": "application/json" }, "{", "500: Internal Server Error"],
    [{ "content-type": "application/json" }, "null", "500: Internal Server Error"],
    [
      { "content-type": "application/problem+json" },
      `{"title":"${"x".repeat(100_000)}"}`,
      "500: Internal Server Error",
    ],
    [{ "content-type": "text/html" }, "<h1>stack</h1>", "500: Internal Server Error"],
    [{ ...MSGPACK }, encode({ code: "ERR_X" }), "500: Internal Server Error"],
    [{ "content-type": "application/json" }, '{"__proto__":{"code":"ERR_X"},"title":"own"}', "500: own"],
    [{}, "", "500: Internal Server Error"],
    // Members of types that are not theirs: objects that have no text, numbers, lists.
    [{ "content-type": "application/json" }, '{"code":{"toString":1},"detail":"own"}', "500: own"],
    [{ "content-type": "application/json" }, '{"code":5,"detail":{"toString":null},"title":"own"}', "500: own"],
    [
      { "content-type": "application/json" },
      '{"code":["ERR_X"],"detail":[[]],"title":5}',
      "500: Internal Server Error",
    ],
  ];
  for (const [headers, body, message] of others) {
    const each = await caught(fetchValue(await always(500, headers, body)));
    expect(each).toMatchObject({ status: 500, code: "ERR_HTTP_STATUS", message, offset: undefined, path: undefined });
  }
});

test("an answer in another format, or an invalid one, is an error", async () => {
  for (const type of [
    "application/json",
    "text/html; charset=utf-8",
    "application/vnd.moonpack.pck; fingerprint=0000000000000000",
  ]) {
    const url = await always(200, { "content-type": type }, "{}");
    expect(await caught(fetchValue(url))).toMatchObject({ code: "ERR_HTTP_TYPE", status: 200 });
    expect(await caught(drained(fetchStream(url, { response: players })))).toMatchObject({ code: "ERR_HTTP_TYPE" });
  }
  expect(await caught(fetchValue(await always(200, {}, "x")))).toMatchObject({ code: "ERR_HTTP_TYPE" });
  expect(await caught(fetchValue(await always(200, MSGPACK, new Uint8Array([0x92, 0xc1]))))).toMatchObject({
    code: "ERR_TRUNCATED",
  });
  expect(await caught(fetchValue(await always(200, MSGPACK)))).toMatchObject({ code: "ERR_TRUNCATED", offset: 0 });
  expect(await caught(fetchValue(await always(302, { location: "/" }), { redirect: "manual" }))).toMatchObject({
    code: "ERR_HTTP_STATUS",
    status: 302,
  });
  const stranger = await always(200, MSGPACK, encode({ name: "x" }));
  expect(await caught(fetchValue(stranger, { response: players }))).toMatchObject({
    code: "ERR_UNSUPPORTED_TYPE",
    path: "$.score",
  });
  expect(await caught(drained(fetchStream(stranger, { response: players })))).toMatchObject({ path: "$.score" });
});

test("answers without a body", async () => {
  for (const status of [204, 205, 304]) expect(await fetchValue(await always(status, {}))).toBeUndefined();
  expect(await fetchValue(await always(200, {}))).toBeUndefined();
  expect(await fetchValue(await always(200, MSGPACK), { method: "HEAD" })).toBeUndefined();
  await drained(fetchStream(await always(204, {})));
  await drained(fetchStream(await always(200, MSGPACK)));
});

test("limits, for a value and for each value of a stream", async () => {
  const url = await always(200, MSGPACK, encode("x".repeat(1000)));
  const limit = { code: "ERR_LIMIT_BYTES" };
  expect(await caught(fetchValue(url, { maxBytes: 1000 }))).toMatchObject(limit);
  expect(await fetchValue(url, { maxBytes: 1003 })).toHaveLength(1000);
  expect(await caught(drained(fetchStream(url, { maxBytes: 1000 })))).toMatchObject(limit);
  // Endless: read no further than the limit.
  let isClosed = false;
  const endless = await serve((_, response) => {
    response.writeHead(200, MSGPACK);
    const more = () => {
      while (response.write(Buffer.alloc(65_536)));
    };
    response.on("drain", more).on("close", () => {
      isClosed = true;
    });
    more();
  });
  expect(await caught(fetchValue(endless, { maxBytes: 1_000_000 }))).toMatchObject(limit);
  await expect.poll(() => isClosed, { timeout: 30_000 }).toBe(true);
});

test("connections that fail or are cut, and aborts", async () => {
  const cut = await serve((_, response) => {
    response.writeHead(200, { ...MSGPACK, "content-length": "100" }).write(encode({ a: 1 }));
    setImmediate(() => response.destroy());
  });
  expect(await caught(fetchValue(cut))).toMatchObject({ code: "ERR_HTTP_CONNECTION" });
  expect(await caught(drained(fetchStream(cut)))).toMatchObject({ code: "ERR_HTTP_CONNECTION" });
  const inside = await always(200, MSGPACK, encode({ a: "text" }).subarray(0, 5));
  expect(await caught(drained(fetchStream(inside)))).toMatchObject({ code: "ERR_TRUNCATED" });
  const refused = (await caught(fetchValue("http://127.0.0.1:1/"))) as Error;
  expect(refused).toMatchObject({ code: "ERR_HTTP_CONNECTION" });
  expect(refused.cause).toBeInstanceOf(TypeError);
  const hanging = await serve(
    (request, response) => void (request.url === "/head" || response.writeHead(200, MSGPACK).write(encode(1))),
  );
  for (const path of ["/head", "/body"]) {
    for (const run of [
      fetchValue,
      (url: string, options: { signal: AbortSignal }) => drained(fetchStream(url, options)),
    ]) {
      const reason = new Error("enough");
      const aborting = new AbortController();
      setTimeout(() => aborting.abort(reason), 20);
      expect(await caught(run(hanging + path, { signal: aborting.signal }))).toMatchObject({
        code: "ERR_ABORTED",
        cause: reason,
      });
    }
  }
});

test("the method, headers and body that are sent", async () => {
  const seen: unknown[] = [];
  const url = await serve(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { accept, "content-type": type } = request.headers;
    seen.push({
      method: request.method,
      accept,
      type,
      bytes: Buffer.concat(parts).toString("hex"),
      x: request.headers["x-own"],
    });
    response.writeHead(204).end();
  });
  const last = () => seen.at(-1);
  await fetchValue(url, { headers: { "x-own": "1" } });
  expect(last()).toEqual({ method: "GET", accept: "application/vnd.msgpack", type: undefined, bytes: "", x: "1" });
  await fetchValue(url, { value: null });
  expect(last()).toMatchObject({ method: "POST", type: "application/vnd.msgpack", bytes: "c0" });
  await fetchValue(url, {
    value: 1,
    method: "PATCH",
    headers: { accept: "application/x-msgpack", "content-type": "application/msgpack" },
  });
  expect(last()).toMatchObject({ method: "PATCH", accept: "application/x-msgpack", type: "application/msgpack" });
  await fetchValue(url, { response: players });
  const type = (print: string) => `application/vnd.moonpack.pck; fingerprint=${print}`;
  expect(last()).toMatchObject({
    accept: `${type(players.fingerprint)}, ${type(oldPlayers.fingerprint)};q=0.9, application/vnd.msgpack;q=0.5`,
  });
  await fetchValue(url, { body: streamBody([1, 2]) });
  expect(last()).toMatchObject({ method: "POST", type: "application/vnd.msgpack", bytes: "0102" });
  await fetchValue(url, { body: streamBody([{ name: "x", level: 1 }], oldPlayers) });
  expect(last()).toMatchObject({
    type: `application/vnd.moonpack.pck-stream; fingerprint=${oldPlayers.fingerprint}`,
    bytes: "03010178",
  });
  const options = Object.freeze({
    value: 2n ** 60n,
    request: msgpack(),
    fetch: (to: string | URL, init: RequestInit) => fetch(to, init),
  });
  await fetchValue(new URL(url), options);
  expect(last()).toMatchObject({ bytes: "cf1000000000000000" });
  expect(await caught(fetchValue(url, { value: () => 1 }))).toMatchObject({ code: "ERR_UNSUPPORTED_TYPE", path: "$" });
  expect(await caught(fetchValue(url, { value: undefined }))).toMatchObject({ code: "ERR_UNSUPPORTED_TYPE" });
});

test("values that fail while they are sent fail the request with their error, and the server sees a cut", async () => {
  const server = await SERVERS["http"]!();
  running.push(server);
  const mine = new Error("no more rows");
  const values = async function* () {
    yield { id: 1 };
    while (server.state.taken === 0) await sleep(5);
    throw mine;
  };
  expect(await caught(fetchValue(`${server.url}/sum`, { body: streamBody(values()) }))).toMatchObject({ cause: mine });
  expect(server.state.taken).toBe(1);
  await expect.poll(() => server.state.errors, { timeout: 30_000 }).toEqual(["ERR_HTTP_CONNECTION"]);
});

test("a stream is sent no faster than it is read", async () => {
  const server = await SERVERS["http"]!({ maxBytes: 1 << 20 });
  running.push(server);
  let release: () => void = () => undefined;
  server.state.proceed = new Promise((resolve) => {
    release = resolve;
  });
  let produced = 0;
  const values = async function* () {
    for (let id = 0; id < 400; id++) {
      produced++;
      yield { id, bytes: new Uint8Array(100_000) };
    }
  };
  const sum = fetchValue(`${server.url}/sum`, { body: streamBody(values()) });
  let before = -1;
  const isStill = () => {
    const still = produced === before && produced > 0;
    before = produced;
    return still;
  };
  await expect.poll(isStill, { timeout: 60_000, interval: 200 }).toBe(true);
  expect(produced).toBeLessThan(300);
  release();
  expect(await sum).toMatchObject({ count: 400 });
});

test("engines that cannot send streams send all values at once", async () => {
  const server = await SERVERS["http"]!();
  running.push(server);
  const engine = globalThis.Request;
  try {
    // As Firefox and Safari: `duplex` is not read, and the stream becomes text.
    globalThis.Request = function OldRequest(url: string) {
      return new engine(url, { method: "POST", body: "[object ReadableStream]" });
    } as unknown as typeof Request;
    expect(await fetchValue(`${server.url}/sum`, { body: streamBody([{ id: 1 }, { id: 2 }]) })).toEqual({
      sum: 3,
      count: 2,
    });
  } finally {
    globalThis.Request = engine;
  }
});

test("PCK from functions, without the compiler of schemas", async () => {
  const server = await SERVERS["http"]!();
  running.push(server);
  const compiled = codec(Player);
  const mine = pckOf({
    fingerprint: players.fingerprint,
    encode: (value: Parameters<typeof compiled.encode>[0]) => compiled.encode(value),
    decode: (bytes) => compiled.decode(bytes),
  });
  const answer = await fetchValue(`${server.url}/player`, { method: "PUT", value: ADA, request: mine, response: mine });
  expect(answer).toEqual(DECODED_ADA);
  expect(() => pckOf({ ...mine, fingerprint: "xyz", decode: () => 1 })).toThrow(
    expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }),
  );
});

test("options of the decoder", async () => {
  const url = await always(200, MSGPACK, encode({ a: 1 }));
  const exact = msgpack({ decoder: { int64: "bigint", maps: "map" } });
  expect(await fetchValue(url, { response: exact })).toEqual(new Map([["a", 1]]));
  for await (const value of fetchStream(url, { response: exact })) expect(value).toEqual(new Map([["a", 1]]));
});
