/** The middleware and the listener over real sockets: http, pipelined requests, http2. */
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect as connect2, createServer as createServer2 } from "node:http2";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  expressMiddleware,
  fastifyMiddleware,
  get,
  httpListener,
  id,
  runWithId,
  set,
  type TraceOptions,
} from "../src/index.ts";
import { exchange, type RunningServer, get as request, requestText, serve } from "./harness/raw-request.ts";

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

async function served(handler: Handler, options?: TraceOptions<IncomingMessage>): Promise<RunningServer> {
  const server = await serve(httpListener(handler, options));
  running.push(server);
  return server;
}

const answerId: Handler = (_request, response) => response.end(String(id()));

describe("httpListener", () => {
  test("each request has another id", async () => {
    const { port } = await served(answerId);
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await request(port)).body));
    expect(new Set(ids).size).toBe(20);
    for (const each of ids) expect(each).toMatch(UUID_V4);
  });

  test("the id of the header, echoed as spelt", async () => {
    const { port } = await served(answerId, { useHeader: true, echoHeader: true, headerName: "x-Correlation-ID" });
    const { headers, body } = await request(port, [["X-CORRELATION-ID", "a-1"]]);
    expect([body, headers.get("x-Correlation-ID")]).toEqual(["a-1", "a-1"]);
  });

  test.each([
    [
      [
        ["X-Request-Id", "a"],
        ["x-request-id", "b"],
      ],
    ],
    [[["X-Request-Id", "a b"]]],
    [[["X-Request-Id", "a\x85b"]]],
    [[["X-Request-Id", "\u00e9"]]],
    [[["X-Request-Id", "a".repeat(1 << 20)]]],
    [[["X-Request-Id", ""]]],
  ] as [[string, string][]][])("hostile headers give no id (%#)", async (headers) => {
    const { port } = await served(answerId, { useHeader: true, echoHeader: true });
    const answer = await request(port, headers);
    expect(answer.body).toMatch(UUID_V4);
    expect(answer.headers.get("X-Request-Id")).toBe(answer.body);
  });

  test("a line break ends the header: it cannot be in an id, nor in an echo", async () => {
    const { port } = await served(answerId, { useHeader: true, echoHeader: true });
    const answer = await request(port, [["X-Request-Id", "a\r\nX-Injected: 1"]]);
    expect([answer.body, answer.headers.get("X-Request-Id"), answer.headers.has("X-Injected")]).toEqual([
      "a",
      "a",
      false,
    ]);
    const forged = await served(answerId, { requestIdFactory: () => "a\r\nX-Injected: 1", echoHeader: true });
    const { headers, status } = await request(forged.port);
    expect([status, headers.has("X-Request-Id"), headers.has("X-Injected")]).toEqual([200, false, false]);
  });

  test("10,000 members of tracestate do not hurt", async () => {
    const { port } = await served(answerId, { traceContext: true });
    const members = Array.from({ length: 10_000 }, (_, i) => `k${i}=1`).join();
    expect((await request(port, [["tracestate", members]])).status).toBe(200);
  });

  test("a factory that fails: 500, and one warning", async () => {
    const listener = vi.fn(answerId);
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    for (const requestIdFactory of [() => Promise.reject(undefined), () => expect.unreachable("no")]) {
      const { port } = await served(listener, { requestIdFactory });
      for (let i = 0; i < 3; i++) expect((await request(port)).status).toBe(500);
    }
    expect(warn.mock.calls.map(([, options]) => options)).toEqual(Array(2).fill({ code: "MOONPACK_TRACE_FACTORY" }));
    expect(listener).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  test("a factory that takes its time", async () => {
    const { port } = await served(answerId, { requestIdFactory: async ({ url }) => sleep(2).then(() => url) });
    const ids = await Promise.all(["/a", "/b"].map(async (path) => (await request(port, [], path)).body));
    expect(ids).toEqual(["/a", "/b"]);
  });

  test("this and the result are the listener's", () => {
    const seen: unknown[] = [];
    const listener = httpListener(function (this: unknown) {
      seen.push(this);
      return 7;
    });
    expect(listener.call("server", { headers: {} } as never, {} as never)).toBe(7);
    expect(seen).toEqual(["server"]);
  });

  test("not enabled: untouched", async () => {
    expect(httpListener(answerId, { enabled: false })).toBe(answerId);
    const { port } = await served(
      (message, response) => {
        response.end(JSON.stringify([id(), Object.hasOwn(message, "on"), Object.hasOwn(response, "end")]));
      },
      { enabled: false, useHeader: true },
    );
    expect(JSON.parse((await request(port)).body)).toEqual([null, false, false]);
  });

  test("bad options and listeners are refused at once", () => {
    const refused = expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" });
    expect(() => httpListener(undefined as never)).toThrow(refused);
    expect(() => httpListener(answerId, { headerName: "a b" })).toThrow(refused);
    expect(() => expressMiddleware({ headerName: "a b" })).toThrow(refused);
  });
});

