/** Routes that read only some values of a body, in each framework: what they get, and what they refuse. */
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { msgpack, pck, type ReadValueOptions, bodies as webBodies } from "@moonpack/http";
import { fetchValue } from "@moonpack/http/client";
import { bodies as expressBodies } from "@moonpack/http/express";
import { bodies as fastifyBodies } from "@moonpack/http/fastify";
import { bodies as honoBodies } from "@moonpack/http/hono";
import { bodies as koaBodies } from "@moonpack/http/koa";
import { bodies as nodeBodies } from "@moonpack/http/node";
import { schema, utf8 } from "@moonpack/pck";
import express from "express";
import Fastify from "fastify";
import { Hono } from "hono";
import Koa from "koa";
import { decode, Extensions, encode } from "moonpack";
import { Picker, Raw } from "moonpack/pick";
import { describe, expect, expectTypeOf, onTestFinished, test } from "vitest";
import { caught } from "./harness/caught.ts";

const envelope = new Picker({ tenant: "/tenant", ids: "/items/*/id", body: "" }, { raw: ["body"] });
const value = { tenant: "t1", items: [{ id: 1 }, {}, { id: 2n ** 60n }], payload: new Uint8Array(1000) };

/** What a route answers: its values, with the bytes of the whole body. */
function answerOf(picked: unknown): object {
  if (picked === undefined) return { none: true };
  const { tenant, ids, body } = picked as { tenant: unknown; ids: unknown[]; body: Raw };
  return {
    tenant,
    ids: ids.map((id) => id ?? null),
    isRaw: body instanceof Raw,
    data: body.data,
    names: Object.keys(picked as object),
  };
}

type Fetch = (init: RequestInit) => Promise<Response>;

async function listening(server: Server): Promise<Fetch> {
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return (init) => fetch(url, init);
}

const SERVERS: Record<string, (options: ReadValueOptions) => Promise<Fetch>> = {
  async node(options) {
    const http = nodeBodies();
    const listener: RequestListener = async (request, response) => {
      try {
        http.send(response, answerOf(await http.read(request, options)));
      } catch (error) {
        http.sendProblem(response, error);
      }
    };
    return listening(createServer(listener).listen(0, "127.0.0.1"));
  },
  async express(options) {
    const http = expressBodies();
    const app = express();
    app.post("/", http.body(options), (request, response) => http.send(response, answerOf(request.body)));
    return listening(app.listen(0, "127.0.0.1"));
  },
  async "express after other parsers"(options) {
    const http = expressBodies();
    const app = express();
    app.use(express.json(), http.body());
    app.post("/", http.body(options), (request, response) => http.send(response, answerOf(request.body)));
    return listening(app.listen(0, "127.0.0.1"));
  },
  async koa(options) {
    const http = koaBodies();
    const app = new Koa();
    app.use(http.errors).use(http.body(options));
    app.use((ctx) => http.send(ctx, answerOf((ctx.request as { body?: unknown }).body)));
    return listening(app.listen(0, "127.0.0.1"));
  },
  async fastify(options) {
    const http = fastifyBodies();
    const app = Fastify();
    await app.register(http.plugin);
    app.post("/", http.route(options), (request, reply) => http.send(reply, answerOf(request.body ?? undefined)));
    onTestFinished(() => app.close());
    const url = await app.listen({ port: 0, host: "127.0.0.1" });
    return (init) => fetch(url, init);
  },
  async hono(options) {
    const http = honoBodies();
    const app = new Hono();
    app.post("/", async (c) => http.send(c, answerOf(await http.read(c, options))));
    return async (init) => app.request("/", init);
  },
  async web(options) {
    const http = webBodies();
    return async (init) => {
      const request = new Request("http://localhost/", init);
      try {
        return http.response(request, answerOf(await http.read(request, options)));
      } catch (error) {
        return http.problem(error);
      }
    };
  },
};

describe.each(Object.entries(SERVERS))("%s", (name, serve) => {
  const isLate = name === "express after other parsers";
  const post = (body: Uint8Array | string, type = "application/msgpack"): RequestInit => ({
    method: "POST",
    headers: { "content-type": type, accept: "application/msgpack" },
    body: body as BodyInit,
  });
  const read = async (response: Response): Promise<unknown> => decode(new Uint8Array(await response.arrayBuffer()));

  test("the values, and the body as its bytes", async () => {
    const send = await serve({ pick: envelope });
    const bytes = encode(value);
    expect(await read(await send(post(bytes)))).toEqual({
      tenant: "t1",
      ids: [1, null, 2n ** 60n],
      isRaw: true,
      data: bytes,
      names: ["tenant", "ids", "body"],
    });
  });

  test("JSON is picked from as MessagePack", async () => {
    const send = await serve({ pick: envelope });
    const json = { tenant: "t2", items: [{ id: 7 }] };
    expect(await read(await send(post(JSON.stringify(json), "application/json")))).toEqual({
      tenant: "t2",
      ids: [7],
      isRaw: true,
      data: encode(json),
      names: ["tenant", "ids", "body"],
    });
  });

  test("invalid, long and foreign bodies have the status that they have without a Picker", async () => {
    const send = await serve({ pick: envelope, maxBytes: 2000 });
    const status = async (init: RequestInit): Promise<number> => (await send(init)).status;
    expect(await status(post(encode(value).subarray(0, 20)))).toBe(400);
    expect(await status(post(Uint8Array.of(0x81, 0xa1, 0x61, 0xc1)))).toBe(400);
    expect(await status(post('{"a":', "application/json"))).toBe(400);
    if (!isLate) expect(await status(post(encode("x".repeat(2000))))).toBe(413);
    if (!isLate) expect(await status(post("a=1", "text/csv"))).toBe(415);
  });

  test("no body: undefined", async () => {
    const send = await serve({ pick: envelope });
    const response = await send({ method: "POST", headers: { accept: "application/msgpack" } });
    expect(await read(response)).toEqual({ none: true });
  });
});

