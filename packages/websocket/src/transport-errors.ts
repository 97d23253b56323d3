/** The errors of WebSockets as errors of connections. */
import { invalidArgument, MoonpackError, printable } from "moonpack/bytes";
import { WebSocketError } from "./errors.js";

/** True for the close codes of a normal end: normal, going away, no code. */
export function isNormalClose(code: number): boolean {
  return code === 1000 || code === 1001 || code === 1005;
}

/** Makes a WebSocket. Throws `ERR_INVALID_ARGUMENT` where its constructor throws: for an invalid URL, protocol or option of ws. */
export function opened<S>(url: string | URL, make: () => S): S {
  // Without a URL, ws makes a server's socket, which nothing connects.
  if (typeof url !== "string" && typeof url?.href !== "string") throw invalidArgument("url must be a text or a URL");
  try {
    return make();
  } catch (error) {
    throw invalidArgument(`the WebSocket cannot be opened: ${(error as Error).message}`, error);
  }
}

/** The error for a text message. */
export function textMessageError(): MoonpackError {
  return new MoonpackError("ERR_WEBSOCKET_MESSAGE", "a text message; only binary messages are read");
}

/** The error text for a close code. The reason comes from the peer: its control characters are escaped. */
export function closeText(code: number, reason: string): string {
  const text = code === 1006 ? "the connection was lost" : `the peer closed the connection with the code ${code}`;
  return reason === "" ? text : `${text}: ${printable(reason)}`;
}

/** The error of a connection whose WebSocket failed with `error`. ws marks violations of the protocol with codes. */
export function transportError(error: unknown, isOpening: boolean, maxMessageBytes: number): MoonpackError {
  const code: unknown =
    error instanceof Error && Object.hasOwn(error, "code") ? (error as { code?: unknown }).code : undefined;
  if (code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH")
    return new MoonpackError("ERR_LIMIT_BYTES", `a message is longer than maxMessageBytes, ${maxMessageBytes}`, error);
  if (typeof code === "string" && code.startsWith("WS_ERR_"))
    return new MoonpackError("ERR_WEBSOCKET_PROTOCOL", "the peer violated the WebSocket protocol; see cause", error);
  const text = isOpening ? "the connection could not be opened; see cause" : "the connection was lost; see cause";
  return new WebSocketError("ERR_WEBSOCKET_CLOSED", text, 1006, "", error);
}
