/** The sockets of a server that ws has made for itself. ws knows only WebSockets, and waits for all others when it closes. */
import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { WebSocketServer } from "ws";

/** Watches over the sockets of a server. */
export interface OwnSockets {
  /** Ends all: silent ones, half a request, a handshake that `verifyClient` never answers. */
  end(): void;
}

/** The sockets of this server. A server of the application keeps its sockets: there are none then. */
export function socketsOf(server: WebSocketServer): OwnSockets {
  const sockets = new Set<Socket>();
  const { _server: http } = server as unknown as { readonly _server?: Server | null };
  if ((server.options.port ?? null) !== null)
    http?.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    });
  return {
    end() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
