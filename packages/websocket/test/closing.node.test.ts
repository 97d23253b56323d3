/** Closing connections with slow, hostile and disconnected peers. */
import { once } from "node:events";
import type { Socket } from "node:net";
import { connect } from "@moonpack/websocket/ws";
import { expect, test } from "vitest";
import type { ServerOptions } from "ws";
import { gate, rawClient, rejection, served, stubbornPeer } from "./harness/echo.ts";

test.each([
  ["one long message", 1, 32 << 20],
  ["many messages", 64, 1 << 19],
])("close waits for a slow peer that reads %s", { timeout: 60_000 }, async (_, count, length) => {
  const ws: ServerOptions & { closeTimeout: number } = { port: 0, host: "127.0.0.1", closeTimeout: 1000 };
  const { url } = await served(
    async (connection) => {
      for (let n = 0; n < count; n++) void connection.send(new Uint8Array(length));
      await connection.close();
    },
    { ws, closeTimeout: 2000 },
  );
  const socket = await rawClient(url);
  const { _socket: tcp } = socket as unknown as { _socket: Socket };
  let received = 0;
  socket.on("message", (data: Buffer) => {
    received += data.length;
  });
  // A chunk of 64 KB, then a pause.
  tcp.on("data", () => {
    tcp.pause();
    setTimeout(() => tcp.resume(), 10);
  });
  // The peer also receives the close message. Its answer may be too late, because the system still buffers sent bytes.
  expect((await once(socket, "close"))[0]).toBe(1000);
  expect(received).toBeGreaterThanOrEqual(count * length);
});

test("a protocol error rejects waiting calls at once, and ends the connection although the peer keeps its socket", async () => {
  const failed = gate<unknown>();
  const closed = gate<unknown>();
  const { url } = await served(
    async (connection) => {
      failed.open(await rejection(connection.receive()));
      closed.open(await connection.closed);
    },
    { closeTimeout: 100, ws: { port: 0, host: "127.0.0.1", ...{ closeTimeout: 1_000_000 } } },
  );
  const peer = await stubbornPeer(url);
  peer.write(Buffer.from([0x83, 0x80, 0, 0, 0, 0]));
  const error = await failed.promise;
  expect(error).toMatchObject({ code: "ERR_WEBSOCKET_PROTOCOL" });
  expect(await closed.promise).toMatchObject({ error });
});

test("a peer that closes and keeps its socket is ended after closeTimeout", async () => {
  const closed = gate<unknown>();
  const { url } = await served(async (connection) => closed.open(await connection.receive()), { closeTimeout: 100 });
  const peer = await stubbornPeer(url);
  peer.write(Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8]));
  expect(await closed.promise).toBeUndefined();
});

test.each([
  ["the peer closes", false],
  ["the server closes", true],
])("onError is not called for the error of send after %s", async (_, isServer) => {
  const begun = gate();
  const ended = gate<unknown>();
  const serving = await served(async (connection) => {
    begun.open();
    for (;;) {
      try {
        await connection.send("more");
      } catch (error) {
        ended.open(error);
        throw error;
      }
    }
  });
  const connection = await connect(serving.url);
  await begun.promise;
  // A closing server waits for the peer to read.
  const reading = (async () => {
    for await (const _ of connection);
  })();
  await (isServer ? serving.close() : connection.close());
  await reading;
  expect(await ended.promise).toMatchObject({ code: "ERR_CLOSED" });
  await new Promise((resolve) => setImmediate(resolve));
  expect(serving.errors).toEqual([]);
});

test.each([
  ["there is none and the error has no text", undefined, "a handler threw a value that has no text"],
  [
    "it throws",
    () => {
      throw new Error("a bug in onError");
    },
    "a bug in onError",
  ],
  ["it rejects", () => Promise.reject(new Error("a late bug")) as never, "a late bug"],
])("onError: the process survives when %s", async (_, onError, message) => {
  const warning = once(process, "warning");
  const { url } = await served(
    async () => {
      throw Object.create(null);
    },
    { onError: onError as never },
  );
  const connection = await connect(url);
  expect(await connection.closed).toMatchObject({ code: 1011 });
  expect((await warning)[0]).toMatchObject({ message });
});
