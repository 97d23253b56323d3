/** The errors of WebSockets as errors of connections. */
import { MoonpackError, printable } from "moonpack/bytes";
import { WebSocketError } from "./errors.js";

/** True for the codes of an ordinary end: normal, going away, no code. */
export function isOrdinary(code: number): boolean {
  return code === 1000 || code === 1001 || code === 1005;
}

/** The error of a text message. */
export function errorOfText(): MoonpackError {
  return new MoonpackError("ERR_WEBSOCKET_MESSAGE", "a text message; only binary ones are read");
}

/** The text of the error for a close code. The reason is the peer's: its control characters are escaped. */
export function closeText(code: number, reason: string): string {
  const text = code === 1006 ? "the connection was lost" : `the peer closed the connection with the code ${code}`;
  return reason === "" ? text : `${text}: ${printable(reason)}`;
}

/** The error of a connection for one of its WebSocket. `ws` marks violations of the protocol with a code. */
export function errorOfWire(error: unknown, isOpening: boolean, maxMessageBytes: number): MoonpackError {
  const code: unknown =
    error instanceof Error && Object.hasOwn(error, "code") ? (error as { code?: unknown }).code : undefined;
  if (code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH")
    return new MoonpackError(
      "ERR_LIMIT_BYTES",
      `a message of more bytes than maxMessageBytes, ${maxMessageBytes}`,
      error,
    );
  if (typeof code === "string" && code.startsWith("WS_ERR_"))
    return new MoonpackError("ERR_WEBSOCKET_PROTOCOL", "the peer broke the rules of WebSockets; see cause", error);
  const text = isOpening ? "the connection could not be made; see cause" : "the connection was lost; see cause";
  return new WebSocketError("ERR_WEBSOCKET_CLOSED", text, 1006, "", error);
}
