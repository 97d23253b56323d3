// The examples that are servers, and the messages of a good client to the servers in examples/. servers.d.mts has the types.
import { examplesFor } from "../pages.mjs";

/** The examples of the pages for this runtime that listen, by themselves or by a library. */
export function serversInPages(runtime) {
  return examplesFor(runtime).filter(({ code }) => /\blisten\(|\bserve\(/.test(code));
}

/** One request of HTTP. */
export function request(line, type, body = "") {
  const about = type === undefined ? "" : `Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(`${line} HTTP/1.1\r\nHost: localhost\r\n${about}\r\n${body}`);
}

/** The request that makes a WebSocket of a connection. */
export function handshake(target) {
  const headers = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"];
  headers.push(`Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}`);
  return Buffer.from([`GET ${target} HTTP/1.1`, "Host: localhost", ...headers, "\r\n"].join("\r\n"));
}

/** For a server of socket.io: each event that the code listens to, without arguments, with wrong ones, with and without an answer. */
export function packetsFor(code, encode) {
  if (!code.includes('from "socket.io"')) return [];
  const connect = encode({ type: 0, nsp: "/" });
  const event = (data, more = {}) => [connect, encode({ type: 2, nsp: "/", data, ...more })];
  const names = [...code.matchAll(/\bsocket\.on\("(\w+)"/g)].map(([, name]) => name);
  return names.flatMap((name) => [
    event([name]),
    event([name, null]),
    event([name, 1, 2]),
    event([name, {}], { id: 0 }),
    event([name, { bytes: null }, "x"], { id: 0 }),
  ]);
}
