/** Servers of each framework with one route, traced by this package or by cls-rtracer, which has the same names. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";

const require = createRequire(import.meta.url);

/** The functions of both packages. */
export interface Tracer {
  id(): unknown;
  runWithId<T>(fn: () => T, id?: unknown): T;
  readonly expressMiddleware: (options?: object) => unknown;
  readonly fastifyMiddleware: (options?: object) => unknown;
  readonly fastifyPlugin: unknown;
  readonly koaMiddleware: (options?: object) => unknown;
  readonly koaV1Middleware: (options?: object) => unknown;
  readonly hapiPlugin: object;
}

/** Answers a request with the JSON of what it returns. `request` is the framework's. */
export type Handle = (request: unknown, raw: IncomingMessage, response: ServerResponse) => Promise<unknown>;

/** A server that listens on a free port. */
export interface Running {
  readonly url: string;
  close(): Promise<unknown>;
}

type Start = (tracer: Tracer, options: object, handle: Handle) => Promise<Running>;

// biome-ignore lint/suspicious/noExplicitAny: frameworks of many versions, some without types
type Untyped = any;

async function listening(server: Server): Promise<Running> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const express =
  (name: string): Start =>
  async (tracer, options, handle) => {
    const app = require(name)();
    app.use(tracer.expressMiddleware(options));
    app.get("/", (request: Untyped, response: Untyped, next: Untyped) => {
      handle(request, request, response).then((all) => response.json(all), next);
    });
    return listening(createServer(app));
  };

const fastify =
  (name: string, trace: (app: Untyped, tracer: Tracer, options: object) => unknown): Start =>
  async (tracer, options, handle) => {
    const app = require(name)();
    trace(app, tracer, options);
    app.get("/", (request: Untyped, reply: Untyped) => handle(request, request.raw, reply.raw ?? reply.res));
    await app.ready();
    return listening(app.server);
  };

const byPlugin = (app: Untyped, tracer: Tracer, options: object) => app.register(tracer.fastifyPlugin, options);
const byMiddleware = (app: Untyped, tracer: Tracer, options: object) => app.use(tracer.fastifyMiddleware(options));

const koa =
  (name: string): Start =>
  async (tracer, options, handle) => {
    const app = new (require(name))();
    app.silent = true;
    app.use(tracer.koaMiddleware(options));
    app.use(async (ctx: Untyped) => {
      ctx.body = await handle(ctx.request, ctx.req, ctx.res);
    });
    return listening(createServer(app.callback()));
  };

const koaOne: Start = async (tracer, options, handle) => {
  const app = require("koa-1")();
  app.silent = true;
  app.on("error", () => undefined);
  app.use(tracer.koaV1Middleware(options));
  app.use(function* (this: Untyped): Generator<unknown, void> {
    this.body = yield handle(this.request, this.req, this.res);
  });
  return listening(createServer(app.callback()));
};

const hapi =
  (name: string): Start =>
  async (tracer, options, handle) => {
    const server = require(name).server({ port: 0, host: "127.0.0.1", debug: false });
    await server.register({ plugin: tracer.hapiPlugin, options });
    server.route({
      method: "GET",
      path: "/",
      handler: (request: Untyped) => handle(request, request.raw.req, request.raw.res),
    });
    await server.start();
    return { url: `http://127.0.0.1:${server.info.port}/`, close: () => server.stop({ timeout: 0 }) };
  };

/** Every framework, by its name and version. */
export const FRAMEWORKS: Record<string, Start> = {
  "Express 4": express("express-4"),
  "Express 5": express("express-5"),
  "Fastify 2": fastify("fastify-2", byPlugin),
  "Fastify 2, middleware": fastify("fastify-2", byMiddleware),
  "Fastify 3": fastify("fastify-3", byPlugin),
  "Fastify 4": fastify("fastify-4", byPlugin),
  "Fastify 5": fastify("fastify-5", byPlugin),
  "Koa 1": koaOne,
  "Koa 2": koa("koa-2"),
  "Koa 3": koa("koa-3"),
  "Hapi 20": hapi("hapi-20"),
  "Hapi 21": hapi("hapi-21"),
};

/** Starts a server of a framework, calls `use` with its URL, and closes it. */
export async function withServer<T>(
  name: string,
  tracer: Tracer,
  options: object,
  handle: Handle,
  use: (url: string) => Promise<T>,
): Promise<T> {
  const { url, close } = await FRAMEWORKS[name]!(tracer, options, handle);
  try {
    return await use(url);
  } finally {
    await close();
  }
}
