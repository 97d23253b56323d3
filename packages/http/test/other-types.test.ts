/** Bodies of other types, beside other parsers; requests without a body; values that a route must not see unchecked. */
import { createServer, type RequestListener } from "node:http";
import { createRequire } from "node:module";
import { type RequestError, bodies as webBodies } from "@moonpack/http";
import { bodies as expressBodies } from "@moonpack/http/express";
import { bodies as fastifyBodies } from "@moonpack/http/fastify";
import { bodies as koaBodies } from "@moonpack/http/koa";
import { bodies as nodeBodies } from "@moonpack/http/node";
import { expect, onTestFinished, test, vi } from "vitest";
import { newState } from "./harness/app.ts";
import { players } from "./harness/player.ts";
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

test("without Content-Length and Transfer-Encoding there is no body, whatever the Content-Type", async () => {
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

test("a handler that wraps what it read is answered, too, and the server lives", async () => {
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

test("an unsupported type is named, with what is supported; long paths and types are cut", async () => {
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
