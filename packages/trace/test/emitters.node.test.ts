/** Bound emitters: where listeners run, and that everything else about them stays Node's. */
import { AsyncLocalStorage } from "node:async_hooks";
import { EventEmitter, errorMonitor, getEventListeners, on, once } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { describe, expect, test, vi } from "vitest";
import { type Context, Contexts } from "../src/context/context.ts";
import { runIn } from "../src/context/storage.ts";
import { bindMessages, type ResponseMessage } from "../src/emitters/messages.ts";
import { bindEmitter, expressMiddleware, id, runWithContext, runWithId, runWithSpan } from "../src/index.ts";

const ADDERS = ["on", "addListener", "prependListener", "once", "prependOnceListener"] as const;
const EVENTS = ["data", "__proto__", "constructor", "toString", "hasOwnProperty", "", Symbol("event"), errorMonitor];

/** A request and a response that belong to a context with this id, as a middleware leaves them. */
function bound(name: unknown): { request: EventEmitter; response: PassThrough & ResponseMessage; context: Context } {
  const [request, response, context] = [new EventEmitter(), new PassThrough(), requestContext(name)];
  runIn(context, bindMessages, context, request, response);
  return { request, response, context };
}

function requestContext(name: unknown): Context {
  const context = Contexts.root();
  context.request = context;
  context.requestId = name;
  return context;
}

describe.each(ADDERS)("%s", (add) => {
  test.each(EVENTS)("of the event %s runs in the request, and is removed", (event) => {
    const { request } = bound("mine");
    const seen: unknown[] = [];
    const listener = vi.fn(function (this: unknown, ...args: unknown[]) {
      seen.push(id(), this === request, ...args);
    });
    expect(runWithId(() => request[add](event, listener), "stranger")).toBe(request);
    expect(request.listeners(event)).toEqual([listener]);
    expect(getEventListeners(request, event)).toEqual([listener]);
    expect(request.listenerCount(event)).toBe(1);
    expect(request.eventNames()).toEqual([event]);
    runWithId(() => expect(request.emit(event, 1, 2)).toBe(true), "emitter");
    expect(seen).toEqual(["mine", true, 1, 2]);
    request.off(event, listener);
    expect(request.listenerCount(event)).toBe(0);
    expect(request.emit(event, 1)).toBe(false);
    expect(listener).toHaveBeenCalledTimes(1);
  });

  test("of a value that is not a function: Node's error", () => {
    const { request } = bound("mine");
    for (const bad of [undefined, null, "listener", {}])
      expect(() => request[add]("a", bad as never)).toThrow(
        expect.objectContaining({ code: "ERR_INVALID_ARG_TYPE", name: "TypeError" }),
      );
  });

  test("newListener and removeListener get the function itself", () => {
    const { request } = bound("mine");
    const events: unknown[] = [];
    request.on("newListener", (event, listener) => events.push(["new", event, listener]));
    request.on("removeListener", (event, listener) => events.push(["removed", event, listener]));
    events.length = 0;
    const listener = () => undefined;
    request[add]("a", listener);
    request.removeListener("a", listener);
    expect(events).toEqual([
      ["new", "a", listener],
      ["removed", "a", listener],
    ]);
  });
});

