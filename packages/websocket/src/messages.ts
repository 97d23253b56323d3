/**
 * The bytes of messages. Each is one binary message of the WebSocket: a MessagePack value; or the byte 0xC1, which MessagePack never
 * uses, the number of a kind, and the bytes of its codec. The kinds 0 and 0xFC to 0xFF are signals.
 */
import { MoonpackError } from "moonpack/bytes";
import { type Codecs, checkKind, type MessageCodec } from "./codecs.js";

const ESCAPE = 0xc1;

/** Signals: messages of two bytes that connections exchange. A PING must be answered by a PONG. */
export const PING = 0;
export const PONG = 0xff;
/** Asks the peer to send nothing until RESUME. Sent by receivers that cannot pause their socket, such as pages. */
export const PAUSE = 0xfe;
export const RESUME = 0xfd;
/** A ping from an end that can pause its socket: it only requests a PONG. */
export const ACK_REQUEST = 0xfc;

/** Returns the message of a signal. */
export function signalBytes(signal: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array([ESCAPE, signal]);
}

/** Returns the signal in a message, or -1. */
export function signalOf(bytes: Uint8Array): number {
  if (bytes.length !== 2 || bytes[0] !== ESCAPE) return -1;
  const kind = bytes[1]!;
  return kind === PING || kind >= ACK_REQUEST ? kind : -1;
}

/** Returns the bytes of a kind's message. */
export function kindBytes(kind: number, codec: MessageCodec, value: never): Uint8Array<ArrayBuffer> {
  const bytes = codec.encode(value);
  const message = new Uint8Array(2 + bytes.length);
  message[0] = ESCAPE;
  message[1] = kind;
  message.set(bytes, 2);
  return message;
}

/**
 * Returns the message of a kind, for `sendBytes`: encoded once for many connections. Throws `ERR_INVALID_ARGUMENT` for anything but a
 * kind and a codec, and the codec's errors.
 *
 * @example
 * const bytes = encodeKind(1, Position, { x: 1, y: 2 });
 * for (const connection of connections) void connection.sendBytes(bytes);
 */
export function encodeKind<C extends MessageCodec>(
  kind: number,
  codec: C,
  value: Parameters<C["encode"]>[0],
): Uint8Array<ArrayBuffer> {
  checkKind(kind, codec);
  return kindBytes(kind, codec, value as never);
}

/**
 * Copies bytes that are part of a larger buffer. In ws, short messages are slices of chunks of 64 KB, and a kept message
 * would keep its chunk.
 */
export function owned(bytes: Uint8Array): Uint8Array {
  return bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

/** Decodes a message that is not a signal. Throws `ERR_WEBSOCKET_MESSAGE` for an unknown kind, and the codec's errors. */
export function decodeMessage({ kinds, decoder }: Codecs, bytes: Uint8Array): { kind: number; value: unknown } {
  if (bytes[0] !== ESCAPE || bytes.length < 2) return { kind: 0, value: decoder.decode(bytes) };
  const kind = bytes[1]!;
  const codec = kinds.get(kind);
  if (codec === undefined)
    throw new MoonpackError("ERR_WEBSOCKET_MESSAGE", `a message of the kind ${kind}, which is not registered`);
  // A codec may return views of its input; the decoder of MessagePack copies.
  return { kind, value: codec.decode(owned(bytes).subarray(2)) };
}
