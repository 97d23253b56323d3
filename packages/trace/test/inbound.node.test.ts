/** Options, ids from headers and factories, the trace that a request continues. */
import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { type Context, Contexts } from "../src/context/context.ts";
import { runIn } from "../src/context/storage.ts";
import { bindMessages } from "../src/emitters/messages.ts";
import { openRequest, type RequestMessage } from "../src/inbound/open-request.ts";
import { readOptions, type TraceOptions } from "../src/inbound/options.ts";
import { echoText } from "../src/inbound/request-id.ts";
import { context, get, id, runWithId, runWithSpan, set, spanId, traceId, traceparent } from "../src/index.ts";

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const refused = expect.objectContaining({ name: "TypeError", code: "ERR_INVALID_ARGUMENT" });
const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

function message(headers: object, rawHeaders?: string[]): RequestMessage {
  return rawHeaders === undefined ? { headers } : { headers, rawHeaders };
}

function opened(options: TraceOptions<never>, headers: object = {}, rawHeaders?: string[]): Context {
  const made = openRequest(readOptions(options), "request", message(headers, rawHeaders));
  expect(made).toBeInstanceOf(Contexts);
  return made as Context;
}

/** The id that is taken from a header x-request-id with this value; undefined if one was generated. */
function taken(value: unknown, options: TraceOptions<never> = {}, rawHeaders?: string[]): unknown {
  const { id } = opened({ useHeader: true, ...options }, { "x-request-id": value }, rawHeaders);
  return typeof id === "string" && UUID_V4.test(id) ? undefined : id;
}

describe("options", () => {
  test("defaults", () => {
    for (const none of [undefined, {}, { headerName: undefined, enabled: undefined } as never])
      expect(readOptions(none)).toEqual({
        useHeader: false,
        headerName: "X-Request-Id",
        headerKey: "x-request-id",
        requestIdFactory: undefined,
        echoHeader: false,
        useFastifyRequestId: false,
        maxIdLength: 128,
        acceptId: undefined,
        traceContext: false,
        sampled: true,
        enabled: true,
      });
  });

  test.each([
    null,
    "options",
    1,
    { headerName: "" },
    { headerName: "a b" },
    { headerName: "a\r\nb" },
    { headerName: "a:b" },
    { headerName: "é" },
    { headerName: 1 },
    { headerName: "TE" },
    { headerName: "Keep-Alive" },
    { headerName: "content-length" },
    { headerName: "Transfer-Encoding" },
    { requestIdFactory: "uuid" },
    { acceptId: true },
    { maxIdLength: 0 },
    { maxIdLength: 1.5 },
    { maxIdLength: "128" },
    { maxIdLength: Number.POSITIVE_INFINITY },
    { traceContext: "continue" },
    { sampled: 1 },
  ])("%j is refused at once", (bad) => {
    expect(() => readOptions(bad as never)).toThrow(refused);
  });

  test("are read once; only own properties count", () => {
    const options = Object.create({ useHeader: true, requestIdFactory: () => "inherited" }) as TraceOptions;
    const settings = readOptions(options);
    expect([settings.useHeader, settings.requestIdFactory]).toEqual([false, undefined]);
    const frozen = Object.freeze({ headerName: "X-Correlation-Id" });
    expect(readOptions(frozen).headerKey).toBe("x-correlation-id");
  });
});

