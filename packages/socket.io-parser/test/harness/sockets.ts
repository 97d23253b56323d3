/** A real socket.io server and real clients on loopback, closed when the test ends. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Server, type ServerOptions, type Socket } from "socket.io";
import { type Socket as ClientSocket, io, type ManagerOptions, type SocketOptions } from "socket.io-client";
import { onTestFinished } from "vitest";

export type Transport = "websocket" | "polling";

export interface Served {
  readonly server: Server;
  readonly url: string;
  /** The errors of the connections' sockets on the server. */
  readonly errors: unknown[];
}

export async function serve(options: Partial<ServerOptions>): Promise<Served> {
  const http = createServer();
  const server = new Server(http, { serveClient: false, pingInterval: 60_000, pingTimeout: 60_000, ...options });
  const errors: unknown[] = [];
  server.on("connection", (socket) => void socket.on("error", (error) => errors.push(error)));
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  onTestFinished(async () => {
    http.closeAllConnections();
    await server.close();
  });
  return { server, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, errors };
}

export function client(url: string, options: Partial<ManagerOptions & SocketOptions>): ClientSocket {
  const socket = io(url, { forceNew: true, reconnection: false, ...options });
  onTestFinished(() => void socket.disconnect());
  return socket;
}

/** A connected pair: a client, and its socket on the server. */
export async function pair(
  { server, url }: Served,
  options: Partial<ManagerOptions & SocketOptions>,
): Promise<{ near: ClientSocket; far: Socket }> {
  const connected = once(server, "connection");
  const near = client(url, options);
  const [far] = (await connected) as [Socket];
  if (!near.connected) await event(near, "connect");
  return { near, far };
}

/** Waits for an event of a client, and returns its arguments. A failed connection fails the test. */
export function event(socket: ClientSocket, name: string): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    socket.once(name, (...values: unknown[]) => resolve(values));
    if (name !== "connect_error") socket.once("connect_error", reject);
  });
}

/** Waits for an event of a server's socket, and returns its arguments. */
export function received(socket: Socket, name: string): Promise<unknown[]> {
  return new Promise((resolve) => socket.once(name, (...values: unknown[]) => resolve(values)));
}