test("wrong options", () => {
  const http = expressBodies();
  const users = pck(schema("User", utf8("name")));
  const refused = { code: "ERR_INVALID_ARGUMENT" };
  expect(() => http.body({ pick: {} as never })).toThrow(expect.objectContaining(refused));
  expect(() => http.body({ pick: null as never })).toThrow(expect.objectContaining(refused));
  expect(() => http.body({ pick: envelope as never, pck: users })).toThrow(expect.objectContaining(refused));
  expect(() => fastifyBodies().route({ pick: envelope, stream: true })).toThrow(expect.objectContaining(refused));
});

test("a stream has no Picker: the limit of its values would be another one", async () => {
  const http = webBodies();
  const request = new Request("http://localhost/", { method: "POST", body: encode(1) });
  const values = http.readStream(request, { pick: envelope } as object);
  expect(await caught(values.next())).toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
});

test("types follow from the Picker, and a Raw is sent on as it is", async () => {
  const http = webBodies();
  const request = new Request("http://localhost/", {
    method: "POST",
    headers: { "content-type": "application/msgpack" },
    body: encode(value),
  });
  const picked = (await http.read(request, { pick: envelope }))!;
  expectTypeOf(picked).toEqualTypeOf<{ tenant: unknown; ids: unknown; body: Raw | undefined }>();
  const typed = { decode: (bytes: Uint8Array) => envelope.decode<{ tenant: string }>(bytes) };
  const readTenant = async () => (await http.read(request, { pick: typed }))!.tenant;
  expectTypeOf(readTenant).returns.resolves.toEqualTypeOf<string>();
  let sent: unknown;
  const answer = await fetchValue("http://localhost/", {
    value: picked.body,
    fetch: async (_url, init) => {
      sent = init!.body;
      return new Response(encode(1), { headers: { "content-type": "application/msgpack" } });
    },
  });
  expect([answer, sent]).toEqual([1, encode(value)]);
});

describe("a body that was read before", () => {
  const post = (fetchFrom: Fetch, body: Uint8Array<ArrayBuffer>): Promise<Response> =>
    fetchFrom({ method: "POST", headers: { "content-type": "application/vnd.msgpack" }, body });
  const other = new Picker({ id: "/id" });

  test("express: only the values of the first Picker are left, so another one is the application's fault", async () => {
    const http = expressBodies();
    const app = express();
    const faults: unknown[] = [];
    app.post("/", http.body({ pick: envelope }), http.body({ pick: other }), (_request, response) =>
      http.send(response, 1),
    );
    app.use(((error, _request, response, _next) => {
      faults.push((error as { code?: unknown }).code);
      response.status(500).end();
    }) as express.ErrorRequestHandler);
    const ask = await listening(app.listen(0, "127.0.0.1"));
    expect((await post(ask, encode(value))).status).toBe(500);
    expect(faults).toEqual(["ERR_INVALID_ARGUMENT"]);
  });

  test("koa: the same", async () => {
    const http = koaBodies();
    const app = new Koa();
    app.silent = true;
    app.use(http.body({ pick: envelope }));
    app.use(http.body({ pick: other }));
    app.use((context) => http.send(context, 1));
    const ask = await listening(app.listen(0, "127.0.0.1"));
    expect((await post(ask, encode(value))).status).toBe(500);
  });

  test("express: its values may have the extensions of bodies()", async () => {
    class Point {
      x = 0;
    }
    const extensions = new Extensions().register({
      type: 5,
      class: Point,
      encode: ({ x }: Point) => Uint8Array.of(x),
      decode: ([x]: Uint8Array) => Object.assign(new Point(), { x }),
    });
    const http = expressBodies({ msgpack: msgpack({ encoder: { extensions }, decoder: { extensions } }) });
    const app = express();
    const points = new Picker({ p: "/p" }, { extensions });
    app.use(http.body());
    app.post("/", http.body({ pick: points }), (request, response) =>
      http.send(response, (request as { body?: { p: Point } }).body?.p.x),
    );
    const ask = await listening(app.listen(0, "127.0.0.1"));
    const body = encode({ p: Object.assign(new Point(), { x: 7 }), rest: new Point() }, { extensions });
    const answer = await post(ask, body);
    expect([answer.status, decode(new Uint8Array(await answer.arrayBuffer()))]).toEqual([200, 7]);
  });
});
