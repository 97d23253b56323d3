/** The options of connections. Only own properties count, and each is read once. */
import { countOption, invalidArgument, ownOptions } from "moonpack/bytes";
import { Decoder, type DecoderOptions, Encoder, type EncoderOptions } from "moonpack/msgpack";
import { type Codecs, type Kinds, readKinds } from "./kinds.js";

/** The options of a connection. */
export interface ConnectionOptions<K extends Kinds = Kinds> {
  /** Codecs for kinds of messages, by a number from 1 to 127. Both ends need the same. Everything else is MessagePack. */
  readonly kinds?: K;
  /** The options of the MessagePack encoder. */
  readonly encoder?: EncoderOptions;
  /** The options of the MessagePack decoder. */
  readonly decoder?: DecoderOptions;
  /** The most bytes of a received message. A longer one ends the connection with `ERR_LIMIT_BYTES`. Default 1 MiB. */
  readonly maxMessageBytes?: number;
  /** `send` waits while more bytes than this have not left the process. Default 1 MiB. */
  readonly sendBufferBytes?: number;
  /**
   * While more bytes than this wait to be read, the socket is paused; in a page the peer is asked to stop. A message takes 256 bytes
   * more than its length. Default 1 MiB.
   */
  readonly unreadBytes?: number;
  /** The most bytes that may wait to be read where the socket cannot be paused, else `ERR_WEBSOCKET_UNREAD`. Default 64 MiB. */
  readonly maxUnreadBytes?: number;
  /**
   * The most bytes that may wait to be sent, else the connection ends at once with `ERR_WEBSOCKET_UNSENT`. A message of any length
   * is taken while no more than this waits, and takes some 400 bytes more than its length. Default 64 MiB.
   */
  readonly maxUnsentBytes?: number;
  /**
   * The connection ends with `ERR_WEBSOCKET_TIMEOUT` when nothing has come from the peer for so long, nor an answer to a ping; up to
   * a quarter later. 0: never, and no pings. Default 60,000. Use the same at both ends.
   */
  readonly deadAfterMs?: number;
  /** How long an end of the connection waits for the peer while nothing that was sent leaves the process. Default 10,000. */
  readonly closeWithinMs?: number;
  /** How long the connection may take to be made. Default 30,000. */
  readonly openWithinMs?: number;
  /** Ends the connection, or the attempt to make it, with `ERR_ABORTED`. */
  readonly signal?: AbortSignal;
}

/** The options, checked, with codecs made. Many connections may share it. */
export interface Settings extends Codecs {
  readonly maxMessageBytes: number;
  readonly sendBufferBytes: number;
  readonly unreadBytes: number;
  readonly maxUnreadBytes: number;
  readonly maxUnsentBytes: number;
  readonly deadAfterMs: number;
  readonly closeWithinMs: number;
  readonly openWithinMs: number;
  readonly signal: AbortSignal | undefined;
}

const MIB = 0x100000;
/** The longest time that a timer takes. */
const LONGEST_MS = 0x7fffffff;

/** Reads the options. `ERR_INVALID_ARGUMENT` for an invalid one. */
export function readSettings(options: ConnectionOptions | undefined): Settings {
  const given: ConnectionOptions = ownOptions(options);
  const { signal } = given;
  if (signal !== undefined && typeof signal?.addEventListener !== "function")
    throw invalidArgument("signal must be an AbortSignal");
  return {
    kinds: readKinds(given.kinds),
    encoder: new Encoder(given.encoder),
    decoder: new Decoder(given.decoder),
    maxMessageBytes: countOption("maxMessageBytes", given.maxMessageBytes, MIB, 1, Number.MAX_SAFE_INTEGER),
    sendBufferBytes: countOption("sendBufferBytes", given.sendBufferBytes, MIB, 0, Number.MAX_SAFE_INTEGER),
    unreadBytes: countOption("unreadBytes", given.unreadBytes, MIB, 0, Number.MAX_SAFE_INTEGER),
    maxUnreadBytes: countOption("maxUnreadBytes", given.maxUnreadBytes, 64 * MIB, 1, Number.MAX_SAFE_INTEGER),
    maxUnsentBytes: countOption("maxUnsentBytes", given.maxUnsentBytes, 64 * MIB, 1, Number.MAX_SAFE_INTEGER),
    deadAfterMs: countOption("deadAfterMs", given.deadAfterMs, 60_000, 0, LONGEST_MS),
    closeWithinMs: countOption("closeWithinMs", given.closeWithinMs, 10_000, 1, LONGEST_MS),
    openWithinMs: countOption("openWithinMs", given.openWithinMs, 30_000, 1, LONGEST_MS),
    signal,
  };
}
