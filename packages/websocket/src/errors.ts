/** The errors of connections, with codes of moonpack's family: docs/errors.md lists all. */
import { type ErrorCode, invalidArgument, MoonpackError } from "moonpack/bytes";

/** The codes of this package, each with its meaning. */
export const WEBSOCKET_ERROR_CODES = {
  ERR_WEBSOCKET_CLOSED: "the connection could not be opened, was lost, or was closed with a code for a failure",
  ERR_WEBSOCKET_TIMEOUT: "the connection was not opened in time, or nothing arrives from the peer",
  ERR_WEBSOCKET_MESSAGE: "a text message, or a kind of message that is not registered",
  ERR_WEBSOCKET_PROTOCOL: "the peer violated the WebSocket protocol; see cause",
  ERR_WEBSOCKET_UNREAD: "the peer keeps sending while more than maxUnreadBytes wait to be read",
  ERR_WEBSOCKET_UNSENT: "more than maxUnsentBytes wait to be sent: the peer reads more slowly than this end sends",
} as const;

/** How a connection was closed. */
export interface Closed {
  /** The close code of the WebSocket: 1000 is normal; 1006 means that the peer did not confirm, so the last messages may be lost. */
  readonly code: number;
  /** The reason of the close message; empty if there is none. */
  readonly reason: string;
  /** Why the connection failed; undefined if it did not. */
  readonly error: MoonpackError | undefined;
}

/**
 * The error of a connection that was lost, or that the peer closed because of a failure.
 *
 * @example
 * try { await connection.receive() } catch (e) { if (e instanceof WebSocketError) console.log(e.closeCode, e.reason) }
 */
export class WebSocketError extends MoonpackError {
  /** Lets `instanceof` recognise instances of other copies of this package. */
  static override get brand(): symbol {
    return Symbol.for("@moonpack/websocket.WebSocketError");
  }
  /** The close code of the WebSocket; 1006 without a close message. */
  readonly closeCode: number;
  /** The reason of the close message; empty if there is none. */
  readonly reason: string;
  constructor(code: ErrorCode, message: string, closeCode: number, reason: string, cause?: unknown) {
    super(code, message, cause);
    this.closeCode = closeCode;
    this.reason = reason;
  }
  /** The name of the class. */
  override get name(): string {
    return "WebSocketError";
  }
}

/** Returns the error of a call on a closed connection. */
export function closedError(): MoonpackError {
  return new MoonpackError("ERR_CLOSED", "the connection is closed");
}

/** Returns the error of an aborted connection. */
export function abortedError(signal: AbortSignal): MoonpackError {
  return new MoonpackError("ERR_ABORTED", "the connection was aborted; see cause", signal.reason);
}

/** Checks a caller's close code and reason: the codes that any WebSocket may send. Throws `ERR_INVALID_ARGUMENT`. */
export function checkClose(code: unknown, reason: unknown): void {
  if (code !== 1000 && !(Number.isInteger(code) && (code as number) >= 3000 && (code as number) <= 4999))
    throw invalidArgument("a close code must be 1000 or from 3000 to 4999");
  // UTF-8 takes at most 3 bytes for a unit of UTF-16.
  if (typeof reason !== "string" || (reason.length > 41 && new TextEncoder().encode(reason).length > 123))
    throw invalidArgument("a close reason must be a string of at most 123 bytes");
}
