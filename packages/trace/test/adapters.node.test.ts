/** Adapters beyond cls-rtracer, in each framework: factories that wait or fail, and Hapi's inject. */
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { runInNewContext } from "node:vm";
import { Hono } from "hono";
import { describe, expect, test, vi } from "vitest";
import * as trace from "../src/index.ts";
import { FRAMEWORKS, type Handle, type Tracer, withServer } from "./harness/frameworks.ts";

const { fetchHandler, id } = trace;
const tracer = trace.default as unknown as Tracer;
const require = createRequire(import.meta.url);
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const answerId: Handle = async () => {
  const first = id();
  await sleep(1);
  return { id: first === id() ? first : [first, id()] };
};

/** Values that are not Errors: frameworks treat some of them as "no error". */
const NO_ERRORS = [0, "", false, Number.NaN, null, undefined, "route", "router", {}, 0n, Symbol("s")];
const fail = (thrown: unknown): never => {
  throw thrown;
};

describe.each(Object.keys(FRAMEWORKS))("%s", (framework) => {
  test("a factory that returns a promise is awaited, in the new context", async () => {
    let count = 0;
    const requestIdFactory = async () => {
      const mine = ++count;
      await sleep(6 - mine);
      return id() === undefined ? `made-${mine}` : "stranger";
    };
    await withServer(framework, tracer, { requestIdFactory, echoHeader: true }, answerId, async (url) => {
      const answers = await Promise.all(Array.from({ length: 5 }, () => fetch(url)));
      const echoes = answers.map(({ headers }) => headers.get("x-request-id"));
      const bodies = (await Promise.all(answers.map((each) => each.json()))) as { id: string }[];
      expect(bodies.map((body) => body.id)).toEqual(echoes);
      expect(echoes.toSorted()).toEqual(["made-1", "made-2", "made-3", "made-4", "made-5"]);
    });
  });

  test("a factory that throws a value that is not an Error: a TraceFactoryError", async () => {
    const left = NO_ERRORS.flatMap((each) => [() => fail(each), () => Promise.reject(each)]);
    const statuses: number[] = [];
    await withServer(framework, tracer, { requestIdFactory: () => left.pop()!() }, answerId, async (url) => {
      while (left.length > 0) statuses.push((await fetch(url)).status);
    });
    expect(statuses).toEqual(Array(2 * NO_ERRORS.length).fill(500));
  });

  test("a factory that fails: an error of the framework, and the next request is answered", async () => {
    const failures: (() => unknown)[] = [
      () => {
        throw new Error("expected");
      },
      () => Promise.reject(new Error("expected")),
      () => undefined,
    ];
    const requestIdFactory = () => failures.shift()!();
    await withServer(framework, tracer, { requestIdFactory }, answerId, async (url) => {
      expect([(await fetch(url)).status, (await fetch(url)).status]).toEqual([500, 500]);
      expect(((await (await fetch(url)).json()) as { id: string }).id).toMatch(UUID_V4);
    });
  });

  test("the framework's own answers have the id: to errors, unknown paths and methods", async () => {
    const options = { useHeader: true, echoHeader: true };
    const seen: unknown[] = [];
    const failing: Handle = async (_request, _raw, response) => {
      response.once("finish", () => seen.push(id()));
      await sleep(1);
      throw new Error("expected");
    };
    vi.spyOn(console, "error").mockImplementation(() => undefined); // Express prints errors
    await withServer(framework, tracer, options, failing, async (url) => {
      const ask = async (path: string, key: string, init?: RequestInit) => {
        const answer = await fetch(url + path, { ...init, headers: { "X-Request-Id": key } });
        await answer.text();
        return [answer.status >= 400, answer.headers.get("x-request-id")];
      };
      expect(await ask("", "thrown")).toEqual([true, "thrown"]);
      // The application of Koa here has no routes: it fails for these too.
      expect(await ask("none", "no-path")).toEqual([true, "no-path"]);
      expect(await ask("none", "no-method", { method: "DELETE" })).toEqual([true, "no-method"]);
      await vi.waitFor(() => expect(seen).toContain("thrown"));
    });
    expect(seen.filter((each) => !["thrown", "no-path", "no-method"].includes(String(each)))).toEqual([]);
    vi.restoreAllMocks();
  });
});

test("Hono: a value that the factory throws reaches onError as a TraceFactoryError", async () => {
  const left = NO_ERRORS.flatMap((each) => [() => fail(each), () => Promise.reject(each)]);
  const app = new Hono();
  app.use(trace.honoMiddleware({ requestIdFactory: () => left.pop()!() }));
  app.get("/", () => expect.unreachable());
  app.onError((error, c) => c.text(error.name, 503));
  while (left.length > 0) {
    const answer = await app.request("/");
    expect([answer.status, await answer.text()]).toEqual([503, "TraceFactoryError"]);
  }
});

