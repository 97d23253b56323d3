/**
 * The promises in the documentation of cls-rtracer, by its sections. The same cases run against cls-rtracer itself, in the frameworks
 * that it says it is tested with: so they are its behaviour, and ours.
 */
import { EventEmitter, once } from "node:events";
import { readFile } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import clsRtracer from "cls-rtracer";
import pino from "pino";
import { describe, expect, test, vi } from "vitest";
import winston from "winston";
import ours from "../src/index.ts";
import { type Handle, type Tracer, withServer } from "./harness/frameworks.ts";

const TRACERS: [string, Tracer][] = [
  ["cls-rtracer", clsRtracer as unknown as Tracer],
  ["@moonpack/trace", ours as unknown as Tracer],
];
const TESTED = ["Express 5", "Fastify 2", "Fastify 2, middleware", "Fastify 5", "Koa 1", "Koa 3", "Hapi 21"];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[14][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const here = import.meta.filename;

describe.each(TRACERS)("%s", (_name, tracer) => {
  const { id } = tracer;
  const answerId: Handle = async () => ({ id: id() ?? null });

  /** The id that a request sees, and the response's headers. */
  const ask = async (url: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url, { headers });
    const { id: seen } = (await response.json()) as { id: unknown };
    return { id: seen, headers: response.headers };
  };

  describe.each(TESTED)("%s", (framework) => {
    const serve = <T>(options: object, handle: Handle, use: (url: string) => Promise<T>) =>
      withServer(framework, tracer, options, handle, use);

    test("generates a UUID for each request; outside there is none", async () => {
      const ids = await serve({}, answerId, async (url) => [(await ask(url)).id, (await ask(url)).id]);
      for (const each of ids) expect(each).toMatch(UUID);
      expect(ids[0]).not.toBe(ids[1]);
      expect(id()).toBeUndefined();
    });

    test("code without the request has the same id: callbacks, promises, async functions", async () => {
      const service = async () => {
        const ids = [id()];
        await sleep(1);
        ids.push(id());
        await promisify(readFile)(here);
        ids.push(id());
        return ids;
      };
      const handle: Handle = async () => {
        const first = id();
        const inCallback = await new Promise((resolve) => setTimeout(() => readFile(here, () => resolve(id())), 1));
        const inPromise = await Promise.resolve().then(() => id());
        return { id: [first, inCallback, inPromise, ...(await service())] };
      };
      const { id: ids } = await serve({}, handle, (url) => ask(url));
      expect(ids).toEqual(Array(6).fill((ids as unknown[])[0]));
      expect((ids as unknown[])[0]).toMatch(UUID);
    });

    test("concurrent requests have different ids", async () => {
      const handle: Handle = async () => {
        const first = id();
        await sleep(Math.random() * 5);
        return { id: first === id() ? first : [first, id()] };
      };
      const ids = await serve({}, handle, (url) => Promise.all(Array.from({ length: 20 }, () => ask(url))));
      for (const each of ids) expect(each.id).toMatch(UUID);
      expect(new Set(ids.map((each) => each.id)).size).toBe(20);
    });

    test("listeners of the request and of the response have the id", async () => {
      const seen: unknown[] = [];
      const handle: Handle = async (_request, raw: IncomingMessage, response: ServerResponse) => {
        const own = id();
        raw.on("custom", () => seen.push(id() === own));
        response.once("finish", () => seen.push(id() === own));
        setImmediate(() => raw.emit("custom"));
        await sleep(2);
        return { id: own };
      };
      await serve({}, handle, async (url) => {
        await ask(url);
        await vi.waitFor(() => expect(seen).toEqual([true, true]));
      });
    });

    test("the header is not read by default", async () => {
      const { id: seen } = await serve({}, answerId, (url) => ask(url, { "X-Request-Id": "mine" }));
      expect(seen).toMatch(UUID);
    });

    test("useHeader: the header's value, if it is there and not empty", async () => {
      await serve({ useHeader: true }, answerId, async (url) => {
        expect((await ask(url, { "x-request-ID": "mine" })).id).toBe("mine");
        expect((await ask(url)).id).toMatch(UUID);
        expect((await ask(url, { "X-Request-Id": "" })).id).toMatch(UUID);
      });
    });

    test("headerName: read in any case, echoed as spelt", async () => {
      const options = { useHeader: true, echoHeader: true, headerName: "X-Your-Request-Header" };
      const own = await serve(options, answerId, (url) =>
        ask(url, { "x-your-request-header": "mine", "X-Request-Id": "x" }),
      );
      expect([own.id, own.headers.get("x-your-request-header"), own.headers.get("x-request-id")]).toEqual([
        "mine",
        "mine",
        null,
      ]);
    });

    test("echoHeader: off by default", async () => {
      expect((await serve({}, answerId, (url) => ask(url))).headers.get("x-request-id")).toBeNull();
      const echoed = await serve({ echoHeader: true }, answerId, (url) => ask(url));
      expect(echoed.headers.get("x-request-id")).toBe(echoed.id);
    });

    test("requestIdFactory: gets the framework's request; the id may be any object; a header goes first", async () => {
      const custom: unknown[] = [];
      const requests: unknown[] = [];
      const requestIdFactory = (request: { headers: Record<string, string> }) => {
        custom.push(request);
        return { id: "own", customHeader: request.headers["x-custom-header"] };
      };
      const handle: Handle = async (request) => {
        requests.push(request);
        return { id: id() };
      };
      await serve({ requestIdFactory, useHeader: true }, handle, async (url) => {
        const made = { id: "own", customHeader: "c" };
        expect((await ask(url, { "X-Custom-Header": "c" })).id).toEqual(made);
        expect((await ask(url, { "X-Request-Id": "mine" })).id).toBe("mine");
      });
      expect(custom.length).toBe(1);
      // A middleware of Fastify has Node's request.
      const [request] = requests as { raw?: unknown }[];
      expect(custom[0]).toBe(framework.endsWith("middleware") ? request!.raw : request);
    });
  });

  test.each([
    "Fastify 2",
    "Fastify 5",
  ])("%s, useFastifyRequestId: after the header, before the factory", async (name) => {
    const options = { useFastifyRequestId: true, useHeader: true, requestIdFactory: () => "made" };
    const handle: Handle = async (request) => ({ id: [id(), (request as { id: unknown }).id] });
    await withServer(name, tracer, options, handle, async (url) => {
      const [seen, own] = (await ask(url)).id as unknown[];
      expect([seen, typeof own]).toEqual([own, name === "Fastify 2" ? "number" : "string"]);
      expect(((await ask(url, { "X-Request-Id": "mine" })).id as unknown[])[0]).toBe("mine");
    });
    await withServer(name, tracer, { requestIdFactory: () => "made" }, handle, async (url) => {
      expect(((await ask(url)).id as unknown[])[0]).toBe("made");
    });
  });

  test("Hapi 21, echoHeader: error responses too", async () => {
    const fail: Handle = async () => {
      throw new Error("expected");
    };
    await withServer("Hapi 21", tracer, { echoHeader: true, useHeader: true }, fail, async (url) => {
      const response = await fetch(url, { headers: { "X-Request-Id": "mine" } });
      expect([response.status, response.headers.get("x-request-id")]).toEqual([500, "mine"]);
    });
  });

  test("runWithId: an id for code that begins in it, also for intervals", async () => {
    const seen: unknown[] = [];
    await new Promise<void>((resolve) => {
      tracer.runWithId(() => {
        seen.push(id());
        const timer = setInterval(() => {
          if (seen.push(id()) < 3) return;
          clearInterval(timer);
          resolve();
        }, 1);
      });
    });
    expect(seen[0]).toMatch(UUID);
    expect(seen).toEqual(Array(3).fill(seen[0]));
    expect(id()).toBeUndefined();
  });

  test("runWithId: the second argument is the id; it returns the function's result, also a promise", async () => {
    expect(tracer.runWithId(() => [id(), "result"], 42)).toEqual([42, "result"]);
    const job = async () => {
      await sleep(1);
      return id();
    };
    expect(await tracer.runWithId(job, "job")).toBe("job");
    expect(await Promise.all([1, 2, 3].map((each) => tracer.runWithId(job, each)))).toEqual([1, 2, 3]);
  });

  test("listeners that are added in a context are not moved to others: events.once", async () => {
    const emitter = new EventEmitter();
    const waiting = tracer.runWithId(async () => {
      await once(emitter, "ready");
      return id();
    }, "mine");
    tracer.runWithId(() => emitter.emit("ready"), "other");
    expect(await waiting).toBe("mine");
  });

  test("its recipe for winston", () => {
    const { combine, timestamp, printf } = winston.format;
    const lines: string[] = [];
    const format = printf((line) => {
      const rid = id();
      return rid ? `${line.timestamp} [request-id:${rid}]: ${line.message}` : `${line.timestamp}: ${line.message}`;
    });
    const transport = new winston.transports.Console();
    transport.log = (line: Record<symbol, string>, next: () => void) => {
      lines.push(line[Symbol.for("message")]!);
      next();
    };
    const logger = winston.createLogger({
      format: combine(timestamp({ format: () => "NOW" }), format),
      transports: [transport],
    });
    logger.info("outside");
    tracer.runWithId(() => logger.info("inside"), "mine");
    expect(lines).toEqual(["NOW: outside", "NOW [request-id:mine]: inside"]);
  });

  test("its recipe for winston, where a transport is slow: ids of others, which winstonMeta is for", async () => {
    const { printf } = winston.format;
    const lines: string[] = [];
    const transport = new winston.transports.Console();
    transport.log = (line: Record<symbol, string>, next: () => void) => {
      lines.push(line[Symbol.for("message")]!);
      setTimeout(next, 1);
    };
    const logger = winston.createLogger({
      format: printf((line) => `${id()} ${line.message}`),
      transports: [transport],
    });
    const COUNT = 60; // more than a stream of objects holds
    for (let i = 0; i < COUNT; i++) tracer.runWithId(() => logger.info(String(i)), i);
    await vi.waitFor(() => expect(lines.length).toBe(COUNT), 5000);
    expect(lines.filter((line) => line.split(" ")[0] !== line.split(" ")[1]).length).toBeGreaterThan(0);
  });

  test("its recipe for pino", () => {
    const lines: string[] = [];
    const mixin = () => ({ requestId: id() });
    const logger = pino({ mixin, base: null, timestamp: false }, { write: (line) => lines.push(line) });
    logger.info("outside");
    tracer.runWithId(() => logger.info("inside"), "mine");
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { level: 30, msg: "outside" },
      { level: 30, requestId: "mine", msg: "inside" },
    ]);
  });
});
