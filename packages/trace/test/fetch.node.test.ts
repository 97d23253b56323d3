/** Fetch requests: handlers, Hono, and several middlewares for the same request. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createAdaptorServer } from "@hono/node-server";
import { Hono, type MiddlewareHandler } from "hono";
import { describe, expect, test } from "vitest";
import * as trace from "../src/index.ts";

const { fetchHandler, id } = trace;
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("a second middleware of a Fetch request", () => {
  const url = "http://a.example/sub/x";
  const seen: unknown[][] = [];
  const look = () => seen.push([trace.traceId(), trace.get("user"), id()]);
  const inner = fetchHandler(() => Response.json(look()), { requestIdFactory: () => "inner" });
  function hono(...before: MiddlewareHandler[]): Hono {
    seen.length = 0;
    const app = new Hono();
    app.use(trace.honoMiddleware({ requestIdFactory: () => "outer", echoHeader: true }), async (_c, next) => {
      trace.set("user", "Ada");
      look();
      await next();
      look();
    });
    for (const each of before) app.use(each);
    return app;
  }
  const isOne = () => {
    const [trace] = seen[0]!;
    expect(seen).toEqual([
      [trace, "Ada", "outer"],
      [trace, "Ada", "inner"],
      [trace, "Ada", "outer"],
    ]);
  };
  const again: MiddlewareHandler = trace.honoMiddleware({ requestIdFactory: () => "inner" });
  const replaced: MiddlewareHandler = async (c, next) => {
    c.req.raw = new Request(c.req.raw);
    await next();
  };

  test.each([
    ["Hono in Hono", () => hono(again).get("/sub/x", (c) => c.json(look()))],
    ["Hono in Hono, the request replaced in between", () => hono(replaced, again).get("/sub/x", (c) => c.json(look()))],
    [
      "a nested application",
      () =>
        hono().route(
          "/sub",
          new Hono().use(again).get("/x", (c) => c.json(look())),
        ),
    ],
    ["fetchHandler in Hono", () => hono().get("/sub/x", (c) => inner(c.req.raw))],
  ])("%s: the first one's trace and values, and a new id", async (_name, make) => {
    const app = make();
    expect((await app.request(url)).headers.get("x-request-id")).toBe("outer");
    isOne();
  });

  test("Hono in fetchHandler, fetchHandler in itself", async () => {
    const app = new Hono().use(again).get("/sub/x", (c) => c.json(look()));
    for (const handler of [app.fetch, inner]) {
      seen.length = 0;
      const outer = fetchHandler(
        async (request) => {
          trace.set("user", "Ada");
          look();
          const response = await handler(request);
          look();
          return response;
        },
        { requestIdFactory: () => "outer" },
      );
      await outer(new Request(url));
      isOne();
    }
  });

  test("over Node's server, a mounted application too", async () => {
    const app = hono().mount("/sub", inner);
    const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/sub/x`);
    } finally {
      server.close();
    }
    isOne();
  });

  test("the same object sent again, at once or later, is another request; so is one that is made within it", async () => {
    const request = new Request(url);
    const traces = new Set<unknown>();
    const handler = fetchHandler(async ({ url }) => {
      await sleep(1);
      traces.add(trace.traceId());
      if (url === request.url) await handler(new Request("http://a.example/other"));
      return new Response();
    });
    await Promise.all([handler(request), handler(request)]);
    await handler(request);
    expect(traces.size).toBe(6);
  });

  test("a frozen request", async () => {
    const request = Object.freeze(new Request(url));
    expect((await fetchHandler(() => new Response(String(id())))(request)).status).toBe(200);
  });
});

describe("fetchHandler", () => {
  const options = { useHeader: true, echoHeader: true };
  const asked = (init: RequestInit = {}) =>
    new Request("http://a.example/x", { ...init, headers: { "X-Request-Id": "mine", ...init.headers } });

  test("the body of the request, read in the handler; the body of the response as it was", async () => {
    const handler = fetchHandler(async (request) => {
      const { text } = (await request.json()) as { text: string };
      return Response.json({ id: id(), length: text.length }, { status: 201, headers: { "X-Other": "o" } });
    }, options);
    const body = JSON.stringify({ text: "x".repeat(100_000) });
    const response = await handler(asked({ method: "POST", body }));
    expect(await response.json()).toEqual({ id: "mine", length: 100_000 });
    expect([response.status, response.headers.get("x-request-id"), response.headers.get("x-other")]).toEqual([
      201,
      "mine",
      "o",
    ]);
  });

  test("streams of both sides, in parts", async () => {
    const handler = fetchHandler(async (request) => {
      const ids: unknown[] = [];
      const upper = new TransformStream<Uint8Array, Uint8Array>({
        transform(part, controller) {
          controller.enqueue(part.map((byte) => byte - 32));
        },
      });
      for await (const _ of request.clone().body!) ids.push(id());
      return new Response(request.body!.pipeThrough(upper), { headers: { "X-Ids": [...new Set(ids)].join() } });
    }, options);
    const parts = ["ab", "cd", "ef"].map((part) => new TextEncoder().encode(part));
    const body = ReadableStream.from(parts);
    const response = await handler(asked({ method: "POST", body, duplex: "half" } as RequestInit));
    expect([await response.text(), response.headers.get("x-ids")]).toEqual(["ABCDEF", "mine"]);
  });

  test("a repeated header is ignored, even with acceptId, and begins a new trace", async () => {
    const parent = "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x";
    const request = new Request("http://a.example", { headers: { "X-Request-Id": "a", traceparent: parent } });
    const all = { useHeader: true, traceContext: true, acceptId: () => true };
    const handler = fetchHandler(() => Response.json([id(), trace.parentSpanId() ?? null]), all);
    const app = new Hono().use(trace.honoMiddleware(all)).get("/", (c) => c.json([id(), trace.parentSpanId() ?? null]));
    for (const ask of [handler, app.fetch])
      expect(await (await ask(request.clone())).json()).toEqual(["a", "b7ad6b7169203331"]);
    request.headers.append("x-request-id", "b");
    request.headers.append("traceparent", parent);
    for (const ask of [handler, app.fetch])
      expect(await (await ask(request.clone())).json()).toEqual([expect.stringMatching(UUID_V4), null]);
  });

  test("headers that may not change: a copy with the same body, status and headers", async () => {
    const server = createServer((_request, response) => response.writeHead(203, { "x-inner": "i" }).end("inner"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const proxied = await fetchHandler(() => fetch(url), options)(asked());
      expect([proxied.status, proxied.headers.get("x-inner"), proxied.headers.get("x-request-id")]).toEqual([
        203,
        "i",
        "mine",
      ]);
      expect(await proxied.text()).toBe("inner");
    } finally {
      server.closeAllConnections();
      server.close();
    }
    const redirect = await fetchHandler(() => Response.redirect("http://b.example/", 307), options)(asked());
    expect([redirect.status, redirect.headers.get("location"), redirect.headers.get("x-request-id")]).toEqual([
      307,
      "http://b.example/",
      "mine",
    ]);
    const error = await fetchHandler(() => Response.error(), options)(asked());
    expect([error.type, error.status]).toEqual(["error", 0]);
  });

  test("a response without a body that answers several requests: each has its own id", async () => {
    const shared = new Response(null, { status: 204 });
    const handler = fetchHandler(() => shared, options);
    const both = await Promise.all(["a", "b"].map((each) => handler(asked({ headers: { "X-Request-Id": each } }))));
    expect(both.map(({ headers }) => headers.get("x-request-id"))).toEqual(["a", "b"]);
    expect(shared.headers.has("x-request-id")).toBe(false);
  });

  test("a network error, and values that are not responses, do not change", async () => {
    const app = new Hono().use(trace.honoMiddleware(options)).get("/x", () => Response.error());
    expect((await app.fetch(asked())).type).toBe("error");
    for (const each of [undefined, null, {}])
      expect(await fetchHandler(() => each as unknown as Response, options)(asked())).toBe(each);
  });

  test("a response of no body; none has the header unless it is to be echoed", async () => {
    const none = await fetchHandler(() => new Response(null, { status: 204 }), options)(asked());
    expect([none.status, none.body, none.headers.get("x-request-id")]).toEqual([204, null, "mine"]);
    const silent = await fetchHandler(() => new Response("x"), { useHeader: true })(asked());
    expect(silent.headers.has("x-request-id")).toBe(false);
  });

  test("what else the server hands over, and this, reach the handler", async () => {
    const owner = { fetch: fetchHandler(handler) };
    function handler(this: unknown, _request: Request, env: { a: number }, extra: string): Response {
      return Response.json([this === owner, env.a, extra]);
    }
    expect(await (await owner.fetch(asked(), { a: 1 }, "e")).json()).toEqual([true, 1, "e"]);
  });

  test("concurrent requests; a factory gets the request; errors reject", async () => {
    const handler = fetchHandler(
      async (request) => {
        const first = id();
        await sleep(Math.random() * 5);
        if (request.url.endsWith("/7")) throw new RangeError("expected");
        return new Response(String(first === id() ? first : "mixed"));
      },
      { requestIdFactory: async ({ url }) => url },
    );
    const urls = Array.from({ length: 20 }, (_, i) => `http://a.example/${i}`);
    const answers = await Promise.allSettled(urls.map(async (url) => (await handler(new Request(url))).text()));
    const values = answers.map((each) => (each.status === "fulfilled" ? each.value : (each.reason as Error).name));
    expect(values).toEqual(urls.map((url, i) => (i === 7 ? "RangeError" : url)));
    const failing = fetchHandler(() => expect.unreachable(), {
      requestIdFactory: () => Promise.reject(new Error("no")),
    });
    await expect(failing(asked())).rejects.toThrow("no");
    expect(id()).toBeUndefined();
  });
});
