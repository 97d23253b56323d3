/** Hostile messages: each ends only its own connection, with a close code and a coded error. */
import { once } from "node:events";
import { codec, schema, u8 } from "@moonpack/pck";
import { attach as attachPage } from "@moonpack/websocket/browser";
import { connect } from "@moonpack/websocket/ws";
import { encode } from "moonpack";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { gate, rawClient, rawServer, rejection, served } from "./harness/echo.ts";

const kinds = { 1: codec(schema("One", u8("n"))) };
const options = { kinds, maxMessageBytes: 10_000 };

const BYTES: [string, Uint8Array, string, number][] = [
  ["nothing", new Uint8Array(0), "ERR_TRUNCATED", 1007],
  ["half an array", new Uint8Array([0x92, 1]), "ERR_TRUNCATED", 1007],
  ["an array of 4 billion elements", new Uint8Array([0xdd, 255, 255, 255, 255]), "ERR_TRUNCATED", 1007],
  ["5,000 nested arrays", new Uint8Array(5000).fill(0x91), "ERR_LIMIT_DEPTH", 1007],
  ["bytes after the value", new Uint8Array([1, 2]), "ERR_TRAILING_BYTES", 1007],
  ["text that is not UTF-8", new Uint8Array([0xa1, 0xff]), "ERR_INVALID_UTF8", 1007],
  ["the escape alone", new Uint8Array([0xc1]), "ERR_INVALID_BYTE", 1007],
  ["a kind without bytes", new Uint8Array([0xc1, 1]), "ERR_TRUNCATED", 1007],
  ["a kind with too many bytes", new Uint8Array([0xc1, 1, 5, 5]), "ERR_TRAILING_BYTES", 1007],
  ["an unknown kind", new Uint8Array([0xc1, 9, 5]), "ERR_WEBSOCKET_MESSAGE", 1003],
  ["a signal with data", new Uint8Array([0xc1, 0, 5]), "ERR_WEBSOCKET_MESSAGE", 1003],
  ["a too long message", new Uint8Array(10_001), "ERR_LIMIT_BYTES", 1009],
];

describe.each(["reads", "reads later"])("a server that %s", (when) => {
  async function serving(): Promise<{ url: string; failure: Promise<unknown>; received: unknown[] }> {
    const failure = gate<unknown>();
    const received: unknown[] = [];
    const { url } = await served(async (connection) => {
      if (when === "reads later")
        await expect.poll(() => connection.unreadBytes > 100 || !connection.isOpen).toBe(true);
      try {
        for await (const { value } of connection) received.push(value);
      } catch (error) {
        failure.open(error);
        throw error;
      }
    }, options);
    return { url, failure: failure.promise, received };
  }

  test.each(BYTES)("refuses %s", async (_, bytes, code, closeCode) => {
    const { url, failure, received } = await serving();
    const socket = await rawClient(url);
    socket.send(encode(1));
    socket.send(bytes);
    const [closed] = await once(socket, "close");
    expect(await failure).toMatchObject({ code });
    expect(received).toEqual([1]);
    expect(closed).toBe(closeCode);
  });

  test("refuses text", async () => {
    const { url, failure, received } = await serving();
    const socket = await rawClient(url);
    socket.send(encode(1));
    socket.send("text");
    const [closed, reason] = await once(socket, "close");
    expect([closed, String(reason)]).toEqual([1003, "ERR_WEBSOCKET_MESSAGE"]);
    expect(await failure).toMatchObject({ code: "ERR_WEBSOCKET_MESSAGE" });
    expect(received).toEqual([1]);
  });

  test.each([
    ["a reserved opcode", [0x83, 0x80, 0, 0, 0, 0], 1002],
    ["a frame without mask", [0x82, 0x01, 0x01], 1002],
    ["a reserved bit", [0xf2, 0x81, 0, 0, 0, 0, 1], 1002],
    ["a ping of 200 bytes", [0x89, 0xfe, 0, 200, 0, 0, 0, 0], 1002],
    ["a continuation of nothing", [0x80, 0x81, 0, 0, 0, 0, 1], 1002],
    ["a reserved close code", [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xed], 1002],
  ])("refuses %s", async (_, frame, closeCode) => {
    const { url, failure } = await serving();
    const socket = await rawClient(url);
    const raw = (socket as unknown as { _socket: import("node:net").Socket })._socket;
    raw.write(Buffer.from([0x82, 0x81, 0, 0, 0, 0, 1]));
    raw.write(Buffer.from(frame));
    const [closed] = await once(socket, "close");
    expect(await failure).toMatchObject({ code: "ERR_WEBSOCKET_PROTOCOL" });
    expect(closed).toBe(closeCode);
  });
});

test("a message with a declared length of 2 GB is refused before it arrives", async () => {
  const failure = gate<unknown>();
  const { url } = await served(async (connection) => void (await connection.receive().catch(failure.open)), options);
  const socket = await rawClient(url);
  const raw = (socket as unknown as { _socket: import("node:net").Socket })._socket;
  raw.write(Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0x7f, 255, 255, 255, 0, 0, 0, 0]));
  expect((await once(socket, "close"))[0]).toBe(1009);
  expect(await failure.promise).toMatchObject({ code: "ERR_LIMIT_BYTES" });
});

test("other connections, with the same codec, are unaffected", async () => {
  const { url } = await served(async (connection) => {
    for await (const { value } of connection) await connection.send(value);
  }, options);
  await using connection = await connect(url);
  for (const [, bytes] of BYTES) {
    const socket = await rawClient(url);
    socket.send(bytes);
    await once(socket, "close");
    void connection.send({ a: bytes.slice(0, 9) });
    expect(await connection.receive()).toEqual({ kind: 0, value: { a: bytes.slice(0, 9) } });
  }
});

test("a peer that ignores a request to pause is ended", async () => {
  const url = await rawServer((socket) => {
    for (let i = 0; i < 100; i++) socket.send(encode(new Uint8Array(9000)));
  });
  const socket = new WebSocket(url);
  onTestFinished(() => socket.terminate());
  const connection = await attachPage(socket, { unreadBytes: 10_000, maxUnreadBytes: 100_000 });
  const { error } = await connection.closed;
  expect(error).toMatchObject({ code: "ERR_WEBSOCKET_UNREAD" });
  // Earlier messages can still be read.
  let count = 0;
  const failure = await rejection(
    (async () => {
      for await (const _ of connection) count++;
    })(),
  );
  expect([failure, count]).toEqual([error, 11]);
});
