// Servers of each framework with the same routes, for any version of Node. Prints what their requests saw, as JSON.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { Agent, createServer, request as httpRequest } from "node:http";
import { createRequire } from "node:module";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import * as trace from "@moonpack/trace";

const require = createRequire(import.meta.url);
const { id } = trace;
const options = { useHeader: true, echoHeader: true };
const later = [];
const errors = [];

/** The id at once, after a timer, a file and a microtask, and later in events. */
async function look(request, response) {
  const first = id();
  const note = () => later.push([first, id()]);
  response.once("finish", note);
  response.on("close", note);
  await sleep(1);
  const ids = [first, id()];
  await readFile(import.meta.filename ?? new URL(import.meta.url));
  ids.push(id());
  await Promise.resolve();
  ids.push(id());
  return { id: ids.every((each) => each === first) ? first : ids, url: request.url };
}

async function size(stream) {
  let length = 0;
  for await (const part of stream) length += part.length;
  return { id: id(), length };
}

const fail = () => {
  throw new Error("expected");
};

function express(name) {
  return async () => {
    const framework = require(name);
    const app = framework();
    app.use(trace.expressMiddleware(options));
    app.use(framework.json());
    app.get("/id", (request, response, next) => void look(request, response).then((all) => response.json(all), next));
    app.post("/json", (request, response) => void response.json({ id: id(), length: request.body.text.length }));
    app.post("/raw", (request, response, next) => void size(request).then((all) => response.json(all), next));
    app.get("/error", fail);
    app.use((error, _request, response, _next) => {
      errors.push(id());
      response.status(500).json({ id: id(), error: error.message });
    });
    return listening(createServer(app));
  };
}

function fastify(name) {
  return async () => {
    const app = require(name)();
    await app.register(trace.fastifyPlugin, options);
    // Fastify 2 hands over the request itself, as the first argument.
    const parser =
      name === "fastify-2" ? (raw, done) => done(null, raw) : (_request, payload, done) => done(null, payload);
    app.addContentTypeParser("application/octet-stream", parser);
    app.get("/id", (request, reply) => look(request.raw, reply.raw ?? reply.res));
    app.post("/json", async (request) => ({ id: id(), length: request.body.text.length }));
    app.post("/raw", (request) => size(request.body));
    app.get("/error", async () => fail());
    app.addHook("onError", async () => void errors.push(id()));
    await app.ready();
    app.server.listen(0, "127.0.0.1");
    await once(app.server, "listening");
    return { port: app.server.address().port, close: () => stop(app.server) };
  };
}

function koa(name) {
  return async () => {
    const Koa = require(name);
    const app = new Koa();
    app.on("error", () => errors.push(id()));
    app.use(trace.koaMiddleware(options));
    app.use(require("koa-bodyparser")());
    app.use(async (ctx) => {
      if (ctx.path === "/id") ctx.body = await look(ctx.req, ctx.res);
      else if (ctx.path === "/json") ctx.body = { id: id(), length: ctx.request.body.text.length };
      else if (ctx.path === "/raw") ctx.body = await size(ctx.req);
      else if (ctx.path === "/error") fail();
    });
    return listening(createServer(app.callback()));
  };
}

function koaOne(name) {
  return async () => {
    const app = require(name)();
    app.on("error", () => errors.push(id()));
    app.use(trace.koaV1Middleware(options));
    app.use(function* () {
      if (this.path === "/id") this.body = yield look(this.req, this.res);
      else if (this.path === "/json") {
        const thunk = (done) => void this.req.on("data", (part) => done(null, [id(), JSON.parse(part).text.length]));
        const [[seen, length]] = yield [thunk];
        this.body = { id: seen === id() ? seen : [seen, id()], length };
      } else if (this.path === "/raw") {
        const { all } = yield {
          all: function* () {
            return yield size(this.req);
          }.call(this),
        };
        this.body = all;
      } else if (this.path === "/error") fail();
    });
    return listening(createServer(app.callback()));
  };
}

function hapi(name) {
  return async () => {
    const server = require(name).server({ port: 0, host: "127.0.0.1", debug: false });
    await server.register({ plugin: trace.hapiPlugin, options });
    server.route([
      { method: "GET", path: "/id", handler: ({ raw }) => look(raw.req, raw.res) },
      { method: "POST", path: "/json", handler: ({ payload }) => ({ id: id(), length: payload.text.length }) },
      {
        method: "POST",
        path: "/raw",
        options: { payload: { output: "stream", parse: false } },
        handler: ({ payload }) => size(payload),
      },
      { method: "GET", path: "/error", handler: fail },
    ]);
    server.events.on({ name: "request", channels: "error" }, () => errors.push(id()));
    server.events.on("response", ({ headers }) => later.push([headers["x-request-id"], id()]));
    await server.start();
    return { port: server.info.port, close: () => server.stop({ timeout: 100 }) };
  };
}

