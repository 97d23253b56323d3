/** Options of untyped callers: unknown names, wrong forms, inherited properties. */
import { schema, u8 } from "@moonpack/pck";
import { MoonpackError } from "moonpack/bytes";
import { describe, expect, test } from "vitest";
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
  expect(() => fastify.bodies().route({ stream: 1 } as never)).toThrow(invalid("stream"));
  expect(() => fastify.bodies().route({ pck: schema("A", u8("a")) } as never)).toThrow(invalid("pck must come from"));
});

test("options of formats", () => {
  expect(() => msgpack({ decode: {} } as never)).toThrow(unknown("decode", "decoder"));
  expect(() => pck(schema("A", u8("a")), 1 as never)).toThrow(invalid("object"));
});

test("an init of a response has the names of Response, and ours", () => {
  const response = bodies().response(request(), 1, { status: 201, statusText: "Made", headers: { a: "b" } });
  expect([response.status, response.statusText, response.headers.get("a")]).toEqual([201, "Made", "b"]);
});
