/** Values that can be read can be sent; answers to errors never fail. */
import { once } from "node:events";
import { createServer, get, type ServerResponse } from "node:http";
import { connect, createServer as createServer2 } from "node:http2";
import type { AddressInfo } from "node:net";
import { type PckFormat, RequestError, bodies as webBodies } from "@moonpack/http";
import { bodies as nodeBodies } from "@moonpack/http/node";
import * as fc from "fast-check";
import { decode, encode } from "moonpack";
import { expect, onTestFinished, test, vi } from "vitest";
import { ADA, players } from "./harness/player.ts";

const MSGPACK = "application/vnd.msgpack";
const JSONS = "application/json";
const PCK = players.type(false);

/** The value of a body, or undefined if it is refused, and its answers by media type. */
async function answers(type: string, body: Uint8Array<ArrayBuffer> | string, accepts: string[], pck?: PckFormat) {
  const http = webBodies();
  const request = (accept: string) =>
    new Request("http://localhost", { method: "POST", body, headers: { "content-type": type, accept } });
  let value: unknown;
  try {
    value = await http.read(request(""), pck && { pck });
  } catch (error) {
    expect(error).toBeInstanceOf(RequestError);
    return undefined;
  }
  return accepts.map((accept) => ({ accept, value, response: http.response(request(accept), value, pck && { pck }) }));
}

const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("__proto__", "1023", "toJSON", "\\ud800", "\u2028"),
);
const { json, msgpack } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.maxSafeInteger(),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(text, tie("json"), { maxKeys: 4, noNullPrototype: true }),
  ),
  msgpack: fc.oneof(
    { depthSize: "small" },
    tie("json"),
    fc.oneof(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
      fc.double(),
      fc.date({ noInvalidDate: true }),
      fc.uint8Array(),
    ),
    fc.array(tie("msgpack"), { maxLength: 4 }),
    fc
      .array(fc.tuple(tie("json"), tie("msgpack")), { maxLength: 4 })
      .map((pairs) => new Map(pairs as [unknown, unknown][])),
  ),
}));
/** Changes a character or a byte. */
const change = fc.option(fc.tuple(fc.nat(200), fc.constantFrom(...'{}[],:"\\ 019-+.eEu\u00e9\ud800')));
function changed(text: string, by: [number, string] | null): string {
  if (by === null) return text;
  const at = by[0] % (text.length + 1);
  return text.slice(0, at) + by[1] + text.slice(at + 1);
}

test("any JSON that read accepts is sent in each format", async () => {
  await fc.assert(
    fc.asyncProperty(json, change, async (value, by) => {
      for (const { accept, value: read, response } of (await answers(JSONS, changed(JSON.stringify(value), by), [
        MSGPACK,
        JSONS,
        "*/*",
      ])) ?? []) {
        expect([accept, response.status]).toEqual([accept, 200]);
        const bytes = new Uint8Array(await response.arrayBuffer());
        const isJson = response.headers.get("content-type")!.startsWith(JSONS);
        expect(isJson ? JSON.parse(new TextDecoder().decode(bytes)) : decode(bytes)).toEqual(read);
      }
    }),
    { numRuns: 500 },
  );
});

test("any MessagePack that read accepts is sent as MessagePack, and as JSON or with status 406", async () => {
  const bytesOf = msgpack.map((value) => encode(value) as Uint8Array<ArrayBuffer>);
  const mutated = fc.tuple(bytesOf, fc.option(fc.tuple(fc.nat(200), fc.nat(255)))).map(([bytes, by]) => {
    if (by !== null && bytes.length > 0) bytes[by[0] % bytes.length] = by[1];
    return bytes;
  });
  await fc.assert(
    fc.asyncProperty(mutated, async (bytes) => {
      const [same, asJson] = (await answers(MSGPACK, bytes, [MSGPACK, JSONS])) ?? [];
      if (same === undefined) return;
      expect(decode(new Uint8Array(await same.response.arrayBuffer()))).toEqual(same.value);
      expect(asJson!.response.status).toBeOneOf([200, 406]);
    }),
    { numRuns: 500 },
  );
});