async function hono() {
  const { Hono } = await import("hono");
  const { createAdaptorServer } = await import("@hono/node-server");
  const app = new Hono();
  app.use(trace.honoMiddleware(options));
  app.get("/id", async (c) => c.json(await look(c.env.incoming, c.env.outgoing)));
  app.post("/json", async (c) => c.json({ length: (await c.req.json()).text.length, id: id() }));
  app.post("/raw", async (c) => Response.json(await size(Readable.fromWeb(c.req.raw.body))));
  app.get("/error", fail);
  app.onError((error, c) => {
    errors.push(id());
    return c.json({ id: id(), error: error.message }, 500);
  });
  return listening(createAdaptorServer({ fetch: app.fetch }));
}

async function plain() {
  const answer = async (request, response) => {
    if (request.url === "/id") return look(request, response);
    if (request.url === "/raw") return size(request);
    if (request.url === "/json") {
      let text = "";
      for await (const part of request) text += part;
      return { id: id(), length: JSON.parse(text).text.length };
    }
    return fail();
  };
  const listener = (request, response) => {
    answer(request, response).then(
      (all) => response.end(JSON.stringify(all)),
      () => {
        errors.push(id());
        response.writeHead(500).end("{}");
      },
    );
  };
  return listening(createServer(trace.httpListener(listener, options)));
}

async function listening(server) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: server.address().port, close: () => stop(server) };
}

async function stop(server) {
  server.close();
  server.closeAllConnections();
}

function ask(agent, port, method, path, key, body, type = "application/json") {
  return new Promise((resolve, reject) => {
    const headers = {
      "x-request-id": key,
      ...(body === undefined ? {} : { "content-type": type, "content-length": body.length }),
    };
    const request = httpRequest({ agent, host: "127.0.0.1", port, method, path, headers }, async (response) => {
      let text = "";
      for await (const part of response) text += part;
      resolve({ status: response.statusCode, echo: response.headers["x-request-id"], text });
    });
    request.on("error", reject).end(body);
  });
}

/** The requests whose id was another's, by kind of fault. */
async function examine(start, concurrent) {
  later.length = errors.length = 0;
  const { port, close } = await start();
  const agent = new Agent({ keepAlive: true, maxSockets: Math.min(concurrent, 64) });
  const faults = [];
  const check = async (method, path, key, status, body, type) => {
    const answer = await ask(agent, port, method, path, key, body, type);
    const value = status === 200 ? JSON.parse(answer.text) : undefined;
    if (answer.status !== status) faults.push([method, path, answer.status, answer.text.slice(0, 200)]);
    else if (answer.echo !== key) faults.push([method, path, "echo", answer.echo ?? null]);
    else if (value !== undefined && value.id !== key) faults.push([method, path, "id", value.id ?? null]);
    else if (body !== undefined && value.length !== (type ? body.length : JSON.parse(body).text.length))
      faults.push([method, path, "length", value.length]);
  };
  const text = JSON.stringify({ text: "x".repeat(100) });
  const upload = Buffer.alloc(200_000, 1);
  const runs = [];
  for (let i = 0; i < concurrent; i++) {
    if (i % 10 === 1) runs.push(check("POST", "/json", `key-${i}`, 200, text));
    else if (i % 100 === 2) runs.push(check("POST", "/raw", `key-${i}`, 200, upload, "application/octet-stream"));
    else if (i % 100 === 3) runs.push(check("GET", "/error", `key-${i}`, 500));
    else runs.push(check("GET", "/id", `key-${i}`, 200));
  }
  await Promise.all(runs);
  await sleep(20);
  agent.destroy();
  await close();
  for (const [first, seen] of later) if (first !== seen) faults.push(["event", first, seen ?? null]);
  for (const seen of errors) if (!String(seen).startsWith("key-")) faults.push(["error", seen ?? null]);
  return {
    requests: concurrent,
    events: later.length > 0,
    errors: errors.length > 0,
    outside: id() ?? null,
    faults: faults.slice(0, 10),
  };
}

const servers = {
  "express-4": express("express-4"),
  "express-5": express("express-5"),
  "fastify-2": fastify("fastify-2"),
  "fastify-3": fastify("fastify-3"),
  "fastify-4": fastify("fastify-4"),
  "fastify-5": fastify("fastify-5"),
  "koa-1": koaOne("koa-1"),
  "koa-2": koa("koa-2"),
  "koa-3": koa("koa-3"),
  "hapi-20": hapi("hapi-20"),
  "hapi-21": hapi("hapi-21"),
  hono,
  http: plain,
};

const [concurrent = "1000", ...names] = process.argv.slice(2);
const results = {};
for (const name of names.length === 0 ? Object.keys(servers) : names) {
  try {
    results[name] = await examine(servers[name], Number(concurrent));
  } catch (error) {
    results[name] = { failed: error.stack };
  }
}
process.stdout.write(JSON.stringify(results), () => process.exit(0));
