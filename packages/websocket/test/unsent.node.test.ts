/** Unsent messages to a peer that does not read are bounded, whatever the peer sends. */
import { attach as attachPage } from "@moonpack/websocket/browser";
import { attach, type Connection, connect } from "@moonpack/websocket/ws";
import { expect, onTestFinished, test } from "vitest";
import { gate, rawClient, rejection, served, stubbornPeer } from "./harness/echo.ts";
import { fakePageSocket } from "./harness/fake-page-socket.ts";
import { fakeWebSocket } from "./harness/fake-ws.ts";

const UNASKED_PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
const MIB = 0x100000;

/** Returns a server's connection to a peer that reads nothing and sends pongs. */
async function unread(maxUnsentBytes: number, idleTimeout = 30_000): Promise<Connection> {
  const begun = gate<Connection>();
  const { url } = await served(
    async (connection) => {
      begun.open(connection);
      await connection.closed;
    },
    { maxUnsentBytes, idleTimeout },
  );
  const peer = await stubbornPeer(url);
  peer.pause();
  const timer = setInterval(() => peer.write(UNASKED_PONG), 20);
  onTestFinished(() => clearInterval(timer));
  return begun.promise;
}

test.each([
  ["long", 60_000],
  ["short", 100],
])("a broadcast of %s messages to a peer that reads nothing ends its connection", async (_, length) => {
  const connection = await unread(8 * MIB);
  const message = new Uint8Array(length);
  let most = 0;
  let waiting = 0;
  for (let turn = 0; connection.isOpen && turn < 5000; turn++) {
    // The system's own buffers are filled first.
    for (let n = 0; n < 50 && connection.isOpen; n++) {
      if (connection.bufferedBytes > 0) waiting++;
      void connection.sendBytes(message);
      most = Math.max(most, connection.bufferedBytes);
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(connection.isOpen).toBe(false);
  const { error } = await connection.closed;
  expect(error).toMatchObject({ code: "ERR_WEBSOCKET_UNSENT" });
  expect(await rejection(connection.sendBytes(message))).toBe(error);
  // Short messages count with the memory of each message.
  expect(most).toBeLessThan(9 * MIB);
  expect(waiting * (length + 400)).toBeLessThan(9 * MIB);
  expect(connection.bufferedBytes).toBe(0);
});

test("a message of any length is sent while the limit is not reached", async () => {
  const { url } = await served(async (connection) => void (await connection.send(new Uint8Array(4 * MIB))), {
    maxUnsentBytes: 1000,
  });
  const connection = await connect(url, { maxMessageBytes: 8 * MIB });
  const message = await connection.receive();
  expect((message?.value as Uint8Array).length).toBe(4 * MIB);
});

test("messages that the system accepts at once do not count, in any number", async () => {
  const count = 2000;
  const { url } = await served(
    async (connection) => {
      for (let n = 0; n < count; n++) void connection.send(n);
    },
    { maxUnsentBytes: 10_000 },
  );
  const connection = await connect(url);
  let received = 0;
  for await (const _ of connection) received++;
  expect(received).toBe(count);
});

test("send waits for many short messages, as for a few long ones", async () => {
  const peer = fakeWebSocket();
  const connection = await attach(peer.socket, { sendBufferBytes: 100_000 });
  const first = await Promise.race([connection.send(1), Promise.resolve("waits")]);
  expect(first).toBeUndefined();
  for (let n = 0; n < 1000; n++) void connection.send(1);
  expect(await Promise.race([connection.send(1), Promise.resolve("waits")])).toBe("waits");
  connection.terminate();
});

test("in a page, too", async () => {
  const { socket } = fakePageSocket();
  const connection = await attachPage(socket, { idleTimeout: 0, maxUnsentBytes: MIB });
  let sent = 0;
  for (; connection.isOpen && sent < 10_000; sent++) {
    void connection.send(1);
    // The buffer empties at intervals.
    if (sent === 3000) socket.bufferedAmount = 0;
  }
  expect(sent).toBeGreaterThan(7000);
  expect(sent).toBeLessThan(7500);
  expect((await connection.closed).error).toMatchObject({ code: "ERR_WEBSOCKET_UNSENT" });
});

test("a flood of pings of the protocol ends the connection", async () => {
  const begun = gate<Connection>();
  const { url } = await served(async (connection) => {
    begun.open(connection);
    await connection.closed;
  });
  const peer = await stubbornPeer(url);
  peer.pause();
  const connection = await begun.promise;
  const pings = Buffer.alloc(60_000, Buffer.from([0x89, 0x80, 0, 0, 0, 0]));
  let most = 0;
  for (let bytes = 0; bytes < 48_000_000 && connection.isOpen; bytes += pings.length) {
    peer.write(pings);
    most = Math.max(most, connection.bufferedBytes);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await connection.closed).error).toMatchObject({ code: "ERR_WEBSOCKET_CLOSED" });
  // Each answer is 2 bytes long.
  expect(most).toBeLessThan(20_000);
});

test("a peer that pauses for longer than idleTimeout stays connected: it repeats its answer and sends no pings", async () => {
  const idleTimeout = 200;
  const ws = { port: 0, host: "127.0.0.1", ...{ maxPendingAutoPongs: 2 } };
  const { url } = await served(
    async (connection) => {
      for (let n = 0; n < 2000; n++) await connection.send(new Uint8Array(10_000));
    },
    { ws, idleTimeout },
  );
  const connection = await connect(url, { idleTimeout });
  await new Promise((resolve) => setTimeout(resolve, 5 * idleTimeout));
  let received = 0;
  for await (const _ of connection) received++;
  expect(received).toBe(2000);
});

test("unsolicited pongs do not keep a peer alive that reads nothing", async () => {
  const connection = await unread(64 * MIB, 400);
  for (let n = 0; n < 100; n++) void connection.sendBytes(new Uint8Array(60_000));
  expect((await connection.closed).error).toMatchObject({ code: "ERR_WEBSOCKET_TIMEOUT" });
});

test("at most one ping waits", async () => {
  const peer = fakeWebSocket();
  const connection = await attach(peer.socket, { idleTimeout: 100 });
  for (let n = 0; n < 20; n++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    peer.answer();
  }
  expect([connection.isOpen, peer.pings()]).toEqual([true, 1]);
  connection.terminate();
});

test("control characters of the peer's reason are escaped in the error text", async () => {
  const reason = "gone\r\n\u001b[31mred\u202e";
  const failure = gate<unknown>();
  const { url } = await served(async (connection) => failure.open(await rejection(connection.receive())));
  (await rawClient(url)).close(4000, reason);
  const error = await failure.promise;
  expect(error).toMatchObject({ code: "ERR_WEBSOCKET_CLOSED", closeCode: 4000, reason });
  expect((error as Error).message).toBe(
    "the peer closed the connection with the code 4000: gone\\u000d\\u000a\\u001b[31mred\\u202e",
  );
});
