/** Features of some servers: HTTP/2, compression, ETags, other parsers, options. */
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, constants, createServer as createHttp2Server, type Http2ServerResponse } from "node:http2";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { msgpack, RequestError, bodies as webBodies } from "@moonpack/http";
import { fetchStream, fetchValue } from "@moonpack/http/client";
import { bodies as expressBodies } from "@moonpack/http/express";
import { bodies as fastifyBodies } from "@moonpack/http/fastify";
import { bodies as koaBodies } from "@moonpack/http/koa";
import { bodies as nodeBodies } from "@moonpack/http/node";
import compression from "compression";
import { decode, Extensions, encode } from "moonpack";
import { decodeStream, encodeStream } from "moonpack/stream";
import { afterEach, describe, expect, test } from "vitest";
import { live, newState, quiet, rows } from "./harness/app.ts";
import { caught } from "./harness/caught.ts";
import { ADA, Player, players } from "./harness/player.ts";
import { listening, type Running } from "./harness/servers.ts";

const require = createRequire(import.meta.url);
// biome-ignore lint/suspicious/noExplicitAny: frameworks of several versions, whose types differ
type Untyped = any;
const running: Running[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});
const started = async (server: Promise<Running>): Promise<string> => {
  const one = await server;
  running.push(one);
  return one.url;
};