describe("TraceFactoryError", () => {
  const errorOf = async (thrown: unknown): Promise<unknown> => {
    const handler = fetchHandler(() => expect.unreachable(), { requestIdFactory: () => fail(thrown) });
    try {
      return await handler(new Request("http://a.example"));
    } catch (error) {
      return error;
    }
  };

  test.each(NO_ERRORS)("has the thrown value as its cause (%#)", async (thrown) => {
    const error = await errorOf(thrown);
    expect(error).toBeInstanceOf(trace.TraceFactoryError);
    expect(error).toMatchObject({ name: "TraceFactoryError", code: "ERR_USER_CODE" });
    expect(Object.is((error as Error).cause, thrown)).toBe(true);
  });

  test("an Error stays as it is, of another realm too; a proxy that throws is a cause", async () => {
    for (const error of [new RangeError("a"), runInNewContext("new Error('b')")])
      expect(await errorOf(error)).toBe(error);
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(await errorOf(proxy)).toBeInstanceOf(trace.TraceFactoryError);
  });
});

test("a factory's thenable begins its work in the new context", async () => {
  const method: string = "then";
  const lazy = { [method]: (resolve: (id: unknown) => void) => resolve(trace.traceId()) };
  const handler = fetchHandler(() => new Response(String(id() === trace.traceId())), { requestIdFactory: () => lazy });
  const answers = [1, 2].map(async () => (await handler(new Request("http://a.example"))).text());
  expect(await Promise.all(answers)).toEqual(["true", "true"]);
});

test.each(["Fastify 2", "Fastify 3", "Fastify 4", "Fastify 5"])("%s: useFastifyRequestId", async (framework) => {
  const handle: Handle = async (request) => ({ ids: [id(), (request as { id: unknown }).id] });
  await withServer(framework, tracer, { useFastifyRequestId: true, echoHeader: true }, handle, async (url) => {
    const answer = await fetch(url);
    const { ids } = (await answer.json()) as { ids: unknown[] };
    expect(ids[0]).toBe(ids[1]);
    expect(answer.headers.get("x-request-id")).toBe(String(ids[0]));
  });
});

describe.each(["hapi-20", "hapi-21"])("%s, inject", (name) => {
  async function injecting(before: boolean) {
    const server = require(name).server({ debug: false });
    const slow = async (_request: unknown, h: { continue: symbol }) => {
      await sleep(1);
      return h.continue;
    };
    if (before) server.ext("onRequest", slow);
    const requestIdFactory = ({ path }: { path: string }) => path;
    await server.register({ plugin: trace.hapiPlugin, options: { requestIdFactory, echoHeader: true } });
    if (!before) server.ext("onRequest", slow);
    const late: unknown[] = [];
    server.events.on("response", ({ path }: { path: string }) => late.push([path, id()]));
    server.route({ method: "GET", path: "/{n}", handler: () => sleep(1).then(() => String(id())) });
    return { server, late };
  }

  test.each([true, false])("an extension that waits, in front of the plugin: %s", async (before) => {
    const { server, late } = await injecting(before);
    const urls = ["/a", "/b", "/c"];
    const answers = await Promise.all(urls.map((url) => server.inject(url)));
    expect(answers.map(({ payload, headers }) => [payload, headers["x-request-id"]])).toEqual(
      urls.map((url) => [url, url]),
    );
    await vi.waitFor(() => expect(late.toSorted()).toEqual(urls.map((url) => [url, url])));
    expect(id()).toBeUndefined();
  });

  test("the caller of inject stays in its own context", async () => {
    const { server } = await injecting(false);
    const own = trace.runWithId(async () => [(await server.inject("/a")).payload, id()], "mine");
    expect(await own).toEqual(["/a", "mine"]);
  });
});

test("Hapi without the method that runs a request: the context is entered", async () => {
  let decoration: (request: object) => void = () => expect.unreachable();
  const server = { listener: process, ext: () => undefined, decorate: (...args: never[]) => (decoration = args[2]!) };
  trace.hapiPlugin.register(server);
  const seen = await trace.runWithContext(undefined, async () => {
    await undefined;
    decoration({ raw: { req: {} } });
    await undefined;
    return [trace.context() !== undefined, id()];
  });
  expect(seen).toEqual([true, undefined]);
  expect(trace.context()).toBeUndefined();
});
