// Pipelined requests, aborts, timeouts, WebSocket upgrades. Prints the ids that were seen, as JSON.
import { once } from "node:events";
import { Agent, createServer, request as httpRequest } from "node:http";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { PassThrough, pipeline } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import * as trace from "@moonpack/trace";

const require = createRequire(import.meta.url);
const { id } = trace;
const options = { requestIdFactory: (request) => (request.raw?.req ?? request.raw ?? request).url };
const results = {};

async function listening(server) {
  if (!server.listening) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  }
  return server.address().port;
}

async function send(port, text, until = "close") {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  let answer = "";
  socket.on("data", (part) => {
    answer += part;
  });
  socket.write(text);
  await once(socket, until);
  return answer;
}

/** Waits for a condition, up to some seconds: the results show if it was not met. */
async function until(condition) {
  for (let tries = 0; tries < 2000 && !condition(); tries++) await sleep(2);
}

const get = (path, isLast) => `GET ${path} HTTP/1.1\r\nHost: a\r\n${isLast ? "Connection: close\r\n" : ""}\r\n`;
const three = get("/0") + get("/1") + get("/2", true);

/** Fastify: the first response waits, so the others are flushed inside it. */
for (const name of ["fastify-3", "fastify-4", "fastify-5"]) {
  const app = require(name)();
  const seen = [];
  await app.register(trace.fastifyPlugin, options);
  app.addHook("onResponse", async (request) => void seen.push([request.raw.url, id()]));
  app.get("/:n", async (request) => {
    await sleep(request.params.n === "0" ? 10 : 1);
    return id();
  });
  await app.ready();
  await send(await listening(app.server), three);
  await until(() => seen.length >= 3);
  results[name] = { seen: seen.length, wrong: seen.filter(([url, other]) => url !== other) };
  await app.close();
}

/** The callbacks of `end`, of responses that are written out inside another's. */
{
  const answer = (seen) => (request, response) =>
    void setTimeout(() => response.end("x", () => seen.push([request.url, id()])), request.url === "/0" ? 10 : 1);
  const listeners = {
    http: (seen) => trace.httpListener(answer(seen), options),
    "express-5": (seen) => require("express-5")().use(trace.expressMiddleware(options), answer(seen)),
    "koa-3"(seen) {
      const app = new (require("koa-3"))();
      app.use(trace.koaMiddleware(options)).use((context) => {
        context.respond = false;
        answer(seen)(context.req, context.res);
      });
      return app.callback();
    },
  };
  results.ends = {};
  const check = async (name, server, seen) => {
    await send(await listening(server), three);
    await until(() => seen.length >= 3);
    results.ends[name] = { seen: seen.length, wrong: seen.filter(([url, other]) => url !== other) };
  };
  for (const [name, listenerOf] of Object.entries(listeners)) {
    const seen = [];
    const server = createServer(listenerOf(seen));
    await check(name, server, seen);
    server.close();
  }
  const app = require("fastify-5")();
  const seen = [];
  await app.register(trace.fastifyPlugin, options);
  app.get("/:n", (request, reply) => {
    reply.hijack();
    answer(seen)(request.raw, reply.raw);
  });
  await app.ready();
  await check("fastify-5", app.server, seen);
  await app.close();
}

/** The callbacks of informational responses, which wait behind another's response too. Node 24 has the last of these methods. */
{
  const calls = {
    writeContinue: [],
    writeProcessing: [],
    writeEarlyHints: [{ link: "</a>; rel=preload" }],
    writeInformation: [103, { link: "</b>; rel=preload" }],
  };
  const seen = [];
  const server = createServer(
    trace.httpListener((request, response) => {
      for (const [name, args] of Object.entries(calls)) {
        if (name in response) response[name](...args, () => seen.push([request.url, id(), name]));
        else seen.push([request.url, id(), name]);
      }
      setTimeout(() => response.end(), request.url === "/0" ? 10 : 1);
    }, options),
  );
  await send(await listening(server), three);
  await until(() => seen.length >= 12);
  results.informational = { seen: seen.length, wrong: seen.filter(([url, other]) => url !== other) };
  server.close();
}

/** Fastify's hooks for a connection that is idle, and for a client that goes away, behind a pipelined request. */
for (const name of ["fastify-3", "fastify-4", "fastify-5"]) {
  const app = require(name)({ connectionTimeout: 100 });
  const seen = { timeout: {}, abort: {} };
  const asked = new Set();
  // Fastify then listens for the end of the connection before our hook runs.
  if (name === "fastify-5") app.addHook("onRequest", async () => undefined);
  await app.register(trace.fastifyPlugin, options);
  app.addHook("onTimeout", async ({ raw }) => {
    seen.timeout[raw.url] = id() ?? null;
  });
  if (name !== "fastify-3")
    app.addHook("onRequestAbort", async ({ raw }) => {
      seen.abort[raw.url] = id() ?? null;
    });
  app.get("/fast", async () => "fast");
  app.get("/hang", ({ raw }) => {
    asked.add(raw.url);
    return new Promise(() => undefined);
  });
  await app.ready();
  const port = await listening(app.server);
  await send(port, get("/fast") + get("/hang"));
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  socket.write(get("/fast") + get("/hang?abort"));
  await until(() => asked.has("/hang?abort"));
  socket.destroy();
  await until(() => name === "fastify-3" || "/hang?abort" in seen.abort);
  results[name].hooks = {
    timeout: seen.timeout["/hang"] ?? null,
    abort: seen.abort["/hang?abort"] ?? null,
    wrong: Object.entries({ ...seen.timeout, ...seen.abort }).filter(([url, other]) => url !== other),
  };
  app.server.closeAllConnections();
  await app.close();
}