describe("removal", () => {
  test("removes the function that is given, not another", () => {
    const { request } = bound("mine");
    const [a, b] = [vi.fn(), vi.fn()];
    request.on("x", a).on("x", b).off("x", a);
    request.emit("x");
    expect([a.mock.calls.length, b.mock.calls.length]).toEqual([0, 1]);
    request.off("x", vi.fn());
    expect(request.listeners("x")).toEqual([b]);
  });

  test("of one that was added before the middleware", () => {
    const request = new EventEmitter();
    const [before, after] = [vi.fn(), vi.fn()];
    request.on("x", before);
    runIn(requestContext("mine"), bindMessages, requestContext("mine"), request, new PassThrough());
    request.on("x", after).off("x", before);
    request.emit("x");
    expect([before.mock.calls.length, after.mock.calls.length]).toEqual([0, 1]);
  });

  test("of one that was added twice takes away one, the last", () => {
    const { request } = bound("mine");
    const order: string[] = [];
    const twice = () => order.push("twice");
    request.on("x", twice).on("x", () => order.push("between"));
    request.on("x", twice);
    request.off("x", twice);
    request.emit("x");
    expect(order).toEqual(["twice", "between"]);
    request.off("x", twice);
    request.emit("x");
    expect(order).toEqual(["twice", "between", "between"]);
  });

  test("a once beside an on: the first event takes away the once alone", () => {
    const { request } = bound("mine");
    const [a, b] = [vi.fn(), vi.fn()];
    request.once("x", a).on("x", b);
    request.emit("x");
    request.emit("x");
    expect([a.mock.calls.length, b.mock.calls.length]).toEqual([1, 2]);
    expect(request.listeners("x")).toEqual([b]);
  });

  test("of a once before its event", () => {
    const { request } = bound("mine");
    const a = vi.fn();
    request.once("x", a).off("x", a);
    expect(request.emit("x")).toBe(false);
    expect(a).not.toHaveBeenCalled();
  });

  test("a once that emits its own event runs once", () => {
    const { request } = bound("mine");
    const a = vi.fn(() => request.emit("x"));
    request.once("x", a);
    request.emit("x");
    expect(a).toHaveBeenCalledTimes(1);
  });

  test("removeAllListeners, of an event and of all", () => {
    const { request } = bound("mine");
    request.on("x", vi.fn()).once("x", vi.fn()).on("y", vi.fn());
    request.removeAllListeners("x");
    expect(request.eventNames()).toEqual(["y"]);
    request.removeAllListeners();
    expect(request.eventNames()).toEqual([]);
  });

  test("rawListeners of a once are as Node's: calling one removes it, its listener is the function", () => {
    const { request } = bound("mine");
    const a = vi.fn();
    request.once("x", a);
    const [raw] = request.rawListeners("x") as (((...args: unknown[]) => void) & { listener: unknown })[];
    expect(raw!.listener).toBe(a);
    raw!("argument");
    expect(a).toHaveBeenCalledWith("argument");
    expect(request.listenerCount("x")).toBe(0);
    raw!();
    expect(a).toHaveBeenCalledTimes(1);
  });
});

describe("order", () => {
  test("is the order of a plain emitter", () => {
    const script = (emitter: EventEmitter) => {
      const order: number[] = [];
      const add = (n: number) => () => order.push(n);
      emitter.on("x", add(1)).prependListener("x", add(2)).once("x", add(3)).prependOnceListener("x", add(4));
      emitter.addListener("x", add(5));
      emitter.emit("x");
      emitter.emit("x");
      return order;
    };
    expect(script(bound("mine").request)).toEqual(script(new EventEmitter()));
  });
});

