/** The same routes in each framework. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { type BodiesOptions, RequestError, bodies as webBodies } from "@moonpack/http";
import { bodies as expressBodies } from "@moonpack/http/express";
import { bodies as fastifyBodies } from "@moonpack/http/fastify";
import { bodies as koaBodies } from "@moonpack/http/koa";
import { bodies as nodeBodies } from "@moonpack/http/node";
import {
  failing,
  failingFirst,
  firstOf,
  levels,
  live,
  newState,
  quiet,
  rows,
  type State,
  sumOf,
  VALUES,
} from "./app.ts";
import { honoApp } from "./hono-app.ts";
import { players } from "./player.ts";

const require = createRequire(import.meta.url);

/** A server that listens on a free port. */
export interface Running {
  readonly url: string;
  readonly port: number;
  readonly state: State;
  close(): Promise<void>;
}

type Start = (options?: BodiesOptions) => Promise<Running>;

// biome-ignore lint/suspicious/noExplicitAny: frameworks of several versions, whose types differ
type Untyped = any;

export async function listening(server: Server, state: State, close?: () => Promise<unknown>): Promise<Running> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    state,
    async close() {
      server.closeAllConnections();
      if (close !== undefined) await close();
      else {
        server.close();
        await once(server, "close");
      }
    },
  };
}

/** Limits that tests can reach, and a note of each answered error. */
export function optionsOf(state: State, options: BodiesOptions = {}): BodiesOptions {
  return { maxBytes: 100_000, ...options, onError: ({ code }) => state.errors.push(code) };
}

const express =
  (name: string): Start =>
  async (options) => {
    const state = newState();
    const http = expressBodies(optionsOf(state, options));
    const framework = require(name);
    const app = framework();
    const stream =
      (run: (request: Untyped, response: Untyped) => Promise<unknown>) =>
      (request: Untyped, response: Untyped, next: Untyped) =>
        void run(request, response).catch(next);
    app.get("/value", (request: Untyped, response: Untyped) => http.send(response, VALUES[request.query.kind]));
    app.post("/echo", http.body(), (request: Untyped, response: Untyped) => {
      http.send(response, { got: request.body, type: typeof request.body });
    });
    app.post("/json-first", framework.json(), http.body(), (request: Untyped, response: Untyped) => {
      http.send(response, { got: request.body });
    });
    app.put("/player", http.body({ pck: players }), (request: Untyped, response: Untyped) => {
      http.send(response, request.body, { pck: players });
    });
    app.get(
      "/rows",
      stream((request, response) => http.sendStream(response, rows(Number(request.query.n)))),
    );
    app.get(
      "/live",
      stream((_, response) => http.sendStream(response, live(state))),
    );
    app.get(
      "/quiet",
      stream((_, response) => http.sendStream(response, quiet(state))),
    );
    app.get(
      "/cut",
      stream((_, response) => http.sendStream(response, failing())),
    );
    app.get(
      "/early-error",
      stream((_, response) => http.sendStream(response, failingFirst())),
    );
    app.post(
      "/sum",
      stream(async (request, response) => http.send(response, await sumOf(http.readStream(request), state))),
    );
    app.post(
      "/first",
      stream(async (request, response) => http.send(response, await firstOf(http.readStream(request)))),
    );
    app.post(
      "/levels",
      stream(async (request, response) => {
        http.send(response, await levels(http.readStream(request, { pck: players })));
      }),
    );
    app.get("/empty", (_: Untyped, response: Untyped) => response.status(204).end());
    app.use(http.errors);
    return listening(createServer(app), state);
  };

const fastify =
  (name: string): Start =>
  async (options) => {
    const state = newState();
    const http = fastifyBodies(optionsOf(state, options));
    const app = require(name)({ forceCloseConnections: true });
    await app.register(http.plugin);
    app.get("/value", (request: Untyped, reply: Untyped) => http.send(reply, VALUES[request.query.kind]));
    app.post("/echo", async (request: Untyped, reply: Untyped) =>
      http.send(reply, { got: request.body, type: typeof request.body }),
    );
    app.put("/player", http.route({ pck: players }), (request: Untyped, reply: Untyped) =>
      http.send(reply, request.body, { pck: players }),
    );
    app.get("/rows", (request: Untyped, reply: Untyped) => http.sendStream(reply, rows(Number(request.query.n))));
    app.get("/live", async (_: Untyped, reply: Untyped) => http.sendStream(reply, live(state)));
    app.get("/quiet", async (_: Untyped, reply: Untyped) => http.sendStream(reply, quiet(state)));
    app.get("/cut", async (_: Untyped, reply: Untyped) => http.sendStream(reply, failing()));
    app.get("/early-error", async (_: Untyped, reply: Untyped) => http.sendStream(reply, failingFirst()));
    const streams = http.route({ stream: true });
    app.post("/sum", streams, async (request: Untyped, reply: Untyped) =>
      http.send(reply, await sumOf(http.readStream(request), state)),
    );
    app.post("/first", streams, async (request: Untyped, reply: Untyped) =>
      http.send(reply, await firstOf(http.readStream(request))),
    );
    app.post("/levels", http.route({ stream: true, pck: players }), async (request: Untyped, reply: Untyped) =>
      http.send(reply, await levels(http.readStream(request))),
    );
    app.get("/empty", (_: Untyped, reply: Untyped) => reply.code(204).send());
    app.setErrorHandler(http.errors);
    await app.ready();
    return listening(app.server, state, () => app.close());
  };

