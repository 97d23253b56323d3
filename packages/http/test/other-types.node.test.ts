/** Bodies of other types, beside other parsers; requests without a body; values that a route must not see unchecked. */
import { createServer, type RequestListener } from "node:http";
import { createRequire } from "node:module";
import { type RequestError, bodies as webBodies } from "@moonpack/http";
import { bodies as expressBodies } from "@moonpack/http/express";
import { bodies as fastifyBodies } from "@moonpack/http/fastify";
import { bodies as koaBodies } from "@moonpack/http/koa";
import { bodies as nodeBodies } from "@moonpack/http/node";
import { encode } from "moonpack";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { newState } from "./harness/app.ts";
import { ADA, DECODED_ADA, players } from "./harness/player.ts";
import { listening } from "./harness/servers.ts";

const require = createRequire(import.meta.url);

async function serve(
  listener: RequestListener,
): Promise<(method: string, type: string, body?: string) => Promise<[number, string]>> {
  const server = await listening(createServer(listener), newState());
  onTestFinished(() => server.close());
  return async (method, type, body) => {
    const headers = { "content-type": type, accept: "application/json" };
    const response = await fetch(server.url, { method, headers, ...(body !== undefined && { body }) });
    return [response.status, await response.text()];
  };
}

test.each(["express-4", "express-5"])("%s: body() beside the framework's own parsers", async (name) => {
  const framework = require(name);
  const http = expressBodies();
  const app = framework();
  const form = "multipart/form-data; boundary=x";
  app.use(http.body(), framework.json(), framework.urlencoded({ extended: false }), framework.text());
  app.use(framework.raw({ type: "multipart/form-data" }));
  // biome-ignore lint/suspicious/noExplicitAny: frameworks of several versions, whose types differ
  app.all("/", (request: any, response: any) => {
    http.send(response, { got: request.body instanceof Buffer ? String(request.body) : (request.body ?? null) });
  });
  const ask = await serve(app);
  expect(await ask("POST", "application/json", '{"a":1}')).toEqual([200, '{"got":{"a":1}}']);
  expect(await ask("POST", "application/x-www-form-urlencoded", "a=1")).toEqual([200, '{"got":{"a":"1"}}']);
  expect(await ask("POST", "text/plain", "text")).toEqual([200, '{"got":"text"}']);
  expect(await ask("POST", form, "--x--")).toEqual([200, '{"got":"--x--"}']);
  for (const method of ["GET", "DELETE"])
    for (const type of ["application/json", "application/vnd.msgpack", "application/x-www-form-urlencoded", form])
      expect([type, (await ask(method, type))[0]]).toEqual([type, 200]);
  expect((await ask("POST", "application/json", '{"a":1,"a":2}'))[0]).toBe(400);
});

test.each(["koa-2", "koa-3"])("%s: body() leaves a form to the parser behind it", async (name) => {
  const Koa = require(name);
  const http = koaBodies();
  const app = new Koa();
  app.use(http.body());
  // biome-ignore lint/suspicious/noExplicitAny: frameworks of several versions, whose types differ
  app.use(async (context: any) => {
    let form = "";
    if (context.request.body === undefined) for await (const part of context.req) form += part;
    http.send(context, { got: context.request.body ?? form });
  });
  const ask = await serve(app.callback());
  expect(await ask("POST", "application/x-www-form-urlencoded", "a=1")).toEqual([200, '{"got":"a=1"}']);
  expect(await ask("POST", "application/json", "[1]")).toEqual([200, '{"got":[1]}']);
  expect(await ask("DELETE", "application/json")).toEqual([200, '{"got":""}']);
});

