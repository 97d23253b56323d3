/** The options of parsers. Only own properties count, and each is read once. */

import { flagOption, invalidArgument, ownOptions } from "moonpack/bytes";
import type { DecoderOptions, EncoderOptions } from "moonpack/msgpack";
import { type EventCodecs, type EventSchemas, readEvents } from "./events.js";
import type { Packet } from "./packet.js";

/** The options of {@link createParser}. Both ends need the same `events`, and the same `fidelity` and `extensions`. */
export interface ParserOptions {
  /** The options of the MessagePack encoder: `extensions`, `fidelity`, `maxBytes` .. */
  readonly encoder?: EncoderOptions;
  /**
   * The options of the MessagePack decoder: limits, `extensions`, `fidelity`, `int64` .. Packets are always read as objects. Binary
   * is a Buffer where there are Buffers (`binary: "buffer"`), as with socket.io's own parser.
   */
  readonly decoder?: Omit<DecoderOptions, "maps">;
  /**
   * Writes packets as objects, as socket.io-msgpack-parser does and reads them; for peers that still have it. Default false: arrays,
   * which take 14 bytes less each. Every decoder of this package reads both.
   */
  readonly objects?: boolean;
  /**
   * PCK codecs of events by name. The first argument of such an event is sent as PCK, so it must be of the schema: `emit` throws
   * otherwise, and a peer that sends anything else is disconnected. Both ends must have the same schemas.
   */
  readonly events?: EventSchemas;
  /**
   * Called with the error and the packet that cannot be encoded, which is then not sent. Default: the error is thrown, by `emit` or
   * where socket.io sends later what was emitted, which nobody can catch.
   */
  readonly onEncodeError?: (error: unknown, packet: Packet) => void;
}

/** The options, checked. */
export interface ParserSettings {
  readonly encoder: EncoderOptions;
  readonly decoder: DecoderOptions;
  readonly objects: boolean;
  readonly events: EventCodecs;
  readonly onEncodeError: ((error: unknown, packet: Packet) => void) | undefined;
}

/** Reads the options. `ERR_INVALID_ARGUMENT` for an invalid one; those of the codecs are checked where the codecs are made. */
export function readSettings(options: ParserOptions | undefined): ParserSettings {
  const given: ParserOptions = ownOptions(options);
  const { onEncodeError } = given;
  if (onEncodeError !== undefined && typeof onEncodeError !== "function")
    throw invalidArgument("onEncodeError must be a function");
  return {
    encoder: ownOptions(given.encoder, "encoder"),
    decoder: { binary: "buffer", ...ownOptions(given.decoder, "decoder"), maps: "auto" },
    objects: flagOption("objects", given.objects, false),
    events: readEvents(given.events),
    onEncodeError,
  };
}