const koa =
  (name: string): Start =>
  async (options) => {
    const state = newState();
    const http = koaBodies(optionsOf(state, options));
    const app = new (require(name))();
    app.silent = true;
    app.use(http.errors);
    const routes: Record<string, (ctx: Untyped) => unknown> = {
      "GET /value": (ctx) => http.send(ctx, VALUES[ctx.query.kind]),
      "POST /echo": (ctx) =>
        http.body()(ctx, async () => http.send(ctx, { got: ctx.request.body, type: typeof ctx.request.body })),
      "PUT /player": (ctx) =>
        http.body({ pck: players })(ctx, async () => http.send(ctx, ctx.request.body, { pck: players })),
      "GET /rows": (ctx) => http.sendStream(ctx, rows(Number(ctx.query.n))),
      "GET /live": (ctx) => http.sendStream(ctx, live(state)),
      "GET /quiet": (ctx) => http.sendStream(ctx, quiet(state)),
      "GET /cut": (ctx) => http.sendStream(ctx, failing()),
      "GET /early-error": (ctx) => http.sendStream(ctx, failingFirst()),
      "POST /sum": async (ctx) => http.send(ctx, await sumOf(http.readStream(ctx), state)),
      "POST /first": async (ctx) => http.send(ctx, await firstOf(http.readStream(ctx))),
      "POST /levels": async (ctx) => http.send(ctx, await levels(http.readStream(ctx, { pck: players }))),
      "GET /empty": (ctx) => {
        ctx.status = 204;
      },
    };
    app.use((ctx: Untyped) => routes[`${ctx.method === "HEAD" ? "GET" : ctx.method} ${ctx.path}`]?.(ctx));
    return listening(createServer(app.callback()), state);
  };

const node: Start = async (options) => {
  const state = newState();
  const http = nodeBodies(optionsOf(state, options));
  const routes: Record<
    string,
    (request: IncomingMessage, response: ServerResponse, query: URLSearchParams) => unknown
  > = {
    "GET /value": (_, response, query) => http.send(response, VALUES[query.get("kind")!]),
    "POST /echo": async (request, response) => {
      const got = await http.read(request);
      http.send(response, { got, type: typeof got });
    },
    "PUT /player": async (request, response) =>
      http.send(response, (await http.read(request, { pck: players }))!, { pck: players }),
    "GET /rows": (_, response, query) => http.sendStream(response, rows(Number(query.get("n")))),
    "GET /live": (_, response) => http.sendStream(response, live(state)),
    "GET /quiet": (_, response) => http.sendStream(response, quiet(state)),
    "GET /cut": (_, response) => http.sendStream(response, failing()),
    "GET /early-error": (_, response) => http.sendStream(response, failingFirst()),
    "POST /sum": async (request, response) => http.send(response, await sumOf(http.readStream(request), state)),
    "POST /first": async (request, response) => http.send(response, await firstOf(http.readStream(request))),
    "POST /levels": async (request, response) =>
      http.send(response, await levels(http.readStream(request, { pck: players }))),
    "GET /empty": (_, response) => response.writeHead(204).end(),
  };
  const listener: RequestListener = async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, "http://localhost");
    try {
      await routes[`${request.method === "HEAD" ? "GET" : request.method} ${pathname}`]!(
        request,
        response,
        searchParams,
      );
    } catch (error) {
      if (error instanceof RequestError) http.sendProblem(response, error);
      else if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    }
  };
  return listening(createServer(listener), state);
};

const hono: Start = async (options) => {
  const state = newState();
  const app = honoApp(state, optionsOf(state, options));
  return listening(createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server, state);
};

/** Request and Response, without a framework. */
const web: Start = async (options) => {
  const state = newState();
  const http = webBodies(optionsOf(state, options));
  const routes: Record<string, (request: Request, query: URLSearchParams) => Response | Promise<Response>> = {
    "GET /value": (request, query) => http.response(request, VALUES[query.get("kind")!]),
    "POST /echo": async (request) => {
      const got = await http.read(request);
      return http.response(request, { got, type: typeof got });
    },
    "PUT /player": async (request) =>
      http.response(request, (await http.read(request, { pck: players }))!, { pck: players }),
    "GET /rows": (request, query) => http.streamResponse(request, rows(Number(query.get("n")))),
    "GET /live": (request) => http.streamResponse(request, live(state)),
    "GET /quiet": (request) => http.streamResponse(request, quiet(state)),
    "GET /cut": (request) => http.streamResponse(request, failing()),
    "GET /early-error": (request) => http.streamResponse(request, failingFirst()),
    "POST /sum": async (request) => http.response(request, await sumOf(http.readStream(request), state)),
    "POST /first": async (request) => http.response(request, await firstOf(http.readStream(request))),
    "POST /levels": async (request) => http.response(request, await levels(http.readStream(request, { pck: players }))),
    "GET /empty": () => new Response(null, { status: 204 }),
  };
  const answer = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    try {
      return await routes[`${request.method === "HEAD" ? "GET" : request.method} ${pathname}`]!(request, searchParams);
    } catch (error) {
      return error instanceof RequestError ? http.problem(error) : new Response(null, { status: 500 });
    }
  };
  return listening(createAdaptorServer({ fetch: answer, overrideGlobalObjects: false }) as Server, state);
};

export const SERVERS: Readonly<Record<string, Start>> = {
  http: node,
  "express-4": express("express-4"),
  "express-5": express("express-5"),
  "fastify-4": fastify("fastify-4"),
  "fastify-5": fastify("fastify-5"),
  "koa-2": koa("koa-2"),
  "koa-3": koa("koa-3"),
  hono,
  web,
};