test.each([
  "fastify-4",
  "fastify-5",
])("%s: what other parsers read does not reach a route with a schema unchecked", async (name) => {
  const { fastify } = require(name);
  const http = fastifyBodies();
  const app = fastify();
  await app.register(http.plugin);
  const seen: unknown[] = [];
  app.post("/", http.route({ pck: players }), (request: { body: unknown }) => {
    seen.push(request.body);
    return "seen";
  });
  onTestFinished(() => app.close());
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  for (const type of ["text/plain", "application/jsonp", "application/json", "text/plain; charset=utf-8"]) {
    const response = await fetch(url, { method: "POST", body: '{"admin":true}', headers: { "content-type": type } });
    expect([type, response.status >= 400 && response.status < 500]).toEqual([type, true]);
  }
  expect(seen).toEqual([]);
});

describe("a route with a schema checks a body that was read before", () => {
  const json = '{"name":"Ada","level":3,"score":"1152921504606846976","items":[["key",2]]}';
  const msgpack = encode(ADA);
  const cases: readonly (readonly [string, string | Uint8Array<ArrayBuffer>, number])[] = [
    ["application/json", json, 200],
    ["application/json", '{"name":"Ada","level":999}', 400],
    ["application/vnd.msgpack", msgpack as Uint8Array<ArrayBuffer>, 200],
    ["application/vnd.msgpack", encode({ name: "Ada", level: 999 }) as Uint8Array<ArrayBuffer>, 400],
    ["application/vnd.msgpack", encode({ level: 3 }) as Uint8Array<ArrayBuffer>, 400],
    ["text/plain", "hi", 400],
    ["application/x-www-form-urlencoded", "level=999", 400],
  ];

  /** The statuses, and the values that the handler saw. */
  async function asked(listener: RequestListener, seen: unknown[]): Promise<void> {
    const { url, close } = await listening(createServer(listener), newState());
    onTestFinished(close);
    for (const [type, body, status] of cases) {
      const response = await fetch(url, { method: "POST", body, headers: { "content-type": type } });
      // Without another parser, another type is 415.
      expect([type, body, response.status === 415 && !/json|msgpack/.test(type) ? 400 : response.status]).toEqual([
        type,
        body,
        status,
      ]);
    }
    expect(seen).toEqual([DECODED_ADA, DECODED_ADA]);
  }

  test.each(
    ["express-4", "express-5"].flatMap((name) =>
      ["other parsers", "http.body()", "the same schema twice"].map((by) => [name, by]),
    ),
  )("%s, read by %s", async (name, by) => {
    const framework = require(name!);
    const http = expressBodies({ onError: () => undefined });
    const app = framework();
    if (by === "other parsers") app.use(framework.json(), framework.text(), framework.urlencoded({ extended: false }));
    else app.use(http.body(by === "http.body()" ? {} : { pck: players }));
    const seen: unknown[] = [];
    // biome-ignore lint/suspicious/noExplicitAny: frameworks of several versions, whose types differ
    app.post("/", http.body({ pck: players }), (request: any, response: any) => {
      seen.push(request.body);
      response.end();
    });
    await asked(app, seen);
  });

  test.each(["koa-2", "koa-3"])("%s", async (name) => {
    const Koa = require(name);
    const http = koaBodies({ onError: () => undefined });
    const app = new Koa();
    const seen: unknown[] = [];
    app.use(http.body());
    // A parser of another type, as koa-bodyparser is one.
    // biome-ignore lint/suspicious/noExplicitAny: frameworks of several versions, whose types differ
    app.use(async (context: any, next: () => Promise<void>) => {
      if (context.request.body === undefined) {
        let text = "";
        for await (const part of context.req) text += part;
        context.request.body = text;
      }
      await next();
    });
    app.use(http.body({ pck: players }));
    // biome-ignore lint/suspicious/noExplicitAny: frameworks of several versions, whose types differ
    app.use((context: any) => {
      seen.push(context.request.body);
      context.body = "";
      context.status = 200;
    });
    await asked(app.callback(), seen);
  });
});