/** Koa: the application's event has the id, though the context of errors is another's. */
for (const name of ["koa-1", "koa-2", "koa-3"]) {
  const isOld = name === "koa-1";
  const app = isOld ? require(name)() : new (require(name))();
  const seen = [];
  const answered = [];
  app.on("error", (_error, ctx) => seen.push([ctx.url, id()]));
  const answer = async (ctx) => {
    await sleep(ctx.url === "/0" ? 10 : 1);
    answered.push([ctx.url, id()]);
    ctx.res.on("close", () => answered.push([ctx.url, id()]));
    if (ctx.url === "/1") throw new Error("expected");
    const body = new PassThrough();
    ctx.body = body;
    if (ctx.url === "/2") body.end("x", () => answered.push([ctx.url, id()]));
    else setTimeout(() => body.destroy(new Error("late")), 5);
  };
  const koaOptions = { requestIdFactory: ({ url }) => url };
  if (isOld) {
    app.use(trace.koaV1Middleware(koaOptions));
    app.use(function* () {
      yield answer(this);
      answered.push([this.url, id()]);
    });
  } else app.use(trace.koaMiddleware(koaOptions)).use(answer);
  const server = createServer(app.callback());
  const port = await listening(server);
  await send(port, get("/0") + get("/1", true));
  await send(port, get("/2") + get("/1") + get("/2", true));
  const isSeen = () => seen.length >= 3 && answered.length >= 10;
  await until(isSeen);
  results[name] = {
    seen: isSeen(),
    wrong: [...seen, ...answered].filter(([url, other]) => url !== other),
  };
  server.closeAllConnections();
  server.close();
}

/** Hapi: nothing is left along a connection, and the server's events have the id. */
for (const name of ["hapi-20", "hapi-21"]) {
  const server = require(name).server({ port: 0, host: "127.0.0.1", debug: false });
  const seen = [];
  const before = [];
  server.ext("onRequest", async (_request, h) => {
    before.push(id() ?? null);
    await sleep(1);
    return h.continue;
  });
  await server.register({ plugin: trace.hapiPlugin, options });
  server.route({
    method: "GET",
    path: "/{n}",
    handler: ({ params }) => sleep(params.n === "0" ? 10 : 1).then(() => id()),
  });
  server.events.on("response", ({ path }) => seen.push([path, id()]));
  await server.start();
  const text = await send(server.info.port, three);
  await until(() => seen.length >= 3);
  results[name] = {
    seen: seen.length,
    wrong: seen.filter(([url, other]) => url !== other),
    before: before.every((each) => each === null),
    bodies: text
      .split("\r\n\r\n")
      .slice(1)
      .map((part) => part.slice(0, 2)),
  };
  await server.stop();
}

/** Hapi's inject, which has no socket, behind an extension that waits. */
for (const name of ["hapi-20", "hapi-21"]) {
  const server = require(name).server({ debug: false });
  server.ext("onRequest", (_request, h) => sleep(1).then(() => h.continue));
  await server.register({ plugin: trace.hapiPlugin, options });
  server.route({ method: "GET", path: "/{n}", handler: () => sleep(1).then(() => String(id())) });
  results[name].injected = await Promise.all(["/a", "/b"].map(async (url) => (await server.inject(url)).payload));
  results[name].left = id() ?? null;
}

/** Aborts, timeouts, pipelines, pools. */
{
  const seen = {};
  const asked = new Set();
  const note = (what) => (seen[what] = id() ?? null);
  const agent = new Agent({ maxSockets: 1, keepAlive: true });
  const server = createServer(
    trace.httpListener((request, response) => {
      const name = request.url.slice(1);
      asked.add(name);
      if (name === "abort") {
        request.on("close", () => note("abort"));
        response.on("close", () => note("abort response"));
      } else if (name === "timeout") {
        response.setTimeout(5, () => {
          note("timeout");
          request.destroy();
        });
      } else if (name === "pipeline") {
        pipeline(request, new PassThrough(), response, () => note("pipeline"));
      } else if (name.startsWith("pool")) {
        httpRequest({ agent, port: server.address().port, path: "/inner" }, (inner) => {
          inner.on("end", () => {
            note(name);
            response.end();
          });
          inner.resume();
        }).end();
      } else setTimeout(() => response.end(), 1);
    }, options),
  );
  const port = await listening(server);
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  socket.write(get("/abort"));
  await until(() => asked.has("abort"));
  socket.destroy();
  await send(port, get("/timeout"));
  await send(port, "POST /pipeline HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc");
  await Promise.all(Array.from({ length: 10 }, (_, i) => send(port, get(`/pool${i}`, true))));
  await until(() => Object.keys(seen).length >= 14);
  results.http = seen;
  agent.destroy();
  server.closeAllConnections();
  server.close();
}

/** WebSocket: frameworks do not get upgrades. The listener of `upgrade` begins a context itself, for the messages too. */
{
  const { WebSocketServer, WebSocket } = require("ws");
  const seen = [];
  const server = createServer(trace.httpListener((_request, response) => response.end(), options));
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket, head) => {
    seen.push(id() ?? null);
    trace.runWithId(() => {
      sockets.handleUpgrade(request, socket, head, (client) => {
        client.on(
          "message",
          trace.bind((data) => client.send(`${data} ${id()}`)),
        );
      });
    }, request.url);
  });
  const port = await listening(server);
  const answers = await Promise.all(
    ["/a", "/b"].map(async (path) => {
      const client = new WebSocket(`ws://127.0.0.1:${port}${path}`);
      await once(client, "open");
      client.send("x");
      const [data] = await once(client, "message");
      client.terminate();
      return String(data);
    }),
  );
  results.upgrades = { outside: seen, answers };
  server.closeAllConnections();
  server.close();
}
process.stdout.write(JSON.stringify(results), () => process.exit(0));