test("HTTP/2: values and streams both ways, limits, errors", async () => {
  const http = nodeBodies({ maxBytes: 1000 });
  const server = createHttp2Server(async (request, response) => {
    try {
      if (request.url === "/stream") {
        let count = 0;
        for await (const _ of http.readStream(request)) count++;
        await http.sendStream(response, rows(count));
      } else http.send(response, await http.read(request));
    } catch (error) {
      http.sendProblem(response, error);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const ask = async (path: string, body: Uint8Array) => {
    const stream = session.request({ ":method": "POST", ":path": path, "content-type": "application/vnd.msgpack" });
    stream.end(body);
    const [headers] = (await once(stream, "response")) as [Record<string, string | number>];
    return { status: headers[":status"], type: headers["content-type"], bytes: await buffer(stream) };
  };
  const value = await ask("/", encode({ a: 1 }));
  expect([value.status, value.type, decode(value.bytes)]).toEqual([200, "application/vnd.msgpack", { a: 1 }]);
  const parts: Uint8Array[] = [];
  for await (const part of encodeStream(rows(300))) parts.push(part);
  const stream = await ask("/stream", Buffer.concat(parts));
  let count = 0;
  for await (const _ of decodeStream([stream.bytes])) count++;
  expect(count).toBe(300);
  const bad = await ask("/", new Uint8Array([0x91, 0xc1]));
  expect([bad.status, JSON.parse(bad.bytes.toString())]).toMatchObject([400, { code: "ERR_INVALID_BYTE", offset: 1 }]);
  expect((await ask("/", encode("x".repeat(2000)))).status).toBe(413);
  session.close();
  server.close();
  await once(server, "close");
});

test("HTTP/2: a client that leaves ends sendStream, before the first value, after it, and before sendStream is called", async () => {
  const http = nodeBodies();
  const server = createHttp2Server();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const asked = async () => {
    const stream = session.request({ ":path": "/" });
    stream.on("error", () => undefined);
    stream.end();
    const [, response] = (await once(server, "request")) as [unknown, Http2ServerResponse];
    return { stream, response };
  };
  const state = newState();
  const before = await asked();
  const sent = http.sendStream(before.response, quiet(state));
  before.stream.close(constants.NGHTTP2_CANCEL);
  expect(await sent).toBe(false);
  await expect.poll(() => [state.aborted, state.closed], { timeout: 30_000 }).toEqual([1, 1]);

  const after = await asked();
  const rest = http.sendStream(after.response, live(state));
  await once(after.stream, "response");
  after.stream.close(constants.NGHTTP2_CANCEL);
  expect(await rest).toBe(false);
  await expect.poll(() => [state.aborted, state.closed], { timeout: 30_000 }).toEqual([2, 2]);

  const gone = await asked();
  gone.stream.close(constants.NGHTTP2_CANCEL);
  await once(gone.response, "close");
  expect(await http.sendStream(gone.response, rows(3))).toBe(false);
  expect(() => http.sendProblem(gone.response, new RequestError(400, "ERR_TRUNCATED", "cut"))).not.toThrow();
  session.destroy();
  server.close();
  await once(server, "close");
});

test("compression is left to the framework", async () => {
  const http = expressBodies();
  const app = require("express-5")();
  app.use(compression({ threshold: 0, filter: () => true }));
  app.get("/value", (_: Untyped, response: Untyped) => http.send(response, "x".repeat(5000)));
  app.get(
    "/rows",
    (_: Untyped, response: Untyped, next: Untyped) => void http.sendStream(response, rows(1000)).catch(next),
  );
  const url = await started(listening(createServer(app), newState()));
  const response = await fetch(`${url}/value`, { headers: { "accept-encoding": "gzip" } });
  expect(response.headers.get("content-encoding")).toBe("gzip");
  expect(response.headers.get("vary")).toMatch(/Accept\b.*Accept-Encoding|Accept-Encoding.*Accept\b/);
  expect(await fetchValue(`${url}/value`)).toHaveLength(5000);
  let count = 0;
  for await (const _ of fetchStream(`${url}/rows`)) count++;
  expect(count).toBe(1000);
});

describe.each(["express-4", "express-5"])("%s", (name) => {
  test("ETag and 304 are Express's; a body that express.json() has read is left", async () => {
    const http = expressBodies();
    const app = require(name)();
    app.use(require(name).json());
    app.use((_: Untyped, response: Untyped, next: Untyped) => {
      response.set("Vary", "Origin");
      next();
    });
    app.get("/", (_: Untyped, response: Untyped) => http.send(response, { a: 1 }));
    app.post("/", http.body(), (request: Untyped, response: Untyped) => http.send(response, request.body));
    const url = await started(listening(createServer(app), newState()));
    const first = await fetch(url);
    expect(first.headers.get("vary")).toBe("Origin, Accept");
    const etag = first.headers.get("etag")!;
    const again = await fetch(url, { headers: { "if-none-match": etag, "cache-control": "max-age=0" } });
    expect([again.status, (await again.arrayBuffer()).byteLength, again.headers.get("vary")]).toEqual([
      304,
      0,
      "Origin, Accept",
    ]);
    expect(await fetchValue(url, { headers: { "if-none-match": etag, "cache-control": "max-age=0" } })).toBeUndefined();
    const json = await fetch(url, { method: "POST", body: '{"b":2}', headers: { "content-type": "application/json" } });
    expect(decode(await json.arrayBuffer())).toEqual({ b: 2 });
  });
});

test("a body that has been read already is an error of the program, not of the client", async () => {
  const http = nodeBodies();
  const seen: unknown[] = [];
  const url = await started(
    listening(
      createServer(async (request, response) => {
        await buffer(request);
        await http.read(request).catch((error: unknown) => seen.push(error));
        response.end();
      }),
      newState(),
    ),
  );
  await fetch(url, {
    method: "POST",
    body: new Uint8Array([1]),
    headers: { "content-type": "application/vnd.msgpack" },
  });
  expect(seen).toMatchObject([{ code: "ERR_INVALID_ARGUMENT" }]);
  expect(seen[0]).not.toBeInstanceOf(RequestError);
  const web = webBodies();
  const request = new Request("http://localhost", {
    method: "POST",
    body: encode(1),
    headers: { "content-type": "application/msgpack" },
  });
  expect(await web.read(request)).toBe(1);
  await expect(web.read(request)).rejects.toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
});

test("fallback, json and msgpack", async () => {
  const typeOf = async (options: object, accept = "*/*") => {
    const response = webBodies(options).response(new Request("http://localhost", { headers: { accept } }), 1);
    return response.headers.get("content-type") ?? response.status;
  };
  expect(await typeOf({ fallback: "json" })).toBe("application/json; charset=utf-8");
  expect(await typeOf({ fallback: "json" }, "application/vnd.msgpack")).toBe("application/vnd.msgpack");
  expect(await typeOf({ json: false }, "application/json")).toBe("application/problem+json");
  const exact = webBodies({ msgpack: msgpack({ decoder: { maps: "map" }, encoder: { canonical: true } }) });
  const body = { method: "POST", body: encode({ b: 1, a: 2 }), headers: { "content-type": "application/vnd.msgpack" } };
  expect(await exact.read(new Request("http://localhost", body))).toEqual(
    new Map([
      ["b", 1],
      ["a", 2],
    ]),
  );
  const sent = await exact.response(new Request("http://localhost"), { b: 1, a: 2 }).arrayBuffer();
  expect(Buffer.from(sent).toString("hex")).toBe("82a16102a16201");
  const closed = webBodies({ json: false });
  const json = { method: "POST", body: "1", headers: { "content-type": "application/json" } };
  await expect(closed.read(new Request("http://localhost", json))).rejects.toMatchObject({ status: 415 });
});

test("an error of an extension's own code is not sent to the client", async () => {
  const secret = new Error("the key is 1234");
  const extensions = new Extensions().register({
    type: 5,
    class: class Mine {},
    encode: () => new Uint8Array(1),
    decode() {
      throw secret;
    },
  });
  const noted: RequestError[] = [];
  const http = webBodies({ msgpack: msgpack({ decoder: { extensions } }), onError: (error) => noted.push(error) });
  const request = () =>
    new Request("http://localhost", {
      method: "POST",
      body: new Uint8Array([0x91, 0xd4, 5, 0]),
      headers: { "content-type": "application/vnd.msgpack" },
    });
  for (const error of [await caught(http.read(request())), await caught(http.readStream(request()).next())]) {
    const response = http.problem(error);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      status: 400,
      title: "Bad Request",
      detail: "an extension that cannot be decoded (at byte 1)",
      code: "ERR_USER_CODE",
      offset: 1,
    });
  }
  // The log of the server has it.
  expect(noted.map(({ cause }) => (cause as Error).cause)).toEqual([secret, secret]);
});

test("invalid options and arguments", async () => {
  const invalid = expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }) as unknown;
  const wrong = [
    { maxBytes: 0 },
    { maxBytes: 1.5 },
    { maxBytes: "1" },
    { fallback: "xml" },
    { json: 1 },
    { fallback: "json", json: false },
    { onError: 1 },
    { msgpack: {} },
    null,
    5,
  ];
  for (const make of [webBodies, nodeBodies, expressBodies, fastifyBodies, koaBodies])
    for (const options of wrong) expect(() => make(options as never), JSON.stringify(options)).toThrow(invalid);
  const web = webBodies();
  const request = () =>
    new Request("http://localhost", {
      method: "POST",
      body: encode(1),
      headers: { "content-type": "application/vnd.msgpack" },
    });
  await expect(web.read(request(), { pck: Player as never })).rejects.toEqual(invalid);
  await expect(web.read(request(), { maxBytes: -1 })).rejects.toEqual(invalid);
  expect(() => web.response(request(), 1, { pck: Player as never })).toThrow(invalid);
  for (const status of [204, 205, 304]) expect(() => web.response(request(), 1, { status })).toThrow(invalid);
  await expect(web.streamResponse(request(), [1], { early: 1 as never })).rejects.toEqual(invalid);
  expect(
    web.response(request(), ADA, { pck: players, status: 201, headers: { vary: "Origin" } }).headers.get("vary"),
  ).toBe("Origin, Accept");
  // Inherited options do not count, and the caller's object does not change.
  const inherited = Object.create({ maxBytes: 1 }) as object;
  expect(await webBodies(inherited).read(request())).toBe(1);
});

test("early sends the head before the first value", async () => {
  let release: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => {
    release = resolve;
  });
  const http = nodeBodies();
  const values = async function* () {
    await waiting;
    yield 1;
  };
  const url = await started(
    listening(
      createServer((_, response) => void http.sendStream(response, values(), { early: true })),
      newState(),
    ),
  );
  const response = await fetch(url);
  expect(response.status).toBe(200);
  release();
  expect(decode(await response.arrayBuffer())).toBe(1);
});

test("a waiting source gets a signal when its client leaves, and may then end with an error", async () => {
  const http = nodeBodies();
  const ends: unknown[] = [];
  const values = async function* (signal: AbortSignal) {
    yield 1;
    await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  };
  const url = await started(
    listening(
      createServer(
        (_, response) =>
          void http.sendStream(response, values).then(
            (end) => ends.push(end),
            (error) => ends.push(error),
          ),
      ),
      newState(),
    ),
  );
  for await (const value of fetchStream(url)) {
    expect(value).toBe(1);
    break;
  }
  await expect.poll(() => ends, { timeout: 30_000 }).toEqual([false]);
});
