/** Listeners of emitters that are not only Node's: other libraries' methods, classes' own, functions that stand for others. */
import { EventEmitter } from "node:events";
import http, { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { Socket } from "node:net";
import { ROOT_CONTEXT } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { describe, expect, test, vi } from "vitest";
import { bindEmitter, expressMiddleware, hapiPlugin, id, runWithId } from "../src/index.ts";
import { installedNodes, run } from "./harness/nodes.ts";

const require = createRequire(import.meta.url);

type Bind = (emitter: EventEmitter) => EventEmitter;

/** Replaces listeners by other functions, and maps them itself. */
class Keeping extends EventEmitter {
  readonly #kept = new Map<unknown, (...args: unknown[]) => void>();

  override on(event: string, listener: (...args: never[]) => void): this {
    const kept = (...args: unknown[]): void => Reflect.apply(listener, this, args);
    this.#kept.set(listener, kept);
    return super.on(event, kept);
  }

  override removeListener(event: string, listener: (...args: never[]) => void): this {
    return super.removeListener(event, this.#kept.get(listener) ?? (listener as never));
  }

  override off(event: string, listener: (...args: never[]) => void): this {
    return this.removeListener(event, listener);
  }
}

const manager = new AsyncLocalStorageContextManager().enable();
const withOpenTelemetry: Bind = (emitter) => manager.bind(ROOT_CONTEXT, emitter);
const kinds: [string, () => EventEmitter][] = [
  ["that OpenTelemetry has bound before", () => bindEmitter(withOpenTelemetry(new EventEmitter()))],
  ["that OpenTelemetry binds after", () => withOpenTelemetry(bindEmitter(new EventEmitter()))],
  ["of a class with its own removal", () => bindEmitter(new Keeping())],
];

describe.each(kinds)("an emitter %s", (_kind, make) => {
  test.each(["on", "once", "addListener", "prependListener", "prependOnceListener"] as const)("%s", (add) => {
    const emitter = make();
    const seen: unknown[] = [];
    const listener = () => seen.push(id());
    for (const remove of ["off", "removeListener"] as const) {
      runWithId(() => emitter[add]("x", listener), "added");
      emitter[remove]("x", listener);
      // This class alone does not find the function that a once stands for.
      expect(emitter.listenerCount("x")).toBe(emitter instanceof Keeping && add === "once" ? 1 : 0);
      emitter.removeAllListeners();
    }
    runWithId(() => emitter[add]("x", listener), "added");
    runWithId(() => [emitter.emit("x"), emitter.emit("x")], "emitter");
    expect(seen).toEqual(add.includes("nce") ? ["added"] : ["added", "added"]);
  });

  test("a listener that was added twice is removed twice; removeAllListeners forgets all", () => {
    const emitter = make();
    const [listener, other] = [vi.fn(), vi.fn()];
    emitter.on("x", listener).on("y", listener).on("x", other);
    emitter.removeAllListeners("x");
    emitter.on("x", listener);
    emitter.emit("x");
    emitter.off("x", listener);
    expect([emitter.listenerCount("x"), emitter.listenerCount("y")]).toEqual([0, 1]);
    emitter.removeAllListeners();
    expect(emitter.eventNames()).toEqual([]);
    emitter.on("x", listener);
    emitter.off("x", listener);
    emitter.emit("x");
    expect([listener.mock.calls.length, other.mock.calls.length]).toEqual([1, 0]);
  });
});

test("OpenTelemetry's binding of a server's messages, as its instrumentation does it, in front of the middleware", () => {
  const request = withOpenTelemetry(new IncomingMessage(new Socket())) as IncomingMessage;
  const response = withOpenTelemetry(new ServerResponse(request)) as ServerResponse;
  const [data, finish, seen] = [vi.fn(), vi.fn(), [] as unknown[]];
  const requestIdFactory = () => "mine";
  expressMiddleware({ requestIdFactory })(request, response, () => {
    request.on("x", data).off("x", data);
    response.once("x", finish).off("x", finish);
    response.once("y", () => seen.push(id()));
    expect([request.listenerCount("x"), response.listenerCount("x")]).toEqual([0, 0]);
  });
  for (let i = 0; i < 2; i++) response.emit("y");
  expect(seen).toEqual(["mine"]);
});

describe("a function that stands for another one by its property listener", () => {
  const adders = ["on", "addListener", "prependListener"] as const;
  test.each(
    adders.flatMap((add) => [[add, "itself"] as const, [add, "the other"] as const]),
  )("%s, removed by %s, as Node does it", (add, by) => {
    const script = (emitter: EventEmitter) => {
      const calls: string[] = [];
      const other = () => calls.push("other");
      const standing = Object.assign(() => calls.push("standing"), { listener: other });
      emitter[add]("x", standing);
      emitter[add]("x", () => calls.push("plain"));
      emitter[add]("x", standing);
      const listeners = emitter.listeners("x").map((each) => each === other);
      emitter.off("x", by === "itself" ? standing : other);
      emitter.emit("x");
      emitter.removeListener("x", by === "itself" ? standing : other);
      emitter.emit("x");
      return [calls, listeners, emitter.listenerCount("x")];
    };
    expect(script(bindEmitter(new EventEmitter()))).toEqual(script(new EventEmitter()));
  });

  test("and removes itself", () => {
    const emitter = bindEmitter(new EventEmitter());
    const seen: unknown[] = [];
    const other = () => seen.push(id());
    const standing = Object.assign(() => emitter.removeListener("x", standing) && other(), { listener: other });
    runWithId(() => emitter.on("x", standing), "added");
    for (let i = 0; i < 2; i++) emitter.emit("x");
    expect([seen, emitter.listenerCount("x")]).toEqual([["added"], 0]);
  });

  test("others on the same emitter are removed as before: the one nearest to the end", () => {
    const script = (emitter: EventEmitter) => {
      const calls: string[] = [];
      const twice = () => calls.push("twice");
      emitter.on(
        "x",
        Object.assign(() => calls.push("standing"), { listener: () => undefined }),
      );
      emitter.on("x", twice).prependListener("x", twice).off("x", twice);
      emitter.emit("x");
      return calls;
    };
    expect(script(bindEmitter(new EventEmitter()))).toEqual(script(new EventEmitter()));
  });
});

test("a class's own once and prependOnceListener are called", () => {
  const called: string[] = [];
  class Counting extends EventEmitter {
    override once(event: string, listener: () => void): this {
      called.push("once");
      return super.once(event, listener);
    }

    override prependOnceListener(event: string, listener: () => void): this {
      called.push("prependOnceListener");
      return super.prependOnceListener(event, listener);
    }
  }
  const emitter = bindEmitter(new Counting());
  const seen: unknown[] = [];
  runWithId(() => emitter.once("x", () => seen.push(id())).prependOnceListener("x", () => seen.push("first")), "added");
  for (let i = 0; i < 2; i++) emitter.emit("x");
  expect([called, seen]).toEqual([
    ["once", "prependOnceListener"],
    ["first", "added"],
  ]);
});

describe.each(["hapi-20", "hapi-21"])("%s: the listeners of its server", (name) => {
  test("run once, are removed, come later, and run in the order that they had", async () => {
    const server = require(name).server({ port: 0, host: "127.0.0.1", debug: false });
    const seen: string[] = [];
    const note = (text: string) => () => seen.push(text);
    const removed = note("removed");
    server.listener.prependOnceListener("request", note("once"));
    server.listener.prependListener("request", note("first"));
    server.listener.on("request", removed);
    const count = server.listener.listenerCount("request");
    await server.register({ plugin: hapiPlugin, options: { requestIdFactory: () => "mine" } });
    expect(server.listener.listenerCount("request")).toBe(count);
    server.listener.removeListener("request", removed);
    server.listener.on("request", note("late"));
    server.route({ method: "GET", path: "/", handler: () => String(id()) });
    await server.start();
    const { port } = server.listener.address() as AddressInfo;
    const get = () =>
      new Promise<string>((resolve) =>
        http.get({ port, host: "127.0.0.1" }, (response) => response.setEncoding("utf8").on("data", resolve)),
      );
    const answers = [await get(), await get()];
    await server.stop();
    expect([answers, seen]).toEqual([
      ["mine", "mine"],
      ["first", "once", "late", "first", "late"],
    ]);
  });

  test("requests that wait for 100 Continue: each has its id, behind one another on a connection too", async () => {
    const server = require(name).server({ port: 0, host: "127.0.0.1", debug: false });
    const before: unknown[] = [];
    server.ext("onRequest", (_request: unknown, { continue: goOn }: { continue: unknown }) => {
      before.push(id());
      return goOn;
    });
    await server.register({ plugin: hapiPlugin, options: { useHeader: true, echoHeader: true } });
    const handler = ({ payload }: { payload: string }) => `${payload} ${String(id())}`;
    server.route({ method: "POST", path: "/", handler });
    await server.start();
    const { port } = server.listener.address() as AddressInfo;
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const post = (key: string) =>
      new Promise((resolve) => {
        const headers = { "X-Request-Id": key, Expect: "100-continue", "Content-Type": "text/plain" };
        const request = http.request({ agent, port, host: "127.0.0.1", method: "POST", headers }, (response) => {
          let text = "";
          response.setEncoding("utf8").on("data", (part: string) => (text += part));
          response.on("end", () => resolve([text, response.headers["x-request-id"]]));
        });
        request.on("continue", () => request.end("body"));
      });
    const answers = await Promise.all(["a", "b", "c"].map(post));
    agent.destroy();
    await server.stop();
    expect(answers).toEqual(["a", "b", "c"].map((key) => [`body ${key}`, key]));
    expect(before).toEqual([undefined, undefined, undefined]);
  });
});

describe.each(await installedNodes())("Node $version", (node) => {
  test("messages whose prototype Express has replaced become dictionaries where V8 is slow to add to them; no others", () => {
    const program = `
      import { IncomingMessage, ServerResponse } from "node:http";
      import { Socket } from "node:net";
      import { expressMiddleware } from "@moonpack/trace";
      const seen = [true, false].map((isReplaced) => {
        const request = new IncomingMessage(new Socket());
        const response = new ServerResponse(request);
        if (isReplaced)
          for (const each of [request, response]) Object.setPrototypeOf(each, Object.create(Object.getPrototypeOf(each)));
        const before = [request, response].map((each) => Reflect.ownKeys(each).map(String));
        expressMiddleware()(request, response, () => undefined);
        const added = [request, response].map((each, i) => Reflect.ownKeys(each).map(String).filter((key) => !before[i].includes(key)));
        return [%HasFastProperties(request), %HasFastProperties(response), ...added];
      });
      console.log(JSON.stringify(seen));`;
    const own = ["addListener", "on", "prependListener", "Symbol(@moonpack/trace.1.binding)"];
    const added = [
      expect.toSatisfy((keys) => own.join() === keys.toSorted(byText).join()),
      expect.arrayContaining(own),
    ];
    expect(run(node, program, "module", ["--allow-natives-syntax"])).toEqual([
      [node.major >= 24, node.major >= 24, ...added],
      [true, true, ...added],
    ]);
  });
});

function byText(a: string, b: string): number {
  return a.toLowerCase().localeCompare(b.toLowerCase());
}