describe("where listeners run", () => {
  test("where they were added, if that is within the request", () => {
    const { request, context } = bound("mine");
    const seen: unknown[] = [];
    const note = () => seen.push(id());
    runWithContext(context, () => {
      request.on("x", note);
      runWithId(() => request.on("x", note), "nested");
      runWithId(() => runWithSpan(() => request.once("x", note)), "nested too");
    });
    request.on("x", note);
    runWithId(() => request.on("x", note), "stranger");
    const other = bound("other");
    runWithContext(other.context, () => request.on("x", note));
    runWithId(() => request.emit("x"), "emitter");
    expect(seen).toEqual(["mine", "nested", "nested too", "mine", "mine", "mine"]);
  });

  test("an inner middleware moves the owner: its id everywhere", () => {
    const { request, response, context } = bound("outer");
    const seen: unknown[] = [];
    const note = () => seen.push(id());
    const inner = runWithContext(context, () => context.nested());
    inner.request = inner;
    inner.requestId = "inner";
    runIn(inner, bindMessages, inner, request, response);
    runWithContext(inner, () => request.on("x", note));
    request.on("x", note);
    runWithContext(context, () => request.on("x", note));
    runWithId(() => response.on("x", note), "stranger");
    request.emit("x");
    response.emit("x");
    expect(seen).toEqual(Array(4).fill("inner"));
  });

  test("with the storages of others: of where it was added, or of where the middleware ran", () => {
    const other = new AsyncLocalStorage<string>();
    const [request, response, context] = [new EventEmitter(), new PassThrough(), requestContext("mine")];
    other.run("middleware", () => runIn(context, bindMessages, context, request, response));
    const seen: unknown[] = [];
    const note = () => seen.push([other.getStore(), id()]);
    runWithContext(context, () => other.run("here", () => request.on("x", note)));
    other.run("stranger's", () => request.on("x", note));
    other.run("emitter's", () => request.emit("x"));
    expect(seen).toEqual([
      ["here", "mine"],
      ["middleware", "mine"],
    ]);
  });

  test("listeners from before the middleware stay as they are", () => {
    const request = new EventEmitter();
    const seen: unknown[] = [];
    request.on("x", () => seen.push(id()));
    const context = requestContext("mine");
    runIn(context, bindMessages, context, request, new PassThrough());
    runWithId(() => request.emit("x"), "emitter");
    expect(seen).toEqual(["emitter"]);
  });

  test("errors that a listener throws pass, and its result is seen by captureRejections", async () => {
    const { request } = bound("mine");
    request.on("x", () => {
      throw new RangeError("no");
    });
    expect(() => request.emit("x")).toThrow(RangeError);
    const capturing = bindEmitter(new EventEmitter({ captureRejections: true }));
    capturing.on("x", async () => {
      throw new RangeError("rejected");
    });
    capturing.emit("x");
    const [error] = await once(capturing, "error");
    expect(error).toBeInstanceOf(RangeError);
  });
});

describe("messages that refuse properties", () => {
  class OnlyRead extends PassThrough {}
  Object.defineProperty(OnlyRead.prototype, "write", { get: () => () => true });

  test.each([
    ["a frozen request", () => [Object.freeze(new EventEmitter()), new PassThrough()]],
    ["a sealed response", () => [new EventEmitter(), Object.seal(new EventEmitter())]],
    ["a response whose write cannot be set", () => [new EventEmitter(), new OnlyRead()]],
  ])("%s: the request continues, in its context", (_name, make) => {
    const [request, response] = make() as [never, never];
    const next = vi.fn(() => expect(id()).toBe("mine"));
    expressMiddleware({ requestIdFactory: () => "mine", echoHeader: true })(request, response, next);
    expect(next).toHaveBeenCalledOnce();
  });
});

describe("a shared emitter", () => {
  test("runs listeners where they were added", () => {
    const emitter = new EventEmitter();
    expect(bindEmitter(emitter)).toBe(emitter);
    expect(bindEmitter(emitter)).toBe(emitter);
    const seen: unknown[] = [];
    const note = () => seen.push(id());
    runWithId(() => emitter.on("x", note), "a");
    runWithId(() => emitter.once("x", note), "b");
    emitter.on("x", note);
    runWithId(() => emitter.emit("x"), "emitter");
    expect(seen).toEqual(["a", "b", undefined]);
    expect(emitter.listeners("x")).toEqual([note, note]);
  });

  test("calls methods that were patched before", () => {
    const emitter = new EventEmitter();
    const { on: original } = emitter;
    const events: unknown[] = [];
    emitter.on = function (event, listener) {
      events.push(event);
      return original.call(this, event, listener);
    };
    bindEmitter(emitter);
    emitter.on("a", vi.fn());
    emitter.once("b", vi.fn());
    expect(events).toEqual(["a", "b"]);
  });

  test("other objects are refused", () => {
    for (const bad of [undefined, null, {}, "a", { on: 1 }])
      expect(() => bindEmitter(bad as never)).toThrow(expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }));
  });
});

