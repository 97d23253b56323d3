/** Requests as bytes on a socket. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A response, with what is needed of it. */
export interface RawResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A connection, and what has come back on it. */
export class RawConnection {
  readonly socket: Socket;
  #text = "";
  #isClosed = false;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding("latin1");
    socket.on("data", (part: string) => {
      this.#text += part;
      socket.emit("part");
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.#isClosed = true;
      socket.emit("part");
    });
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return new RawConnection(socket);
  }

  /** Writes the head of a request. */
  head(method: string, path: string, headers: readonly string[]): this {
    const lines = [`${method} ${path} HTTP/1.1`, "Host: localhost", ...headers];
    this.socket.write(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
    return this;
  }

  /** Writes a part of a body, as a chunk. */
  chunk(bytes: Uint8Array | string): this {
    this.socket.write(`${bytes.length.toString(16)}\r\n`);
    this.socket.write(bytes);
    this.socket.write("\r\n");
    return this;
  }

  /** The next response that has a Content-Length. */
  async response(): Promise<RawResponse> {
    for (;;) {
      const end = this.#text.indexOf("\r\n\r\n");
      if (end !== -1) {
        const [first = "", ...lines] = this.#text.slice(0, end).split("\r\n");
        const headers = new Map(
          lines.map((line): [string, string] => {
            const colon = line.indexOf(":");
            return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
          }),
        );
        const length = Number(headers.get("content-length") ?? 0);
        if (this.#text.length >= end + 4 + length) {
          const body = this.#text.slice(end + 4, end + 4 + length);
          this.#text = this.#text.slice(end + 4 + length);
          return { status: Number(first.split(" ")[1]), headers, body };
        }
      }
      if (this.#isClosed) throw new Error(`closed after ${JSON.stringify(this.#text.slice(0, 200))}`);
      await once(this.socket, "part");
    }
  }

  close(): void {
    this.socket.destroy();
  }
}
