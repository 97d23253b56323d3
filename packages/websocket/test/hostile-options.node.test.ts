/** Options of untyped callers: unknown names, getters. */
import { codec, schema, toDocument, u8 } from "@moonpack/pck";
import { attach as attachPage, connect as connectPage } from "@moonpack/websocket/browser";
import { attach, connect, framed, serve } from "@moonpack/websocket/ws";
import { MoonpackError } from "moonpack/bytes";
import { expect, test } from "vitest";
import { rejection } from "./harness/echo.ts";
import { fakeWebSocket } from "./harness/fake-ws.ts";

const url = "ws://127.0.0.1:9";
const unknown = (text: string) => ({ code: "ERR_INVALID_ARGUMENT", message: expect.stringContaining(text) });

test("unknown options are refused by every function, with a suggestion", async () => {
  const wrong = { idleTimout: "90s" } as never;
  const text = '"idleTimout" is not a known option: did you mean idleTimeout?';
  const socket = { addEventListener: () => {}, readyState: 0 } as never;
  const calls = [
    connect(url, wrong),
    attach(fakeWebSocket().socket, wrong),
    connectPage(url, wrong),
    attachPage(socket, wrong),
  ];
  for (const call of calls) expect(await rejection(call)).toMatchObject(unknown(text));
  expect(() => serve({ ws: { noServer: true }, idleTimout: 1 } as never, async () => {})).toThrow(
    expect.objectContaining(unknown(text)),
  );
  expect(() => framed(schema(u8("n")), { resolve: () => undefined } as never)).toThrow(
    expect.objectContaining(unknown("did you mean resolver?")),
  );
});

test("an option of another function is unknown", async () => {
  for (const options of [{ onError: () => {} }, { protocols: [] }, { ws: {} }])
    expect(await rejection(attach(fakeWebSocket().socket, options as never))).toMatchObject(unknown("not a known"));
  expect(await rejection(connectPage(url, { ws: {} } as never))).toMatchObject(unknown('"ws"'));
});

test("options of ws pass through, except the limit that is ours", async () => {
  const ws = { noServer: true as const, maxPayload: 5 };
  expect(() => serve({ ws }, async () => {})).toThrow(expect.objectContaining(unknown("maxMessageBytes")));
  expect(await rejection(connect(url, { ws: { maxPayload: 5 } }))).toMatchObject(unknown("maxMessageBytes"));
  const serving = serve({ ws: { noServer: true, path: "/live" } }, async () => {});
  expect(serving.server.options).toMatchObject({ path: "/live", maxPayload: 1 << 20 });
  await serving.close();
});

test("exactly one kind of server is required", () => {
  for (const ws of [{}, { port: 0, noServer: true }, { port: null, host: "127.0.0.1" }, 5, []])
    expect(() => serve({ ws } as never, async () => {})).toThrow(expect.objectContaining(unknown("ws must be")));
});

test("durations are milliseconds or texts with a unit", async () => {
  for (const [name, value] of [
    ["openTimeout", "0.5 s"],
    ["openTimeout", "30d"],
    ["closeTimeout", "0s"],
    ["idleTimeout", -1],
    ["idleTimeout", "90"],
  ])
    expect(await rejection(connect(url, { [name!]: value } as never))).toMatchObject(unknown(String(name)));
  const late = await rejection(connect("ws://192.0.2.1", { openTimeout: "20ms" }));
  expect(["ERR_WEBSOCKET_TIMEOUT", "ERR_WEBSOCKET_CLOSED"]).toContain((late as { code: string }).code);
});

test("each option is read once", async () => {
  const reads = new Map<string, number>();
  const options = Object.defineProperties(
    {},
    Object.fromEntries(
      ["kinds", "maxMessageBytes", "openTimeout", "signal", "protocols", "ws"].map((name) => [
        name,
        { enumerable: true, get: () => void reads.set(name, (reads.get(name) ?? 0) + 1) },
      ]),
    ),
  );
  await rejection(connect(url, options));
  expect([...reads.values()]).toEqual([1, 1, 1, 1, 1, 1]);
});

test("framed checks its arguments at once, and reads a document once", () => {
  for (const wrong of [undefined, null, 5, "x", [], {}]) expect(() => framed(wrong as never)).toThrow(MoonpackError);
  for (const resolver of [5, "x", null, {}])
    expect(() => framed(schema(u8("n")), { resolver } as never)).toThrow(
      expect.objectContaining(unknown("resolver must be a function")),
    );
  const N = schema(u8("n"));
  let reads = 0;
  const { pck, ...rest } = toDocument(N);
  const get = (): number => {
    reads++;
    return pck;
  };
  const document = Object.defineProperty(rest, "pck", { get, enumerable: true }) as never;
  const framedDocument = framed<{ n: number }, { n: number }>(document);
  const before = reads;
  const bytes = framedDocument.encode({ n: 5 });
  expect(bytes).toEqual(framed(N).encode({ n: 5 }));
  expect(framed(codec(N)).decode(bytes)).toEqual({ n: 5 });
  expect(framedDocument.decode(bytes)).toEqual({ n: 5 });
  expect(reads).toBe(before);
});
