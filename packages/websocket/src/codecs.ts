/** Codecs of kinds of messages. */
import { describe, invalidArgument, type ValueReader } from "moonpack/bytes";
import type { Encoder } from "moonpack/msgpack";

/** Writes and reads the messages of one kind: a codec of `@moonpack/pck`, or any object with these two methods. */
export interface MessageCodec {
  /** Returns the bytes of a value. Throws for an unsupported one. */
  encode(value: never): Uint8Array;
  /** Returns the value of bytes. Throws for invalid ones. */
  decode(bytes: Uint8Array): unknown;
}

/** Codecs by the number of their kind, 1 to 127. Both ends must have the same. */
export interface Kinds {
  readonly [kind: number]: MessageCodec;
}

/** The type of the values that a kind's codec writes. */
export type ValueOf<K extends Kinds, N extends keyof K> = K[N] extends { encode(value: infer V): Uint8Array }
  ? V
  : never;

/**
 * A message: `kind` is 0 for a MessagePack value, else the number of the codec that read the value. `V`: what the decoder of MessagePack
 * returns.
 */
export type Message<K extends Kinds, V = unknown> =
  | { readonly kind: 0; readonly value: V }
  | {
      [N in keyof K & number]: {
        readonly kind: N;
        readonly value: K[N] extends { decode(bytes: Uint8Array): infer V } ? V : never;
      };
    }[keyof K & number];

/** All codecs of a connection. Connections may share it. */
export interface Codecs {
  readonly kinds: ReadonlyMap<number, MessageCodec>;
  readonly encoder: Encoder;
  readonly decoder: ValueReader;
}

/** Checks the option `kinds`; returns it as a Map. Throws `ERR_INVALID_ARGUMENT`. */
export function readKinds(value: unknown): ReadonlyMap<number, MessageCodec> {
  const kinds = new Map<number, MessageCodec>();
  if (value === undefined) return kinds;
  if (typeof value !== "object" || value === null) throw invalidArgument("kinds must be an object of codecs");
  for (const [name, codec] of Object.entries(value)) {
    const kind = Number(name);
    checkKind(Number.isInteger(kind) ? kind : name, codec);
    kinds.set(kind, codec);
  }
  return kinds;
}

/** Throws `ERR_INVALID_ARGUMENT` for anything but the number of a kind and its codec. */
export function checkKind(kind: unknown, codec: MessageCodec): void {
  if (!Number.isInteger(kind) || (kind as number) < 1 || (kind as number) > 127)
    throw invalidArgument(`kinds are integers from 1 to 127, not ${describe(kind)}`);
  if (typeof codec?.encode !== "function" || typeof codec.decode !== "function")
    throw invalidArgument(`kinds need a codec, with the methods encode and decode: ${kind} has none`);
}

/** Returns the codec of a kind. Throws `ERR_INVALID_ARGUMENT` for an unknown kind. */
export function codecOfKind({ kinds }: Codecs, kind: number): MessageCodec {
  const codec = kinds.get(kind);
  if (codec === undefined) throw invalidArgument(`${String(kind)} is not a registered kind`);
  return codec;
}
