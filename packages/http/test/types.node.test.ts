/** The entries with the frameworks' own types: this file must compile. Each server answers once. */
import type { AddressInfo } from "node:net";
import { type BodiesOptions, pck, RequestError } from "@moonpack/http";
import { fetchStream, fetchValue, streamBody } from "@moonpack/http/client";
import { bodies as expressBodies } from "@moonpack/http/express";
import { bodies as fastifyBodies } from "@moonpack/http/fastify";
import { bodies as honoBodies } from "@moonpack/http/hono";
import { bodies as koaBodies } from "@moonpack/http/koa";
import { schema, u64, utf8 } from "@moonpack/pck";
import express from "express";
import type { Application as Express4 } from "express-4-types";
import Fastify from "fastify";
import Fastify4 from "fastify-4";
import { Hono } from "hono";
import Koa from "koa";
import { expect, expectTypeOf, test } from "vitest";

const options: BodiesOptions = { maxBytes: 1000 };
const users = pck(schema("User", utf8("name"), u64("id")));
const user = { name: "Ada", id: 1n };

test("Express 5, and the types of Express 4", async () => {
  const http = expressBodies(options);
  const app = express();
  app.post("/", http.body({ pck: users }), (request, response) =>
    http.send(response.status(201), request.body, { pck: users }),
  );
  app.use(http.errors);
  const old = app as unknown as Express4;
  old.get("/", http.body(), (_request, response, next) => {
    http.sendStream(response, [user], { pck: users, early: true }).catch(next);
  });
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answer = await fetchValue(url, { value: user, request: users, response: users });
  expectTypeOf(answer).toEqualTypeOf<{ name: string; id: bigint }>();
  expect(answer).toEqual(user);
  for await (const each of fetchStream(url, { response: users })) {
    expectTypeOf(each.id).toEqualTypeOf<bigint>();
    expect(each).toEqual(user);
  }
  server.close();
});

test.each([
  ["Fastify 5", Fastify],
  ["Fastify 4", Fastify4 as unknown as typeof Fastify],
])("%s", async (_, make) => {
  const http = fastifyBodies(options);
  const app = make();
  await app.register(http.plugin);
  app.setErrorHandler(http.errors);
  app.post("/", http.route({ pck: users }), (request, reply) =>
    http.send(reply.code(201), request.body as typeof user, { pck: users }),
  );
  app.put("/", http.route({ stream: true, pck: users }), async (request, reply) => {
    const all: (typeof user)[] = [];
    for await (const each of http.readStream(request, { pck: users })) all.push(each);
    return http.sendStream(reply, all, { pck: users });
  });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  expect(await fetchValue(url, { value: user, request: users, response: users })).toEqual(user);
  const got: unknown[] = [];
  for await (const each of fetchStream(url, { method: "PUT", body: streamBody([user], users), response: users }))
    got.push(each);
  expect(got).toEqual([user]);
  await app.close();
});

test("Fastify 4's own types", async () => {
  const http = fastifyBodies(options);
  const app = Fastify4();
  await app.register(http.plugin);
  app.setErrorHandler(http.errors);
  app.post("/", http.route({ pck: users }), (request, reply) =>
    http.send(reply.code(201), request.body as typeof user, { pck: users }),
  );
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  expect(await fetchValue(url, { value: user, request: users })).toEqual({ name: "Ada", id: 1 });
  await app.close();
});

test("Koa", async () => {
  const http = koaBodies(options);
  const app = new Koa();
  app.use(http.errors);
  app.use(http.body());
  app.use((ctx) => (ctx.method === "GET" ? http.sendStream(ctx, [1, 2]) : http.send(ctx, user, { pck: users })));
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await fetchValue(url, { value: 1, response: users })).toEqual(user);
  server.close();
});

test("Hono", async () => {
  const http = honoBodies(options);
  const app = new Hono()
    .post("/", async (c) => {
      const got = await http.read(c, { pck: users });
      expectTypeOf(got).toEqualTypeOf<{ name: string; id: bigint } | undefined>();
      return http.send(c, got ?? user, { pck: users });
    })
    .get("/", (c) => http.sendStream(c, [user]));
  app.onError((error, c) => (error instanceof RequestError ? error.getResponse() : c.text("failed", 500)));
  const fetch = async (url: string | URL, init: RequestInit) => app.request(String(url), init);
  expect(await fetchValue("/", { value: user, response: users, fetch })).toEqual(user);
  const error = await fetchValue("/", { value: 1, fetch }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ status: 400, code: "ERR_UNSUPPORTED_TYPE", path: "$" });
});
