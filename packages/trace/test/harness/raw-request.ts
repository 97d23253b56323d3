/** Requests as bytes on a socket: headers twice, in any spelling, and several requests in one packet. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";

/** Headers as name and value, in their order. */
export type RawHeaders = readonly (readonly [string, string])[];

/** A server on a free port, and what closes it. */
export interface RunningServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts an HTTP server with a listener. */
export async function serve(listener: RequestListener<typeof IncomingMessage, typeof ServerResponse>) {
  const server = createServer({ maxHeaderSize: 4 << 20 }, listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  } satisfies RunningServer;
}

/** The text of a GET. */
export function requestText(path: string, headers: RawHeaders, isLast = true): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${lines}${isLast ? "Connection: close\r\n" : ""}\r\n`;
}

/** Sends bytes, and returns all that comes back until the server closes. */
export async function exchange(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1").setEncoding("latin1");
  socket.write(text, "latin1");
  let answer = "";
  socket.on("data", (part: string) => {
    answer += part;
  });
  await once(socket, "close");
  return answer;
}

/** The status, headers and body of one response that is not chunked. */
export function parseResponse(text: string): { status: number; headers: Map<string, string>; body: string } {
  const end = text.indexOf("\r\n\r\n");
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(first.split(" ")[1]), headers, body: text.slice(end + 4) };
}

/** One GET, and its response. */
export async function get(port: number, headers: RawHeaders = [], path = "/") {
  return parseResponse(await exchange(port, requestText(path, headers)));
}