test.each([
  "express-4",
  "express-5",
  "koa-2",
  "koa-3",
])("%s: a second body() of a request without a body finds none", async (name) => {
  const framework = require(name);
  const app = name.startsWith("koa") ? new framework() : framework();
  const http = name.startsWith("koa") ? koaBodies() : expressBodies();
  app.use(http.body());
  app.use(http.body({ pck: players }));
  // biome-ignore lint/suspicious/noExplicitAny: frameworks of several versions, whose types differ
  app.use((given: any, response: any) =>
    http.send((name.startsWith("koa") ? given : response) as never, { got: String((given.request ?? given).body) }),
  );
  const ask = await serve(name.startsWith("koa") ? app.callback() : app);
  for (const method of ["GET", "DELETE"])
    expect(await ask(method, "application/json")).toEqual([200, '{"got":"undefined"}']);
});

test("without Content-Length and Transfer-Encoding a request has no body, even with a Content-Type", async () => {
  const node = nodeBodies();
  const ask = await serve(async (request, response) => {
    try {
      node.send(response, { got: (await node.read(request)) ?? null });
    } catch (error) {
      node.sendProblem(response, error);
    }
  });
  for (const type of ["application/json", "application/vnd.msgpack", "text/xml"])
    for (const method of ["GET", "DELETE"]) expect(await ask(method, type)).toEqual([200, '{"got":null}']);
  const web = webBodies();
  const request = new Request("http://localhost", { headers: { "content-type": "application/json" } });
  expect(await web.read(request)).toBeUndefined();
});

test("an error that is not the request's is 500, and only the server sees it", async () => {
  const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => printed.mockRestore());
  const noted: RequestError[] = [];
  const silent = nodeBodies();
  const heard = nodeBodies({
    onError(error) {
      noted.push(error);
      throw new Error("a fault of onError");
    },
  });
  const secret = new Error("the key is 1234");
  for (const http of [silent, heard]) {
    const ask = await serve((_, response) => http.sendProblem(response, secret));
    const [status, text] = await ask("GET", "text/plain");
    expect([status, JSON.parse(text)]).toMatchObject([
      500,
      { code: "ERR_HTTP_INTERNAL", title: "Internal Server Error" },
    ]);
    expect(text).not.toContain("1234");
  }
  expect(noted).toMatchObject([{ status: 500, cause: secret }]);
  expect(printed.mock.calls.flat()).toEqual([secret, expect.objectContaining({ message: "a fault of onError" })]);
  expect(webBodies().problem(secret).status).toBe(500);
});

test("a handler that wraps its body is answered too, and the server survives", async () => {
  const http = nodeBodies({ onError: () => undefined });
  const ask = await serve(async (request, response) => {
    try {
      http.send(response, { got: await http.read(request) });
    } catch (error) {
      http.sendProblem(response, error);
    }
  });
  expect((await ask("POST", "application/json", "[".repeat(512) + "]".repeat(512)))[0]).toBe(406);
  expect((await ask("POST", "application/json", '"\\ud800"'))[0]).toBe(400);
  expect(await ask("POST", "application/json", "1")).toEqual([200, '{"got":1}']);
});

test("the error lists the supported types; long paths and types are cut", async () => {
  const web = webBodies();
  const read = (type: string, body: string, options = {}) =>
    web
      .read(new Request("http://localhost", { method: "POST", body, headers: { "content-type": type } }), options)
      .then(undefined, (error: RequestError) => error);
  const refused = (await read(`text/${"x".repeat(5000)}`, "x")) as RequestError;
  expect(refused.message).toMatch(
    /^"text\/x+\.\." is not supported here; supported are application\/vnd\.msgpack, application\/json$/,
  );
  expect(refused.message.length).toBeLessThan(250);
  const long = (await read("application/json", `{"${"k".repeat(900_000)}":1}`, { pck: players })) as RequestError;
  expect(JSON.stringify(long.toProblem()).length).toBeLessThan(3000);
});
