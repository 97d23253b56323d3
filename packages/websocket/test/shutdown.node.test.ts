/** Closing a server with open sockets of other clients. */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@moonpack/websocket/ws";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { gate, HANDSHAKE, rejection, served, stranger, stubbornPeer } from "./harness/echo.ts";

test.each([
  ["sends nothing", ""],
  ["sends half a head", "GET / HTTP/1.1\r\nHost:"],
  ["sends half a body", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1"],
])("close settles while a client %s", async (_, text) => {
  const serving = await served(async () => {}, { closeTimeout: 500 });
  const socket = await stranger(serving.url, text);
  const ended = once(socket, "close");
  // The server has accepted the socket, too.
  await new Promise((resolve) => setTimeout(resolve, 50));
  await serving.close();
  socket.resume().end();
  await ended;
});

test("close settles while verifyClient is pending", async () => {
  const asked = gate();
  const serving = await served(async () => {}, {
    ws: { port: 0, host: "127.0.0.1", verifyClient: (_info: unknown, _answer: unknown) => asked.open() },
  });
  await stranger(serving.url, HANDSHAKE);
  await asked.promise;
  await serving.close();
});

test("an abort ends all sockets", async () => {
  const controller = new AbortController();
  const serving = await served(async () => {}, { signal: controller.signal });
  await stranger(serving.url);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const closed = once(serving.server, "close");
  controller.abort();
  await closed;
});

test("an abort ends a close that waits for a peer", async () => {
  const controller = new AbortController();
  const begun = gate();
  const { signal } = controller;
  const serving = await served(
    async (connection) => {
      begun.open();
      await connection.closed;
    },
    { signal, closeTimeout: 1_000_000 },
  );
  await stubbornPeer(serving.url);
  await begun.promise;
  const closed = serving.close();
  controller.abort();
  await closed;
});

test("sockets of the application's HTTP server stay open", async () => {
  const http = createServer((_, response) => response.end("hello"));
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const serving = serve({ ws: { server: http } }, async () => {});
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const socket = await stranger(url, "GET / HTTP/1.1\r\n");
  const client = new WebSocket(url.replace("http", "ws"));
  await once(client, "open");
  await serving.close();
  socket.write("Host: x\r\n\r\n");
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString()).toContain("hello");
});

test.each([
  ["close", 1001],
  ["abort", 1006],
])("a connection that opens during %s ends, too", async (call, code) => {
  const http = createServer();
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const controller = new AbortController();
  const { signal } = controller;
  let handled = 0;
  const serving = serve({ ws: { server: http }, signal }, async (connection) => {
    handled++;
    await connection.closed;
  });
  const closed = new Promise((resolve) => {
    serving.server.once("connection", () => {
      if (call === "abort") controller.abort();
      resolve(serving.close());
    });
  });
  const client = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`);
  onTestFinished(() => {
    client.terminate();
    http.closeAllConnections();
    http.close();
  });
  expect((await once(client, "close"))[0]).toBe(code);
  await closed;
  expect(handled).toBe(0);
});

test("listening rejects if the server is closed before it listens", async () => {
  const serving = serve({ ws: { port: 0, host: "127.0.0.1" } }, async () => {});
  await serving.close();
  expect(await rejection(serving.listening)).toMatchObject({ code: "ERR_CLOSED" });
  // An unhandled rejection would fail this run.
  await serve({ ws: { noServer: true } }, async () => {}).close();
});