describe("an id from a header", () => {
  test("is taken only with useHeader", () => {
    expect(opened({}, { "x-request-id": "a" }).id).toMatch(UUID_V4);
    expect(taken("a")).toBe("a");
    expect(opened({ useHeader: true, headerName: "X-Other" }, { "x-other": "b", "x-request-id": "a" }).id).toBe("b");
  });

  test("has the characters that nothing escapes, and no others", () => {
    const allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:;/+=@|";
    for (let code = 0; code < 0x180; code++) {
      const value = `a${String.fromCharCode(code)}b`;
      expect(taken(value), value).toBe(allowed.includes(value[1]!) ? value : undefined);
    }
  });

  test.each([
    "",
    " ",
    "a b",
    "a, b",
    "a\r\nb: c",
    "a\n",
    "\na",
    "a\u2028b",
    "日本",
    "\u0000",
    "\u001b[31m",
    "a'b",
    'a"b',
    "<b>",
    "a&b",
    "a%0a",
    "$(id)",
    "a\\n",
  ])("%j is refused", (value) => {
    expect(taken(value)).toBeUndefined();
  });

  test("has 1 to maxIdLength characters", () => {
    expect(taken("a".repeat(128))).toHaveLength(128);
    expect(taken("a".repeat(129))).toBeUndefined();
    expect(taken("a".repeat(129), { maxIdLength: 129 })).toHaveLength(129);
    expect(taken("ab", { maxIdLength: 1 })).toBeUndefined();
    expect(taken("a".repeat(1 << 20), { maxIdLength: 1 << 21 })).toBeUndefined();
  });

  test("of another form than text is refused", () => {
    for (const value of [["a"], ["a", "b"], 1, {}, null, undefined]) expect(taken(value)).toBeUndefined();
  });

  test("is refused if the header is repeated, in any spelling, whatever the object of headers has", () => {
    expect(taken("a", {}, ["X-Request-Id", "a"])).toBe("a");
    expect(taken("a", {}, ["X-Request-Id", "a", "x-REQUEST-id", "b"])).toBeUndefined();
    expect(taken("a", { acceptId: () => true }, ["X-Request-Id", "a", "X-Request-Id", "a"])).toBeUndefined();
    expect(taken("a", {}, ["Other", "X-Request-Id", "X-Request-Id", "a"])).toBe("a");
  });

  test("is found by name, not on a prototype", () => {
    for (const headerName of ["constructor", "__proto__", "toString", "get"]) {
      expect(opened({ useHeader: true, headerName }, {}).id).toMatch(UUID_V4);
      const own = Object.fromEntries([[headerName.toLowerCase(), "a"]]);
      expect(opened({ useHeader: true, headerName }, own).id).toBe("a");
    }
  });

  test("is read from Fetch Headers, which join repeated ones", () => {
    const headers = new Headers({ "X-Request-Id": "a" });
    expect(opened({ useHeader: true }, headers).id).toBe("a");
    headers.append("x-request-id", "b");
    expect(opened({ useHeader: true }, headers).id).toMatch(UUID_V4);
    expect(opened({ useHeader: true }, new Headers()).id).toMatch(UUID_V4);
  });

  test("acceptId replaces the rule for characters, not that for lengths", () => {
    const acceptId = vi.fn((value: string) => value.startsWith("ok ") || (value === "other" && "replaced"));
    expect(taken("ok a", { acceptId })).toBe("ok a");
    expect(taken("other", { acceptId })).toBe("replaced");
    expect(taken("plain", { acceptId })).toBeUndefined();
    expect(taken(`ok ${"a".repeat(126)}`, { acceptId })).toBeUndefined();
    expect(acceptId).toHaveBeenCalledTimes(3);
    expect(acceptId).toHaveBeenCalledWith("ok a", "request");
  });

  test("acceptId: what is neither true nor a text refuses, as does an error", () => {
    for (const answer of [1, {}, Promise.resolve(true), "", null, undefined])
      expect(taken("a", { acceptId: () => answer as boolean })).toBeUndefined();
    const acceptId = () => {
      throw new RangeError("no");
    };
    expect(taken("a", { acceptId })).toBeUndefined();
  });
});