describe("events of a request", () => {
  test("have its id, wherever their listeners were added", async () => {
    const seen: unknown[] = [];
    const note = (what: string) => () => seen.push([what, id()]);
    const { port } = await served(
      (message, response) => {
        message.on("data", note("data")).on("end", note("end")).on("close", note("request closed"));
        runWithId(() => response.once("finish", note("finish")), "nested");
        setTimeout(() => runWithId(() => response.on("close", note("closed")), "nested too"), 1);
        message.on("end", () => setTimeout(() => response.end("x", note("ended")), 5));
      },
      { requestIdFactory: () => "mine" },
    );
    const body = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc";
    await exchange(port, body);
    expect(Object.fromEntries(seen as [string, unknown][])).toEqual({
      data: "mine",
      end: "mine",
      "request closed": "mine",
      finish: "nested",
      closed: "nested too",
      ended: "mine",
    });
  });

  test("pipelined requests keep theirs, though a response is flushed inside another's", async () => {
    const seen: Record<string, unknown[]> = {};
    let endFirst = () => {};
    const { port } = await served(
      (message, response) => {
        const note = () => (seen[message.url!] ??= []).push(id());
        response.on("finish", note).on("close", note);
        message.on("close", note);
        if (message.url === "/0") {
          endFirst = () => response.end("first", note);
          return;
        }
        response.write("a", note);
        response.write("b", note);
        response.end(note);
        if (message.url === "/2") setTimeout(() => endFirst(), 10);
      },
      { requestIdFactory: ({ url }) => url },
    );
    const text = ["/0", "/1", "/2"].map((path, i) => requestText(path, [], i === 2)).join("");
    await exchange(port, text);
    for (const [path, ids] of Object.entries(seen)) expect(new Set(ids), path).toEqual(new Set([path]));
    expect([seen["/0"]!.length, seen["/1"]!.length, seen["/2"]!.length]).toEqual([4, 6, 6]);
  });

  test("nothing of a request is there in the next one on its connection", async () => {
    const seen: unknown[] = [];
    const traced = httpListener((_request, response) => {
      set("a", 1);
      response.end("1");
    });
    const server = await serve((message, response) => {
      seen.push(id(), get("a"));
      if (message.url === "/traced") traced(message, response);
      else response.end("2");
    });
    running.push(server);
    await exchange(server.port, [1, 2, 3].map((n) => requestText(n === 2 ? "/2" : "/traced", [], n === 3)).join(""));
    expect(seen).toEqual(Array(6).fill(undefined));
  });

  test("aborted by the client: still its id", async () => {
    const seen: unknown[] = [];
    let done = () => {};
    const closed = new Promise<void>((resolve) => {
      done = resolve;
    });
    const { port } = await served(
      (message, response) => {
        message.on("aborted", () => seen.push(id())).on("error", () => seen.push(id()));
        response.on("close", () => {
          seen.push(id());
          done();
        });
        socket.destroy();
      },
      { requestIdFactory: () => "mine" },
    );
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na");
    await closed;
    expect(seen).toEqual(["mine", "mine", "mine"]);
  });
});

describe("middleware", () => {
  test.each([expressMiddleware, fastifyMiddleware])("%o: next runs in the context, alone", (make) => {
    const [message, response] = [{ headers: {} } as never, {} as never];
    let seen: unknown;
    const next = vi.fn((...args: unknown[]) => {
      seen = [args, id()];
    });
    make({ requestIdFactory: () => "mine" })(message, response, next);
    expect(seen).toEqual([[], "mine"]);
    expect(id()).toBeUndefined();
  });

  test("an error of the factory goes to next, also undefined", async () => {
    const error = new RangeError("no");
    const message = { headers: {} } as never;
    const failed = (requestIdFactory: () => unknown) =>
      new Promise((resolve) => expressMiddleware({ requestIdFactory })(message, {} as never, resolve));
    const fail = (thrown: unknown) => () => {
      throw thrown;
    };
    expect(await failed(fail(error))).toBe(error);
    expect(await failed(() => Promise.reject(error))).toBe(error);
    expect(await failed(fail(undefined))).toBeInstanceOf(Error);
    expect(await failed(() => Promise.reject(undefined))).toBeInstanceOf(Error);
  });

  test("an error of next is not the factory's: next is called once", () => {
    const next = vi.fn(() => {
      throw new RangeError("next");
    });
    expect(() => expressMiddleware()({ headers: {} } as never, {} as never, next)).toThrow(RangeError);
    expect(next).toHaveBeenCalledTimes(1);
  });

  test("no echo if headers are sent already, or if the name is refused", () => {
    const setHeader = vi.fn(() => {
      throw new TypeError("refused");
    });
    const next = vi.fn();
    const middleware = expressMiddleware({ echoHeader: true });
    middleware({ headers: {} } as never, { headersSent: true, setHeader } as never, next);
    expect(setHeader).not.toHaveBeenCalled();
    middleware({ headers: {} } as never, { headersSent: false, setHeader } as never, next);
    expect(setHeader).toHaveBeenCalledTimes(1);
    expect(next).toHaveBeenCalledTimes(2);
  });

  test("not enabled: next alone", () => {
    const next = vi.fn();
    const message = {};
    expressMiddleware({ enabled: false, useHeader: true })(message as never, {} as never, next);
    expect(next).toHaveBeenCalledWith();
    expect(Reflect.ownKeys(message)).toEqual([]);
  });
});

test("http2: ids, echo, events, the callback of end", async () => {
  const seen: unknown[] = [];
  let done = () => {};
  const closed = new Promise<void>((resolve) => {
    done = resolve;
  });
  const server = createServer2(
    httpListener(
      (_request, response) => {
        response
          .on("finish", () => seen.push(id()))
          .on("close", () => {
            seen.push(id());
            done();
          });
        setTimeout(() => response.end("x", () => seen.push(id())), 1);
      },
      { useHeader: true, echoHeader: true },
    ),
  ).listen(0);
  await once(server, "listening");
  const client = connect2(`http://localhost:${(server.address() as AddressInfo).port}`);
  const stream = client.request({ "x-request-id": "mine" });
  const [headers] = await once(stream, "response");
  stream.resume();
  await Promise.all([once(stream, "end"), closed]);
  expect(headers["x-request-id"]).toBe("mine");
  expect(seen).toEqual(["mine", "mine", "mine"]);
  client.close();
  server.close();
  await once(server, "close");
});