describe("Node's helpers", () => {
  test("events.once, resolved, failed, aborted", async () => {
    const { request } = bound("mine");
    setImmediate(() => request.emit("x", 1));
    expect(await once(request, "x")).toEqual([1]);
    setImmediate(() => request.emit("error", new RangeError("no")));
    await expect(once(request, "x")).rejects.toThrow(RangeError);
    const abort = new AbortController();
    const waiting = once(request, "x", { signal: abort.signal });
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
    expect(request.eventNames()).toEqual([]);
  });

  test("events.on, to its end", async () => {
    const { request } = bound("mine");
    setImmediate(() => {
      for (const n of [1, 2, 3]) request.emit("x", n);
    });
    const got: unknown[] = [];
    for await (const [n] of on(request, "x")) {
      got.push(n);
      if (n === 3) break;
    }
    expect(got).toEqual([1, 2, 3]);
    expect(request.eventNames()).toEqual([]);
  });

  test("the warning of too many listeners counts them", async () => {
    const { request } = bound("mine");
    const warned = once(process, "warning");
    request.setMaxListeners(2);
    for (let i = 0; i < 3; i++) request.on("x", () => i);
    const [warning] = await warned;
    expect(warning).toMatchObject({ name: "MaxListenersExceededWarning", type: "x", count: 3, emitter: request });
  });

  test("streams flow, pipe and end as ever", async () => {
    const readable = bindEmitter(Readable.from(["a", "b", "c"]));
    const through = bindEmitter(new PassThrough());
    const parts: string[] = [];
    await pipeline(readable, through, async (source) => {
      for await (const part of source) parts.push(String(part));
    });
    expect(parts.join("")).toBe("abc");
    const flowing = bindEmitter(Readable.from(["x"]));
    const listener = vi.fn();
    flowing.on("data", listener); // starts the flow: Readable overrides `on`
    await once(flowing, "end");
    expect(listener).toHaveBeenCalledTimes(1);
    const piped = bindEmitter(Readable.from(["a"]));
    const target = bindEmitter(new PassThrough());
    piped.pipe(target);
    expect(await target.toArray()).toEqual([Buffer.from("a")]);
    expect(piped.listenerCount("data")).toBe(0);
  });
});

describe("write and end", () => {
  test("call back in the request, whoever flushes, or where they were called within it", async () => {
    const { response, context } = bound("mine");
    const seen: unknown[] = [];
    response.cork();
    runWithId(() => response.write("a", () => seen.push(id())), "stranger");
    runWithContext(context, () => runWithId(() => response.write("b", "utf8", () => seen.push(id())), "nested"));
    response.write("c");
    runWithId(() => response.end("d", () => seen.push(id())), "stranger");
    runWithId(() => response.uncork(), "flusher");
    expect(String(Buffer.concat(await response.toArray()))).toBe("abcd");
    expect(seen).toEqual(["mine", "nested", "mine"]);
  });

  test("return what they return, and refuse what they refuse", async () => {
    const { response } = bound("mine");
    expect(response.write("a")).toBe(true);
    expect(() => response.write(null)).toThrow(expect.objectContaining({ code: "ERR_STREAM_NULL_VALUES" }));
    expect(response.end()).toBe(response);
  });
});

test("a request or response that is not an emitter does not change", () => {
  const context = requestContext("mine");
  const request = {};
  runIn(context, bindMessages, context, request as never, undefined as never);
  expect(Reflect.ownKeys(request)).toEqual([]);
  const emitter = new EventEmitter();
  runIn(context, bindMessages, context, emitter, emitter as never);
  expect(emitter).not.toHaveProperty("write");
});
