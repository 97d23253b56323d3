/** The packets that parsers exchange with socket.io. */

/** The version of socket.io's protocol, which socket.io reads. */
export const protocol = 5;

/** The types of packets, named as in socket.io-parser. The two binary types are not sent: MessagePack contains binary. */
export const PacketType = {
  CONNECT: 0,
  DISCONNECT: 1,
  EVENT: 2,
  ACK: 3,
  CONNECT_ERROR: 4,
  BINARY_EVENT: 5,
  BINARY_ACK: 6,
} as const;

/** A packet, as socket.io passes it to an encoder and gets it from a decoder. */
export interface Packet {
  /** One of {@link PacketType}. */
  readonly type: number;
  /** The namespace: `/`, `/admin`. */
  readonly nsp: string;
  /** EVENT: the event's name and its arguments. ACK: the arguments. CONNECT: `auth`, or the session. CONNECT_ERROR: the error. */
  readonly data?: unknown;
  /** EVENT: the number of the requested acknowledgement. ACK: its number. */
  readonly id?: number | undefined;
}