describe("the factory", () => {
  test("gets only the request, in the new context, before it has an id", () => {
    let trace: unknown;
    const requestIdFactory = vi.fn((...args: unknown[]) => {
      expect(args).toEqual(["request"]);
      expect(id()).toBeUndefined();
      expect(context()).toBeInstanceOf(Contexts);
      expect(set("from", "factory")).toBe(true);
      trace = traceId();
      return "made";
    });
    const made = opened({ requestIdFactory: requestIdFactory as never });
    expect([made.id, made.get("from"), made.traceId]).toEqual(["made", "factory", trace]);
    expect(trace).toMatch(/^[0-9a-f]{32}$/);
    expect(requestIdFactory).toHaveBeenCalledTimes(1);
  });

  test("is called only if the header gives no id", () => {
    const requestIdFactory = vi.fn(() => "made");
    const options = { useHeader: true, requestIdFactory };
    expect(opened(options, { "x-request-id": "a" }).id).toBe("a");
    expect(requestIdFactory).not.toHaveBeenCalled();
    expect(opened(options, { "x-request-id": "a b" }).id).toBe("made");
    expect(opened(options).id).toBe("made");
  });

  test.each([0, "", false, null, Number.NaN])("may return %s as the id", (value) => {
    expect(opened({ requestIdFactory: () => value }).id).toBe(value);
  });

  test("undefined: an id is generated", () => {
    expect(opened({ requestIdFactory: () => undefined }).id).toMatch(UUID_V4);
  });

  test("a promise is awaited; until then the id is undefined", async () => {
    let during: unknown = "not asked";
    const requestIdFactory = async () => {
      await sleep(1);
      during = id();
      return "made later";
    };
    const made = openRequest(readOptions({ requestIdFactory }), "request", message({}));
    expect(made).toBeInstanceOf(Promise);
    expect((await made).id).toBe("made later");
    expect(during).toBeUndefined();
    const none = openRequest(readOptions({ requestIdFactory: async () => undefined }), "request", message({}));
    expect((await none).id).toMatch(UUID_V4);
    // biome-ignore lint/suspicious/noThenProperty: a promise of another library
    const thenable = { then: (resolve: (value: string) => void) => resolve("thenable") };
    const other = openRequest(readOptions({ requestIdFactory: () => thenable }), "request", message({}));
    expect((await other).id).toBe("thenable");
  });

  test("its errors pass", async () => {
    const fail = () => {
      throw new RangeError("no");
    };
    expect(() => opened({ requestIdFactory: fail })).toThrow(RangeError);
    const rejected = openRequest(readOptions({ requestIdFactory: async () => fail() }), "request", message({}));
    await expect(rejected).rejects.toThrow(RangeError);
    expect(id()).toBeUndefined();
  });

  test("by default no field of the request is read", () => {
    const request = new Proxy({}, { get: () => expect.unreachable(), has: () => expect.unreachable() });
    const made = openRequest(readOptions({}), request, message({})) as Context;
    expect(made.id).toMatch(UUID_V4);
  });

  test("the framework's id goes before it, and after the header's", () => {
    const requestIdFactory = vi.fn(() => "made");
    const settings = readOptions({ useHeader: true, requestIdFactory });
    const open = (headers: object, frameworkId: unknown) =>
      (openRequest(settings, "request", message(headers), { frameworkId }) as Context).id;
    expect(open({ "x-request-id": "header" }, "framework")).toBe("header");
    expect(open({}, "framework")).toBe("framework");
    expect(open({}, 0)).toBe(0);
    expect(requestIdFactory).not.toHaveBeenCalled();
    expect(open({}, undefined)).toBe("made");
  });
});

describe("the trace", () => {
  const headers = { traceparent: TRACEPARENT, tracestate: "a=1, b=2" };

  test("a new one by default, whatever the headers say", () => {
    const made = opened({}, headers);
    expect(made.traceId).toMatch(/^(?!0af76519)[0-9a-f]{32}$/);
    expect([made.parentSpanId, made.span?.tracestate, made.span?.flags]).toEqual([undefined, undefined, 3]);
  });

  test("is continued with traceContext", () => {
    const { span } = opened({ traceContext: true }, headers);
    expect(span).toMatchObject({
      traceId: "0af7651916cd43dd8448eb211c80319c",
      parentSpanId: "b7ad6b7169203331",
      flags: 1,
      tracestate: "a=1,b=2",
    });
    expect(span!.spanId).toMatch(/^(?!b7ad)[0-9a-f]{16}$/);
  });

  test("is continued from Fetch Headers", () => {
    expect(opened({ traceContext: true }, new Headers(headers)).span).toMatchObject({
      parentSpanId: "b7ad6b7169203331",
      tracestate: "a=1,b=2",
    });
  });

  test("restart: a new one", () => {
    expect(opened({ traceContext: "restart" }, headers).span).toMatchObject({ parentSpanId: undefined, flags: 3 });
  });

  test("a bad or repeated traceparent: a new one, without tracestate", () => {
    for (const [bad, raw] of [
      [{ ...headers, traceparent: TRACEPARENT.toUpperCase() }],
      [{ tracestate: "a=1" }],
      [headers, ["traceparent", TRACEPARENT, "Traceparent", TRACEPARENT]],
    ] as [object, string[]?][]) {
      const { span } = opened({ traceContext: true }, bad, raw);
      expect(span).toMatchObject({ parentSpanId: undefined, tracestate: undefined });
      expect(span!.traceId).not.toBe("0af7651916cd43dd8448eb211c80319c");
    }
  });

  test("an invalid tracestate is dropped, the trace continues", () => {
    for (const tracestate of ["A=1", "x".repeat(1 << 20), Array.from({ length: 10_000 }, (_, i) => `k${i}=1`).join()])
      expect(opened({ traceContext: true }, { ...headers, tracestate }).span).toMatchObject({
        parentSpanId: "b7ad6b7169203331",
        tracestate: undefined,
      });
  });

  test("sampled is an option of new traces", () => {
    const sampled = vi.fn((request: unknown) => request !== "request");
    expect(opened({ sampled: false }).span?.flags).toBe(2);
    expect(opened({ sampled }).span?.flags).toBe(2);
    expect(sampled).toHaveBeenCalledWith("request");
    sampled.mockClear();
    expect(opened({ sampled, traceContext: true }, headers).span?.flags).toBe(1);
    expect(sampled).not.toHaveBeenCalled();
    const fail = () => {
      throw new RangeError("no");
    };
    expect(opened({ sampled: fail }).span?.flags).toBe(3);
  });

  test("the id may be the trace's", () => {
    const made = opened({ requestIdFactory: () => traceId(), traceContext: true }, headers);
    expect(made.id).toBe("0af7651916cd43dd8448eb211c80319c");
  });
});

