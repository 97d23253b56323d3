/** The errors of packets. They belong to moonpack's family: all codes are in one table (docs/errors.md). */
import { MoonpackError } from "moonpack/bytes";

/** The codes that only this package has, each with its meaning in one line. */
export const SOCKET_IO_ERROR_CODES = {
  ERR_SOCKET_IO_PACKET: "a message that is not a packet of socket.io, or not one that its schema allows",
} as const;

/** The error for a message that is not a packet. */
export function invalidPacket(message: string, cause?: unknown): MoonpackError {
  return new MoonpackError("ERR_SOCKET_IO_PACKET", message, cause);
}