test("any value of a schema is sent in each format", async () => {
  const items = fc.uniqueArray(fc.tuple(text, fc.nat()), { selector: ([key]) => key, maxLength: 3 });
  const player = fc.record(
    {
      name: text,
      level: fc.nat(255),
      score: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      title: text,
      image: fc.uint8Array(),
      items,
    },
    { requiredKeys: ["name", "level"] },
  );
  await fc.assert(
    fc.asyncProperty(player, async ({ items: pairs, ...rest }) => {
      const value = pairs === undefined ? { ...ADA, ...rest } : { ...ADA, ...rest, items: new Map(pairs) };
      const bodies: [string, Uint8Array<ArrayBuffer> | string][] = [
        [PCK, players.encode(value as never)],
        [MSGPACK, encode(value) as Uint8Array<ArrayBuffer>],
        [JSONS, JSON.stringify(players.toJSON!(value as never))],
      ];
      for (const [type, body] of bodies)
        for (const { accept, response } of (await answers(type, body, [PCK, MSGPACK, JSONS], players as never))!)
          expect([type, accept, response.status, response.headers.get("content-type")!.split(";")[0]]).toEqual([
            type,
            accept,
            200,
            accept.split(";")[0],
          ]);
    }),
    { numRuns: 100 },
  );
});

/** Errors of a route. */
function faults(): unknown[] {
  const error = (headers: object, status: unknown = 400) =>
    new RequestError(status as 400, "ERR_OUT_OF_RANGE", "wrong", { headers: headers as never });
  const hostile = new Error("mine");
  Object.defineProperty(hostile, "stack", {
    get() {
      throw new Error("a stack that throws");
    },
  });
  return [
    null,
    undefined,
    "text",
    Symbol("s"),
    Object.create(null),
    hostile,
    error({ "x-field": "a\r\nb" }),
    error({ "": "a" }),
    error({}, 42),
    error({}, Number.NaN),
    Object.assign(error({}), { offset: 1n }),
  ];
}

test("sendProblem and problem answer whatever was thrown, in HTTP/1 and HTTP/2", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => void vi.restoreAllMocks());
  const errors = faults();
  for (const options of [{}, { onError: () => Promise.reject(new Error("a fault of onError")) }]) {
    const http = nodeBodies(options);
    const web = webBodies(options);
    for (const error of errors) expect(web.problem(error).status).toBe(500);
    const listener = (request: { url?: string }, response: never) =>
      http.sendProblem(response, errors[Number(request.url!.slice(1))]);
    const server = createServer(listener as never).listen(0, "127.0.0.1");
    const server2 = createServer2(listener as never).listen(0, "127.0.0.1");
    await Promise.all([once(server, "listening"), once(server2, "listening")]);
    const session = connect(`http://127.0.0.1:${(server2.address() as AddressInfo).port}`);
    for (let i = 0; i < errors.length; i++) {
      const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${i}`);
      expect([i, response.status, await response.json()]).toMatchObject([i, 500, { code: "ERR_HTTP_INTERNAL" }]);
      const stream = session.request({ ":path": `/${i}` });
      const [headers] = await once(stream, "response");
      stream.close();
      // HTTP/2 can carry a line break in a header.
      expect([i, headers[":status"]]).toEqual([i, i === 6 ? 400 : 500]);
    }
    session.destroy();
    server.close();
    server2.close();
  }
});

test("an error behind the head closes the connection, and one behind the end changes nothing", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => void vi.restoreAllMocks());
  const http = nodeBodies();
  const server = createServer((request, response: ServerResponse) => {
    if (request.url === "/cut") response.write("some");
    else response.end("all");
    http.sendProblem(response, new Error("too late"));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const read = async (path: string) => {
    const [response] = await once(get({ port, path, agent: false }), "response");
    let body = "";
    for await (const part of response) body += part;
    return body;
  };
  await expect(read("/cut")).rejects.toThrow();
  expect(await read("/all")).toBe("all");
});
