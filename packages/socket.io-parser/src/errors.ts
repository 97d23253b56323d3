/** The errors of packets, with codes of moonpack's family: docs/errors.md lists all. */
import { MoonpackError } from "moonpack/bytes";

/** The codes of this package, each with its meaning. */
export const SOCKET_IO_ERROR_CODES = {
  ERR_SOCKET_IO_PACKET: "a message is not a socket.io packet, or not valid for the schema of its event",
} as const;

/** Returns the error for an invalid packet. */
export function invalidPacket(message: string, cause?: unknown): MoonpackError {
  return new MoonpackError("ERR_SOCKET_IO_PACKET", message, cause);
}
