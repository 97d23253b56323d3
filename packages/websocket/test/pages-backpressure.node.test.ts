/** Backpressure with a peer that cannot pause and answers pings, as a page does. */
import { once } from "node:events";
import { attach } from "@moonpack/websocket/browser";
import type { Connection } from "@moonpack/websocket/ws";
import { encode } from "moonpack";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { gate, rawClient, served } from "./harness/echo.ts";

const PING = Buffer.from([0xc1, 0]);
const ACK_REQUEST = Buffer.from([0xc1, 0xfc]);
const PONG = Buffer.from([0xc1, 0xff]);
const PAUSE = Buffer.from([0xc1, 0xfe]);
const RESUME = Buffer.from([0xc1, 0xfd]);
const BLOCK = new Uint8Array(50_000);

/** Starts a server that sends without end, and counts its completed sends. */
async function flooding(): Promise<{ url: string; sent: () => number; ended: Promise<void> }> {
  let sent = 0;
  const { promise: ended, open } = gate();
  const { url } = await served(async (connection) => {
    try {
      for (; ; sent++) await connection.send(BLOCK);
    } finally {
      open();
    }
  });
  return { url, sent: () => sent, ended };
}

/** Resolves when `count` has not changed for a while. */
async function settled(count: () => number): Promise<number> {
  for (let last = -1; ; ) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    if (count() === last) return last;
    last = count();
  }
}

/** A client that counts blocks and answers pings on demand. */
function busyPage(socket: WebSocket): { blocks: () => number; pings: () => number } {
  let blocks = 0;
  let pings = 0;
  socket.on("message", (data: Buffer) => {
    if (data.equals(ACK_REQUEST)) pings++;
    else if (data.length > 100) blocks++;
  });
  return { blocks: () => blocks, pings: () => pings };
}

test("a page that answers no pings gets at most sendBufferBytes and the bytes of one ping interval", async () => {
  const { url, sent } = await flooding();
  const socket = await rawClient(url);
  const { blocks, pings } = busyPage(socket);
  socket.send(PING);
  const before = await settled(sent);
  expect(blocks() * BLOCK.length).toBeLessThan(2_000_000);
  // Each answer confirms the bytes before its ping. A surplus answer confirms nothing.
  const asked = pings();
  for (let n = 0; n < asked; n++) socket.send(PONG);
  const after = await settled(sent);
  expect(after).toBeGreaterThan(before + 10);
  expect((after - before) * BLOCK.length).toBeLessThan(2_000_000);
});

test("a page that answers no pings gets at most as many short messages as its receive queue may hold", async () => {
  let sent = 0;
  const { url } = await served(async (connection) => {
    await connection.receive();
    for (; ; sent++) await connection.send(1);
  });
  const socket = await rawClient(url);
  socket.send(PING);
  socket.send(encode("begin"));
  const most = await settled(() => sent);
  expect(most).toBeGreaterThan(1000);
  expect(most * 257).toBeLessThan(2_000_000);
});

test("unsolicited answers to pings confirm nothing", async () => {
  const { url, sent } = await flooding();
  const socket = await rawClient(url);
  const { blocks } = busyPage(socket);
  for (let n = 0; n < 1000; n++) socket.send(PONG);
  socket.send(PING);
  await settled(sent);
  expect(blocks() * BLOCK.length).toBeLessThan(2_000_000);
});

test("a peer that sends no signals gets no pings as messages", async () => {
  const { url } = await flooding();
  const socket = await rawClient(url);
  const { blocks, pings } = busyPage(socket);
  await expect.poll(blocks, { timeout: 20_000 }).toBeGreaterThan(1000);
  expect(pings()).toBe(0);
});

test.each([
  ["its answer", PING, PONG],
  ["the permission to resume", PAUSE, RESUME],
])("a server that waits for %s receives it behind unread messages", async (_, before, after) => {
  const reading = gate();
  const received: unknown[] = [];
  const { url } = await served(
    async (connection: Connection) => {
      await reading.promise;
      for (let n = 0; n < 100; n++) await connection.send(BLOCK);
      for await (const { value } of connection) {
        received.push(value);
        if (value === "last") return;
      }
    },
    { unreadBytes: 10_000, sendBufferBytes: 100_000 },
  );
  const socket = await rawClient(url);
  let blocks = 0;
  socket.on("message", (data: Buffer) => {
    if (data.length > 100) blocks++;
    if (data.equals(ACK_REQUEST)) socket.send(PONG);
  });
  socket.send(before);
  for (let n = 0; n < 100; n++) socket.send(encode("unread ".repeat(100)));
  reading.open();
  await new Promise((resolve) => setTimeout(resolve, 100));
  for (let n = 0; n < 100; n++) socket.send(encode("unread ".repeat(100)));
  socket.send(after);
  socket.send(encode("last"));
  await once(socket, "close");
  expect(blocks).toBe(100);
  expect(received.length).toBe(201);
});

test("pings of the server do not slow down a page", async () => {
  const { url } = await flooding();
  const socket = new WebSocket(url);
  const asked: Buffer[] = [];
  const send = socket.send.bind(socket) as (data: Uint8Array) => void;
  socket.send = ((data: Uint8Array) => {
    if (data.length === 2) asked.push(Buffer.from(data));
    send(data);
  }) as never;
  await using connection = await attach(socket as never, { idleTimeout: 600_000 });
  for (let n = 0; n < 100; n++) await connection.receive();
  // The page does not count its own bytes in flight, because the server can pause.
  for (let n = 0; n < 20; n++) await connection.send(BLOCK);
  expect(asked.filter((data) => data.equals(PING)).length).toBe(1);
  expect(asked.filter((data) => data.equals(PONG)).length).toBeGreaterThan(10);
});

test("a peer that floods a waiting server is ended at maxUnreadBytes", async () => {
  const failure = gate<unknown>();
  const { url } = await served(
    async (connection: Connection) => {
      await expect.poll(() => connection.unreadBytes).toBeGreaterThan(10_000);
      await connection.send(BLOCK).catch(failure.open);
    },
    { unreadBytes: 10_000, maxUnreadBytes: 1_000_000 },
  );
  const socket = await rawClient(url);
  socket.send(PAUSE);
  const [closeCode] = await Promise.all([
    once(socket, "close").then(([code]) => code),
    (async () => {
      for (let n = 0; n < 100; n++) {
        socket.send(BLOCK);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    })(),
  ]);
  expect(closeCode).toBe(1008);
  expect(await failure.promise).toMatchObject({ code: "ERR_WEBSOCKET_UNREAD" });
});

test("a page and a server that both send much at the same time make progress", async () => {
  const { url } = await served(async (connection) => {
    for await (const { value } of connection) await connection.send(value);
  });
  await using connection = await attach(new WebSocket(url) as never);
  const sending = (async () => {
    for (let n = 0; n < 400; n++) await connection.send([n, BLOCK]);
  })();
  for (let n = 0; n < 400; n++) {
    const message = await connection.receive();
    expect((message?.value as unknown[])[0]).toBe(n);
    if (n % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await sending;
});
