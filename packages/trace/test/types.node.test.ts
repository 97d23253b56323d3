/**
 * The types of the adapters, with the types of the frameworks. Checked by tsc, which fails for a wrong type and for a missing
 * expected error; at run time the same calls must work.
 */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import {
  createServer as createHttp2,
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from "node:http2";
import { createServer as createHttps } from "node:https";
import { createRequire } from "node:module";
import type { serve } from "@hono/node-server";
import type express from "express";
import type express4 from "express-4-types";
import fastify2, { type FastifyRequest as Request2 } from "fastify-2";
import { fastify as fastify3, type FastifyRequest as Request3 } from "fastify-3";
import fastify4, { type FastifyRequest as Request4 } from "fastify-4";
import fastify5, { type FastifyRequest as Request5 } from "fastify-5";
import type * as hapi20 from "hapi-20-types";
import * as hapi21 from "hapi-21";
import { Hono, type HonoRequest } from "hono";
import type Koa from "koa";
import type { Dispatcher as Dispatcher7 } from "undici";
import type { Dispatcher as Dispatcher6 } from "undici-6";
import type { Dispatcher as Dispatcher8 } from "undici-8";
import { describe, expect, test } from "vitest";
import rTracer, * as trace from "../src/index.ts";

const { expressMiddleware, fastifyPlugin, fetchHandler, hapiPlugin, honoMiddleware, httpListener, koaMiddleware } =
  trace;
const require = createRequire(import.meta.url);

/** True for equal types. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_: Same<A, B>): void {}

describe("httpListener", () => {
  test("the server gives the types of messages", () => {
    createServer(
      httpListener((request, response) => {
        same<typeof request, IncomingMessage>(true);
        response.writeHead(200, "OK", { "content-type": "text/plain" }).end(request.socket.remoteAddress);
      }),
    );
    createServer(
      {},
      httpListener(
        (request, response) => {
          same<typeof request, IncomingMessage>(true);
          response.writeHead(200, "OK", { "content-type": "text/plain" }).flushHeaders();
        },
        { requestIdFactory: (request) => request.socket.remoteAddress },
      ),
    );
    createHttps(
      {},
      httpListener((request, response) => {
        same<typeof request, IncomingMessage>(true);
        response.writeHead(200, "OK", { a: "b" }).assignSocket;
      }),
    );
    createHttp2(
      httpListener((request, response) => {
        same<typeof request, Http2ServerRequest>(true);
        response.stream.respond({});
      }),
    );
    const listener = httpListener((request, response) => response.end(request.url));
    same<typeof listener, (request: IncomingMessage, response: ServerResponse) => void>(true);
    createServer(listener).on(
      "request",
      httpListener((request, response) => response.end(request.url)),
    );
    const listened: RequestListener = httpListener((_request, response) => response.end());
    expect([listener, listened].map((each) => typeof each)).toEqual(["function", "function"]);
  });

  test("http2 with options: the listener gives the types", () => {
    const respond = (request: Http2ServerRequest, response: Http2ServerResponse): void =>
      response.stream.respond({ a: request.authority });
    createHttp2({}, httpListener(respond, { requestIdFactory: ({ authority }) => authority }));
    createSecureServer(
      { allowHTTP1: true },
      httpListener<Http2ServerRequest, Http2ServerResponse>((request, response) => response.end(request.authority)),
    );
    const plain = httpListener((_request, response) => response.end());
    // @ts-expect-error the messages are of http
    createHttp2({}, plain);
  });

  test("applications of frameworks are listeners", () => {
    const app = (require("express-5") as typeof express)();
    const koa = new (require("koa-3") as typeof Koa)();
    const servers = [
      createServer(httpListener(app)),
      createServer({}, httpListener(app, { requestIdFactory: ({ url }) => url })),
      createServer(httpListener((require("express-4") as typeof express4)())),
      createServer(httpListener(koa.callback())),
      createHttps({}, httpListener(app)),
    ];
    expect(servers.map((each) => each.listenerCount("request"))).toEqual([1, 1, 1, 1, 1]);
  });
});

describe("middlewares", () => {
  test("Express 4 and 5, connect", () => {
    const app = (require("express-5") as typeof express)();
    app.use(expressMiddleware({ useHeader: true }), rTracer.expressMiddleware());
    app.use("/sub", expressMiddleware(), trace.requestProfiler().middleware);
    app.get("/", expressMiddleware(), (_request, response) => void response.send("x"));
    app.use(expressMiddleware({ requestIdFactory: (request) => request.headers["x"] }));
    app.use(expressMiddleware({ requestIdFactory: (request: express.Request) => request.get("x") }));
    app.use(
      expressMiddleware<express.Request>({
        requestIdFactory: (request) => request.get("x"),
        acceptId: (value, request) => request.ip === value,
      }),
    );
    const older = (require("express-4") as typeof express4)();
    older.use(expressMiddleware());
    older.use("/sub", expressMiddleware({ requestIdFactory: (request: express4.Request) => request.get("x") }));
    // @ts-expect-error unknown option
    expect(() => expressMiddleware({ useHeadr: true })).toThrow("did you mean useHeader?");
  });

  test("Koa: the request of all versions, or of its types", () => {
    const app = new (require("koa-3") as typeof Koa)();
    app.use(koaMiddleware()).use(koaMiddleware({ requestIdFactory: (request) => request.get("x") }));
    app.use(koaMiddleware({ requestIdFactory: (request: Koa.Request) => request.ctx.state }));
    trace.koaV1Middleware({ requestIdFactory: (request) => request.ip });
    // @ts-expect-error a property that not all versions have
    koaMiddleware({ requestIdFactory: (request) => request.other });
  });

  test("Hono, with and without variables; Fetch handlers", async () => {
    const app = new Hono();
    app.use(honoMiddleware()).use("*", honoMiddleware({ useHeader: true }));
    app.get("/x", honoMiddleware({ requestIdFactory: (request) => request.header("x") ?? request.path }), (c) =>
      c.text("x"),
    );
    const typed = new Hono<{ Variables: { user: string } }>();
    typed.use(honoMiddleware({ requestIdFactory: (request: HonoRequest) => request.routeIndex }));
    typed.get("/:name", honoMiddleware(), (c) => c.text(c.req.param("name") + c.get("user")));
    const served: Parameters<typeof serve>[0] = { fetch: fetchHandler(app.fetch) };
    expect(((await await served.fetch(new Request("http://a.example/x"), {} as never)) as Response).status).toBe(200);
  });
});

describe("plugins", () => {
  test("Fastify 2 to 5: the request of all versions, or of its types", async () => {
    const seen: unknown[] = [];
    const app2 = fastify2();
    app2.register(fastifyPlugin);
    app2.register(fastifyPlugin, { useHeader: true, requestIdFactory: (request) => seen.push([2, request.id]) });
    app2.register(fastifyPlugin, { requestIdFactory: (request: Request2) => request.ip });
    const app3 = fastify3();
    app3.register(fastifyPlugin);
    app3.register(fastifyPlugin, { useHeader: true, requestIdFactory: (request) => seen.push([3, request.id]) });
    app3.register(fastifyPlugin, { requestIdFactory: (request: Request3) => request.ip });
    const app4 = fastify4();
    await app4.register(fastifyPlugin);
    app4.register(fastifyPlugin, { useHeader: true, requestIdFactory: (request) => seen.push([4, request.id]) });
    app4.register(fastifyPlugin, { requestIdFactory: (request: Request4) => request.ip });
    const app5 = fastify5();
    await app5.register(fastifyPlugin);
    app5.register(fastifyPlugin, { useHeader: true, requestIdFactory: (request) => seen.push([5, request.id]) });
    app5.register(fastifyPlugin, { requestIdFactory: (request: Request5) => request.ip });
    app5.register(rTracer.fastifyPlugin, { useFastifyRequestId: true, prefix: "/sub", logLevel: "warn" });
    app5.register(fastifyPlugin, {
      acceptId: (value, request) => value === request.headers["x"],
      requestIdFactory: ({ raw }) => raw.url,
    });
    const options: trace.TraceOptions<Request5> = { requestIdFactory: ({ ip }) => ip };
    app5.register(fastifyPlugin, options);
    const secure = fastify5({ http2: true });
    await secure.register(fastifyPlugin, {
      useHeader: true,
      requestIdFactory: (request) => seen.push(["secure", request.id]),
    });
    const misspelt = fastify5();
    // @ts-expect-error unknown option
    misspelt.register(fastifyPlugin, { useHeadr: true });
    await expect(misspelt.ready()).rejects.toThrow("did you mean useHeader?");
    // @ts-expect-error a property that not all versions have
    app5.register(fastifyPlugin, { requestIdFactory: (request) => request.other });
    for (const app of [app3, app4, app5, secure]) await app.inject("/none");
    await app2.inject("/none");
    expect(seen).toEqual([
      [3, "req-1"],
      [4, "req-1"],
      [5, "req-1"],
      ["secure", "req-1"],
      [2, 1],
    ]);
  });

  test("Hapi 20 and 21: the request of the plugin, or of its types", async () => {
    const server = hapi21.server();
    await server.register(hapiPlugin);
    await server.register({ plugin: hapiPlugin, options: { useHeader: true } });
    await server.register({ plugin: hapiPlugin, options: { requestIdFactory: (request) => request.raw.req.url } });
    await server.register({
      plugin: hapiPlugin,
      options: { requestIdFactory: (request: hapi21.Request) => request.path },
    });
    await server.register([{ plugin: hapiPlugin, options: { useHeader: true } }]);
    const older: hapi20.Server = (require("hapi-20") as typeof hapi20).server();
    await older.register(hapiPlugin);
    await older.register({ plugin: rTracer.hapiPlugin, options: { useHeader: true } });
    await older.register({ plugin: hapiPlugin, options: { requestIdFactory: (request) => request.raw.req.url } });
    await older.register({
      plugin: hapiPlugin,
      options: { requestIdFactory: (request: hapi20.Request) => request.path },
    });
    // @ts-expect-error unknown option
    const misspelt = hapi21.server().register({ plugin: hapiPlugin, options: { useHeadr: true } });
    await expect(misspelt).rejects.toThrow('"useHeadr" is not a known option: did you mean useHeader?');
    expect(Object.keys(server.registrations)).toEqual(["@moonpack/trace"]);
  });
});

test("undici 6 to 8: an interceptor of their types", () => {
  const options = { origins: (origin: URL) => origin.host === "a" };
  const interceptor: trace.UndiciInterceptor = trace.undiciInterceptor(options);
  same<ReturnType<typeof interceptor<Dispatcher7["dispatch"]>>, Dispatcher7["dispatch"]>(true);
  const six = (agent: Dispatcher6): unknown =>
    agent.compose(trace.undiciInterceptor({ ...options, headerName: "X-Id" })).compose([interceptor]);
  const seven = (agent: Dispatcher7): unknown =>
    agent.compose(trace.undiciInterceptor({ origins: () => true })).compose([interceptor]);
  const eight = (agent: Dispatcher8): unknown =>
    agent.compose(trace.undiciInterceptor({ ...options, headerName: "X-Id" })).compose([interceptor]);
  const typed: [Dispatcher6.DispatcherComposeInterceptor, Dispatcher8.DispatcherComposeInterceptor] = [
    trace.undiciInterceptor(options),
    trace.undiciInterceptor(options),
  ];
  // undici itself would set the process's dispatcher.
  const given: unknown[] = [...typed];
  const agent = { compose: (...all: unknown[]) => given.push(...all.flat()) && agent };
  for (const compose of [six, seven, eight]) compose(agent as never);
  expect(given.map((each) => typeof each)).toEqual(Array(8).fill("function"));
});
