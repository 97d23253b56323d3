/**
 * Messages as bytes. A message is one binary message of the WebSocket: a MessagePack value as it is, or the byte 0xC1, which
 * MessagePack never uses, the number of a kind, and what the codec of this kind wrote. Kinds from 0x80 and 0 are signals.
 */
import { invalidArgument, MoonpackError } from "moonpack/bytes";
import type { Decoder, Encoder } from "moonpack/msgpack";

/** What writes and reads the messages of one kind: a codec of `@moonpack/pck`, or anything with the same two methods. */
export interface MessageCodec {
  encode(value: never): Uint8Array;
  decode(bytes: Uint8Array): unknown;
}

/** Codecs by the number of their kind, 1 to 127. Both ends must have the same. */
export interface Kinds {
  readonly [kind: number]: MessageCodec;
}

/** What a kind's codec writes. */
export type ValueOf<K extends Kinds, N extends keyof K> = K[N] extends { encode(value: infer V): Uint8Array }
  ? V
  : never;

/** A message: `kind` is 0 for a MessagePack value, else the number of the codec that read the value. */
export type Message<K extends Kinds> =
  | { readonly kind: 0; readonly value: unknown }
  | {
      [N in keyof K & number]: {
        readonly kind: N;
        readonly value: K[N] extends { decode(bytes: Uint8Array): infer V } ? V : never;
      };
    }[keyof K & number];

const ESCAPE = 0xc1;

/** Messages of two bytes that the ends send each other. */
export const PING = 0;
export const PONG = 0xff;
/** Asks the peer to send nothing more until GO: for receivers that cannot pause, as pages. */
export const STOP = 0xfe;
export const GO = 0xfd;
/** A ping of an end that can pause: it only asks for a PONG. */
export const MARK = 0xfc;

/** The message of a signal. */
export function signalBytes(signal: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array([ESCAPE, signal]);
}

/** The signal that a message is, or -1. */
export function signalOf(bytes: Uint8Array): number {
  if (bytes.length !== 2 || bytes[0] !== ESCAPE) return -1;
  const kind = bytes[1]!;
  return kind === PING || kind >= MARK ? kind : -1;
}

/** Checks the option `kinds`; returns it as a table that inherits nothing. `ERR_INVALID_ARGUMENT` otherwise. */
export function readKinds(value: unknown): ReadonlyMap<number, MessageCodec> {
  const kinds = new Map<number, MessageCodec>();
  if (value === undefined) return kinds;
  if (typeof value !== "object" || value === null) throw invalidArgument("kinds must be an object of codecs");
  for (const [name, codec] of Object.entries(value)) {
    const kind = Number(name);
    if (!Number.isInteger(kind) || kind < 1 || kind > 127)
      throw invalidArgument(`kinds: ${JSON.stringify(name)} must be an integer from 1 to 127`);
    if (typeof codec?.encode !== "function" || typeof codec.decode !== "function")
      throw invalidArgument(`kinds: ${name} must be a codec, with the methods encode and decode`);
    kinds.set(kind, codec);
  }
  return kinds;
}

/**
 * Returns the message of a kind, for `sendBytes`: encoded once for many connections. Its errors are those of the codec.
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
  const bytes = codec.encode(value as never);
  const message = new Uint8Array(2 + bytes.length);
  message[0] = ESCAPE;
  message[1] = kind;
  message.set(bytes, 2);
  return message;
}

/** All codecs of a connection, which many connections may share. */
export interface Codecs {
  readonly kinds: ReadonlyMap<number, MessageCodec>;
  readonly encoder: Encoder;
  readonly decoder: Decoder;
}

/** The codec of a kind. `ERR_INVALID_ARGUMENT` if it is not registered. */
export function codecOf({ kinds }: Codecs, kind: number): MessageCodec {
  const codec = kinds.get(kind);
  if (codec === undefined) throw invalidArgument(`${String(kind)} is not a registered kind`);
  return codec;
}

/** The bytes, in memory of their own: ws cuts short messages out of chunks of 64 KB, and one that is kept would keep its chunk. */
export function owned(bytes: Uint8Array): Uint8Array {
  return bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

/** Decodes a message that is not a signal. `ERR_WEBSOCKET_MESSAGE` for an unknown kind; else the codec's errors. */
export function decodeMessage({ kinds, decoder }: Codecs, bytes: Uint8Array): { kind: number; value: unknown } {
  if (bytes[0] !== ESCAPE || bytes.length < 2) return { kind: 0, value: decoder.decode(bytes) };
  const kind = bytes[1]!;
  const codec = kinds.get(kind);
  if (codec === undefined)
    throw new MoonpackError("ERR_WEBSOCKET_MESSAGE", `a message of the kind ${kind}, which is not registered`);
  // A codec may return views of what it gets; the decoder of MessagePack copies.
  return { kind, value: codec.decode(owned(bytes).subarray(2)) };
}
