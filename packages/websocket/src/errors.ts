/** The errors of connections. They belong to moonpack's family: all codes are in one table (docs/errors.md). */
import { type ErrorCode, invalidArgument, MoonpackError } from "moonpack/bytes";

/** The codes that only this package has, each with its meaning in one line. */
export const WEBSOCKET_ERROR_CODES = {
  ERR_WEBSOCKET_CLOSED:
    "the connection could not be made, was lost, or was closed with a code that stands for a failure",
  ERR_WEBSOCKET_TIMEOUT: "the connection was not made in time, or the peer sends no sign of life",
  ERR_WEBSOCKET_MESSAGE: "a text message, or a kind of message that is not registered",
  ERR_WEBSOCKET_PROTOCOL: "the peer broke the rules of WebSockets; see cause",
  ERR_WEBSOCKET_UNREAD: "the peer goes on to send while more than maxUnreadBytes wait to be read",
  ERR_WEBSOCKET_UNSENT: "more than maxUnsentBytes wait to be sent: the peer reads more slowly than this end sends",
} as const;

/** How a connection was closed. */
export interface Closed {
  /** The code of the WebSocket: 1000 is normal, 1006 means that the peer did not confirm, so the last messages may be lost. */
  readonly code: number;
  readonly reason: string;
  /** Why the connection failed; undefined if it did not. */
  readonly error: MoonpackError | undefined;
}

/**
 * The error of a connection that is lost or was closed by the peer because of a failure.
 *
 * @example
 * try { await connection.receive() } catch (e) { if (e instanceof WebSocketError) console.log(e.closeCode, e.reason) }
 */
export class WebSocketError extends MoonpackError {
  /** Recognises instances of other copies, by `instanceof`. */
  static override get brand(): symbol {
    return Symbol.for("@moonpack/websocket.WebSocketError");
  }
  /** The code with which the WebSocket was closed; 1006 without a close message. */
  readonly closeCode: number;
  readonly reason: string;
  constructor(code: ErrorCode, message: string, closeCode: number, reason: string, cause?: unknown) {
    super(code, message, cause);
    this.closeCode = closeCode;
    this.reason = reason;
  }
  override get name(): string {
    return "WebSocketError";
  }
}

/** The error of a call that came too late. */
export function isClosed(): MoonpackError {
  return new MoonpackError("ERR_CLOSED", "the connection is closed");
}

/** The error of an aborted connection. */
export function aborted(signal: AbortSignal): MoonpackError {
  return new MoonpackError("ERR_ABORTED", "the connection was aborted; see cause", signal.reason);
}

/** Checks what a caller closes a connection with: codes that every WebSocket may send. `ERR_INVALID_ARGUMENT` otherwise. */
export function checkClose(code: unknown, reason: unknown): void {
  if (code !== 1000 && !(Number.isInteger(code) && (code as number) >= 3000 && (code as number) <= 4999))
    throw invalidArgument("a close code must be 1000 or from 3000 to 4999");
  // UTF-8 takes at most 3 bytes for a unit of UTF-16.
  if (typeof reason !== "string" || (reason.length > 41 && new TextEncoder().encode(reason).length > 123))
    throw invalidArgument("a close reason must be a string of at most 123 bytes");
}
