/** The parser bundled for a page: socket.io's client in Chromium, over both transports. */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as parser from "@moonpack/socket.io-parser";
import { withBrowser } from "@moonpack/tools/browser";
import { bundleForBrowsers } from "@moonpack/tools/browser-bundle";
import { runtimeFor } from "@moonpack/tools/runtimes";
import { Server } from "socket.io";
import { expect, onTestFinished, test } from "vitest";

const PAGE = `
import { createParser } from "@moonpack/socket.io-parser";
import * as parser from "@moonpack/socket.io-parser";
import { io } from "socket.io-client";

async function run(transport, parser) {
  const socket = io({ parser, transports: [transport], forceNew: true, reconnection: false });
  const bytes = new Uint8Array([0, 1, 250]);
  const values = [{ text: "größer", list: [1.5, null] }, undefined, bytes, bytes.buffer, new DataView(bytes.buffer)];
  const answer = await socket.timeout(30000).emitWithAck("echo", ...values);
  let thrown;
  try { socket.emit("x", { a: [() => 1] }); } catch (error) { thrown = [error.code, error.path]; }
  const left = new Promise((resolve) => socket.on("disconnect", (reason, error) => resolve([reason, error.code])));
  socket.emit("break me");
  return { answer: answer.map((value) => value instanceof Uint8Array ? [...value] : value), thrown, left: await left };
}
const results = [];
for (const transport of ["websocket", "polling"])
  for (const each of [parser, createParser({ objects: true })]) results.push(await run(transport, each));
window.results = results;
`;

const folder = import.meta.dirname;

test("in Chromium", async (context) => {
  const { executable } = await runtimeFor(context, "chromium");
  const { text } = await bundleForBrowsers(PAGE, folder);
  const http = createServer((request, response) => {
    const isScript = request.url === "/page.js";
    response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html; charset=utf-8" });
    response.end(isScript ? text : `<!doctype html><script type="module" src="/page.js"></script>`);
  });
  const server = new Server(http, { parser, serveClient: false });
  server.on("connection", (socket) => {
    socket.on("echo", (...all) => (all.pop() as (values: unknown[]) => void)(all));
    socket.on("break me", () => void socket.conn.write(new Uint8Array([0xc1]) as unknown as string));
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  onTestFinished(async () => {
    http.closeAllConnections();
    await server.close();
  });
  const bytes = [0, 1, 250];
  const expected = {
    answer: [{ text: "größer", list: [1.5, null] }, null, bytes, bytes, bytes],
    thrown: ["ERR_UNSUPPORTED_TYPE", expect.stringMatching(/^\$.+\[1\]\.a\[0\]$/)],
    left: ["parse error", "ERR_INVALID_BYTE"],
  };
  await withBrowser("chromium", executable, async (context) => {
    const page = await context.newPage();
    const errors: unknown[] = [];
    page.on("pageerror", (error) => errors.push(error));
    await page.goto(`http://127.0.0.1:${(http.address() as AddressInfo).port}/`);
    await page.waitForFunction("window.results", undefined, { timeout: 60_000 });
    expect(await page.evaluate("window.results")).toEqual([expected, expected, expected, expected]);
    expect(errors).toEqual([]);
  });
});

test("the parser adds at most 1,800 bytes to a page with the codec and the check of options", async () => {
  const codec = 'export { Encoder, Decoder } from "moonpack/msgpack"; export { refuseUnknown } from "moonpack/bytes";';
  const ours = 'export { Encoder, Decoder, protocol, PacketType } from "@moonpack/socket.io-parser";';
  const [alone, all] = [await bundleForBrowsers(codec, folder), await bundleForBrowsers(ours, folder)];
  expect(all.gzip - alone.gzip).toBeLessThan(1800);
});
