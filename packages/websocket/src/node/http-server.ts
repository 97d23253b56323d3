/** The HTTP server under a WebSocket server with `ws.port`. */
import { createServer, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

/** An HTTP server for WebSockets alone. It answers other requests with 426, as ws does. */
export class HttpServer {
  readonly server = createServer((_request, response) => {
    response.writeHead(426, { "content-type": "text/plain" }).end(STATUS_CODES[426]);
  });
  /** Resolves when the server is stopped and all its sockets have ended. */
  readonly closed = new Promise<void>((resolve) => this.server.once("close", () => resolve()));
  readonly #sockets = new Set<Socket>();
  #isStopped = false;

  constructor() {
    this.server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
    // Node does not cancel a listen that still looks up the host.
    this.server.once("listening", () => {
      if (this.#isStopped) this.server.close();
    });
  }

  /** Accepts no more connections. */
  stop(): void {
    this.#isStopped = true;
    this.server.close();
  }

  /** Ends all sockets, also those without a WebSocket: ws would wait for them. */
  destroySockets(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
