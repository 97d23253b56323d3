/** What socket.io's parsers exchange with socket.io. */

/** The version of socket.io's protocol, which socket.io asks for. */
export const protocol = 5;

/** The types of packets, as socket.io-parser names them. The two binary types are not sent: MessagePack holds binary as it is. */
export const PacketType = {
  CONNECT: 0,
  DISCONNECT: 1,
  EVENT: 2,
  ACK: 3,
  CONNECT_ERROR: 4,
  BINARY_EVENT: 5,
  BINARY_ACK: 6,
} as const;

/** A packet, as socket.io gives it to an encoder and takes it from a decoder. */
export interface Packet {
  /** One of {@link PacketType}. */
  readonly type: number;
  /** The namespace: `/`, `/admin`. */
  readonly nsp: string;
  /** EVENT: the event's name and its arguments. ACK: the arguments. CONNECT: `auth`, or the session. CONNECT_ERROR: the error. */
  readonly data?: unknown;
  /** The number of the acknowledgement that an EVENT asks for, or that an ACK is. */
  readonly id?: number | undefined;
}
