/** Servers and clients on loopback, ended when the test ends. */
import { once } from "node:events";
import { type AddressInfo, connect as connectTcp, type Socket } from "node:net";
import { type Handler, type Kinds, type ServeOptions, type Serving, serve } from "@moonpack/websocket/ws";
import { onTestFinished } from "vitest";
import { WebSocket, WebSocketServer } from "ws";

export interface Served<K extends Kinds, V> extends Serving<K, V> {
  readonly url: string;
  readonly errors: unknown[];
}

/** Serves with `handler`. Errors that the handler threw are kept. */
export async function served<K extends Kinds = Kinds, V = unknown>(
  handler: Handler<K, V>,
  options: Partial<ServeOptions<K, V>> = {},
): Promise<Served<K, V>> {
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const serving = serve<K, V>({ onError, ws: { port: 0, host: "127.0.0.1" }, ...options }, handler);
  onTestFinished(async () => {
    for (const socket of serving.server.clients) socket.terminate();
    await serving.close();
  });
  const { port } = await serving.listening;
  return { ...serving, url: `ws://127.0.0.1:${port}`, errors };
}

/** Starts a server of ws without this package. */
export async function rawServer(use: (socket: WebSocket) => void): Promise<string> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  server.on("connection", use);
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  await once(server, "listening");
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Opens a client of ws without this package. */
export async function rawClient(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url);
  onTestFinished(() => socket.terminate());
  await once(socket, "open");
  return socket;
}

/** Opens a TCP connection to a server, without a handshake. */
export async function stranger(url: string, text = ""): Promise<Socket> {
  const socket = connectTcp({ host: "127.0.0.1", port: Number(new URL(url).port), allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  await once(socket, "connect");
  if (text !== "") socket.write(text);
  return socket;
}

/** The request of a WebSocket handshake. */
export const HANDSHAKE = [
  "GET / HTTP/1.1",
  "Host: x",
  "Upgrade: websocket",
  "Connection: Upgrade",
  "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
  "Sec-WebSocket-Version: 13",
  "\r\n",
].join("\r\n");

/** A peer that never closes its socket. */
export async function stubbornPeer(url: string): Promise<Socket> {
  const socket = await stranger(url, HANDSHAKE);
  await once(socket, "data");
  return socket;
}

/** A promise and its resolve function. */
export function gate<T = void>(): { readonly promise: Promise<T>; open(value: T): void } {
  let open: (value: T) => void = () => {};
  const promise = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { promise, open: (value) => open(value) };
}

/** Returns the error of a rejected promise. Fails the test if it resolves. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  const kept = Symbol("kept");
  const outcome = await promise.then(
    () => kept,
    (error: unknown) => error,
  );
  if (outcome === kept) throw new Error("the promise was kept");
  return outcome;
}
