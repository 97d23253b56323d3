/** The options of connections. Only own properties count, and each is read once. */
import {
  asValueReader,
  countOption,
  type Duration,
  durationOption,
  invalidArgument,
  ownOptions,
  refuseUnknown,
  type ValueReader,
} from "moonpack/bytes";
import { Decoder, type DecoderOptions, Encoder, type EncoderOptions } from "moonpack/msgpack";
import { type Codecs, type Kinds, readKinds } from "./codecs.js";

/** The options of a connection. */
export interface ConnectionOptions<K extends Kinds = Kinds, V = unknown> {
  /** Codecs for kinds of messages, by a number from 1 to 127. Both ends need the same. Everything else is MessagePack. */
  readonly kinds?: K;
  /** The options of the MessagePack encoder. */
  readonly encoder?: EncoderOptions;
  /** The options of the MessagePack decoder; or a decoder, such as a Picker of `moonpack/pick`, which reads only some values. */
  readonly decoder?: DecoderOptions | ValueReader<V>;
  /** Limit of the bytes of a received message. A longer one ends the connection with `ERR_LIMIT_BYTES`. Default 1 MiB. */
  readonly maxMessageBytes?: number;
  /** `send` waits while more bytes than this have not left the process. Default 1 MiB. */
  readonly sendBufferBytes?: number;
  /**
   * While more bytes than this wait to be read, the socket is paused; in a page the peer is asked to pause. A message counts 256 bytes
   * more than its length. Default 1 MiB.
   */
  readonly unreadBytes?: number;
  /** Limit of the bytes that wait to be read where the socket cannot be paused. More is `ERR_WEBSOCKET_UNREAD`. Default 64 MiB. */
  readonly maxUnreadBytes?: number;
  /**
   * Limit of the bytes that wait to be sent. A send above it ends the connection immediately with `ERR_WEBSOCKET_UNSENT`. A message of any
   * length is accepted below it. A message counts 400 bytes more than its length. Default 64 MiB.
   */
  readonly maxUnsentBytes?: number;
  /**
   * The connection ends with `ERR_WEBSOCKET_TIMEOUT` when neither a message nor an answer to a ping arrives for this long; up to a quarter
   * later. 0 disables it, and the pings. Default `"60s"`. Use the same at both ends.
   */
  readonly idleTimeout?: Duration;
  /** How long a closing connection waits for the peer while no sent bytes leave the process. Default `"10s"`. */
  readonly closeTimeout?: Duration;
  /** How long opening a connection may take. Default `"30s"`. */
  readonly openTimeout?: Duration;
  /** Ends the connection, or the attempt to open it, with `ERR_ABORTED`. */
  readonly signal?: AbortSignal;
}

/** Checked options, with codecs. Connections may share it. */
export interface Settings extends Codecs {
  readonly maxMessageBytes: number;
  readonly sendBufferBytes: number;
  readonly unreadBytes: number;
  readonly maxUnreadBytes: number;
  readonly maxUnsentBytes: number;
  readonly idleTimeoutMs: number;
  readonly closeTimeoutMs: number;
  readonly openTimeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

const NAMES: readonly (keyof ConnectionOptions)[] = [
  "kinds",
  "encoder",
  "decoder",
  "maxMessageBytes",
  "sendBufferBytes",
  "unreadBytes",
  "maxUnreadBytes",
  "maxUnsentBytes",
  "idleTimeout",
  "closeTimeout",
  "openTimeout",
  "signal",
];

const MIB = 0x100000;
/** The longest delay of a timer. */
const MAX_DELAY_MS = 0x7fffffff;

/** Returns a copy of the options. Throws `ERR_INVALID_ARGUMENT` for an unknown one; `more` are known names besides `ConnectionOptions`. */
export function copyOptions<O extends ConnectionOptions>(options: O | undefined, more: readonly string[] = []): O {
  const given = ownOptions(options);
  refuseUnknown(given, [...NAMES, ...more]);
  return given;
}

/** Checks options that {@link copyOptions} returned. Throws `ERR_INVALID_ARGUMENT` for an invalid one. */
export function settingsOf(given: ConnectionOptions): Settings {
  const { signal } = given;
  if (signal !== undefined && typeof signal?.addEventListener !== "function")
    throw invalidArgument("signal must be an AbortSignal");
  const bytes = (name: keyof ConnectionOptions, fallback: number, min: number): number =>
    countOption(name, given[name], fallback, min, Number.MAX_SAFE_INTEGER);
  const ms = (name: keyof ConnectionOptions, fallback: number, min: number): number =>
    durationOption(name, given[name], fallback, min, MAX_DELAY_MS);
  return {
    kinds: readKinds(given.kinds),
    encoder: new Encoder(given.encoder),
    decoder: asValueReader(given.decoder) ?? new Decoder(given.decoder as DecoderOptions),
    maxMessageBytes: bytes("maxMessageBytes", MIB, 1),
    sendBufferBytes: bytes("sendBufferBytes", MIB, 0),
    unreadBytes: bytes("unreadBytes", MIB, 0),
    maxUnreadBytes: bytes("maxUnreadBytes", 64 * MIB, 1),
    maxUnsentBytes: bytes("maxUnsentBytes", 64 * MIB, 1),
    idleTimeoutMs: ms("idleTimeout", 60_000, 0),
    closeTimeoutMs: ms("closeTimeout", 10_000, 1),
    openTimeoutMs: ms("openTimeout", 30_000, 1),
    signal,
  };
}

/** Checks the option `protocols`. Throws `ERR_INVALID_ARGUMENT`. */
export function protocolsOf(value: unknown): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((protocol) => typeof protocol === "string")) return [...value];
  throw invalidArgument("protocols must be an array of strings");
}
