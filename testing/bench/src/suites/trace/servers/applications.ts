/** Small applications of Express and Fastify: for each request a line, a timer, a line, a response with the id. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Tracer, TracerId } from "../tracers.js";
import type { Log } from "./logger.js";

/** Shared by both applications: the work for a request. */
async function handle(tracer: Tracer, log: Log, request: IncomingMessage, key: string): Promise<{ id: unknown }> {
  log(request, key, "asked");
  await delay(0);
  log(request, key, "found");
  return { id: tracer.id(request) };
}

/** An application of Express 5. */
export async function expressApplication(tracer: Tracer, log: Log): Promise<RequestListener> {
  const { default: express } = await import("express");
  const app = express();
  app.use((request, response, next) => tracer.middleware(request, response, next));
  app.get("/items/:key", async (request, response) => {
    response.json(await handle(tracer, log, request, request.params.key));
  });
  return app;
}

/** An application of Fastify 5. A library's plugin is used if it has one. */
export async function fastifyApplication(id: TracerId, tracer: Tracer, log: Log): Promise<RequestListener> {
  const { fastify } = await import("fastify");
  const app = fastify();
  if (id === "moonpack") {
    await app.register((await import("@moonpack/trace")).fastifyPlugin, { useHeader: true });
  } else if (id === "rtracer") {
    await app.register((await import("cls-rtracer")).default.fastifyPlugin, { useHeader: true });
  } else {
    app.addHook("onRequest", (request, reply, done) =>
      tracer.middleware(request.raw, reply.raw as ServerResponse, done),
    );
  }
  app.get<{ Params: { key: string } }>("/items/:key", (request) =>
    handle(tracer, log, request.raw, request.params.key),
  );
  await app.ready();
  return (request, response) => app.routing(request, response);
}