describe("contexts of others", () => {
  /** A request as a middleware with these options leaves it. */
  function seen(options: TraceOptions<never>, headers: object) {
    const request = Object.assign(new EventEmitter(), { headers });
    const outer = openRequest(readOptions(options), request, request) as Context;
    runIn(outer, bindMessages, outer, request, new EventEmitter());
    return { request, outer };
  }

  test("where a request happens to arrive gives it nothing", () => {
    runWithId(() => {
      set("a", 1);
      const made = opened({});
      expect([made.get("a"), made.traceId === traceId()]).toEqual([undefined, false]);
    }, "stranger");
  });

  test("an outer middleware of the same request gives its values and its span", () => {
    const { request, outer } = seen({ traceContext: true }, { traceparent: TRACEPARENT });
    outer.set("a", 1);
    for (const traceContext of [false, true])
      runIn(outer, () => {
        const inner = openRequest(readOptions({ traceContext }), request, request) as Context;
        expect([inner.get("a"), inner.span]).toEqual([1, outer.span]);
        expect(inner.id).not.toBe(outer.id);
        expect(inner.request).toBe(inner);
      });
  });

  test("so does a context within the outer one's", () => {
    const { request, outer } = seen({}, {});
    runIn(outer, () =>
      runWithSpan(() => {
        set("a", 2);
        const inner = openRequest(readOptions({}), request, request) as Context;
        expect([inner.get("a"), inner.spanId]).toEqual([2, spanId()]);
      }),
    );
  });

  test("but a stranger's does not come in between", () => {
    const { request, outer } = seen({}, {});
    outer.set("a", 1);
    runWithId(() => {
      set("a", 2);
      expect((openRequest(readOptions({}), request, request) as Context).get("a")).toBe(1);
    });
  });

  test("an inner one may continue the trace that the outer did not, or restart it", () => {
    const { request, outer } = seen({}, { traceparent: TRACEPARENT });
    const continued = openRequest(readOptions({ traceContext: true }), request, request) as Context;
    expect(continued.parentSpanId).toBe("b7ad6b7169203331");
    const restarted = openRequest(readOptions({ traceContext: "restart" }), request, request) as Context;
    expect([restarted.traceId === outer.traceId, restarted.parentSpanId]).toEqual([false, undefined]);
  });
});

describe("echo", () => {
  test.each([
    ["a b~", "a b~"],
    [7, "7"],
    [-0.5, "-0.5"],
    [7n, "7"],
    [false, "false"],
    ["x".repeat(1024), "x".repeat(1024)],
  ])("of %s", (value, text) => {
    expect(echoText(value)).toBe(text);
  });

  test.each([
    "",
    "x".repeat(1025),
    "a\r\nb",
    "é",
    "\u007f",
    "日本",
    undefined,
    null,
    Symbol.iterator,
    {},
    ["a"],
    () => 1,
  ])("none of %s", (value) => {
    expect(echoText(value)).toBeUndefined();
  });
});

test("the context has all data of its request", () => {
  const made = opened({ useHeader: true, traceContext: true }, { "x-request-id": "a", traceparent: TRACEPARENT });
  runIn(made, () => {
    expect([id(), traceId(), get("none")]).toEqual(["a", "0af7651916cd43dd8448eb211c80319c", undefined]);
    expect(traceparent()).toBe(`00-${traceId()}-${spanId()}-01`);
  });
});
