import { codec, schema, u8 } from "@moonpack/pck";
import { attach as attachPage, connect as connectPage } from "@moonpack/websocket/browser";
import { attach, connect, encodeKind, serve } from "@moonpack/websocket/ws";
import { expect, test } from "vitest";
import { rejection } from "./harness/echo.ts";

const url = "ws://127.0.0.1:9";

test.each<[string, object | null | number]>([
  ["options", 5],
  ["options", null],
  ["kinds", { kinds: 5 }],
  ["kinds", { kinds: { 0: codec(schema(u8("n"))) } }],
  ["kinds", { kinds: { 128: codec(schema(u8("n"))) } }],
  ["kinds", { kinds: { x: codec(schema(u8("n"))) } }],
  ["kinds", { kinds: { 1: {} } }],
  ["maxMessageBytes", { maxMessageBytes: 0 }],
  ["sendBufferBytes", { sendBufferBytes: -1 }],
  ["unreadBytes", { unreadBytes: 1.5 }],
  ["maxUnreadBytes", { maxUnreadBytes: "1" }],
  ["maxUnsentBytes", { maxUnsentBytes: 0 }],
  ["idleTimeout", { idleTimeout: 2 ** 31 }],
  ["closeTimeout", { closeTimeout: 0 }],
  ["openTimeout", { openTimeout: Number.NaN }],
  ["signal", { signal: {} }],
  ["maxDepth", { decoder: { maxDepth: 0 } }],
])("an invalid option is refused: %s", async (name, options) => {
  const error = { code: "ERR_INVALID_ARGUMENT", message: expect.stringContaining(name) };
  expect(await rejection(connect(url, options as never))).toMatchObject(error);
});

test("a URL and protocols that no WebSocket accepts are refused", async () => {
  for (const connectTo of [connect, connectPage]) {
    for (const wrong of ["nope", "", 5, {}, null, "ftp://localhost/"])
      expect(await rejection(connectTo(wrong as never)), String(wrong)).toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
    const protocols = ["a", "a"];
    expect(await rejection(connectTo(url, { protocols }))).toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
  }
  const ws = { protocolVersion: 5 };
  expect(await rejection(connect(url, { ws }))).toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
});

test("anything but a WebSocket is refused", async () => {
  for (const take of [attach, attachPage])
    for (const socket of [undefined, null, 5, {}])
      expect(await rejection(take(socket as never))).toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
  expect(() => serve({} as never, async () => {})).toThrow(expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }));
  expect(() => serve({ ws: { noServer: true } }, 5 as never)).toThrow(
    expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }),
  );
});

test("listening rejects if the port is in use", async () => {
  const serving = serve({ ws: { port: 0, host: "127.0.0.1" } }, async () => {});
  const { port } = await serving.listening;
  const second = serve({ ws: { port, host: "127.0.0.1" } }, async () => {});
  expect(await rejection(second.listening)).toMatchObject({ code: "EADDRINUSE" });
  await serving.close();
});

test("inherited options are ignored", async () => {
  const inherited = Object.create({ maxMessageBytes: -1, ws: { port: 0 }, kinds: 5 }) as { ws: { noServer: true } };
  expect(() => serve(inherited, async () => {})).toThrow(/ws must be/);
});

test("encodeKind refuses anything but a kind and its codec: 255 would be a signal", () => {
  const one = codec(schema("One", u8("n")));
  for (const kind of [0, 128, 255, 1.5, "1", undefined])
    expect(() => encodeKind(kind as never, one, { n: 5 })).toThrow(/kinds are integers from 1 to 127, not/);
  for (const wrong of [undefined, 5, {}, schema(u8("n"))])
    expect(() => encodeKind(1, wrong as never, { n: 5 } as never)).toThrow(
      expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }),
    );
});

test("a message of a kind is two bytes longer than its value", () => {
  const one = codec(schema("One", u8("n")));
  expect(encodeKind(3, one, { n: 5 })).toEqual(new Uint8Array([0xc1, 3, 5]));
});
