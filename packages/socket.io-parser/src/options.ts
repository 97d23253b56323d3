/** The options of parsers. Only own properties count, and each is read once. */

import { flagOption, invalidArgument, ownOptions, refuseUnknown } from "moonpack/bytes";
import type { DecoderOptions, EncoderOptions } from "moonpack/msgpack";
import { type EventCodecs, type EventSchemas, readEvents } from "./events.js";
import type { Packet } from "./packet.js";

/** The options of {@link createParser}. Both ends need the same `events`, and the same `fidelity` and `extensions`. */
export interface ParserOptions {
  /** The options of the MessagePack encoder: `extensions`, `fidelity`, `maxBytes` .. */
  readonly encoder?: EncoderOptions;
  /**
   * The options of the MessagePack decoder: limits, `extensions`, `fidelity`, `int64` .. All but `maps`: packets are read as objects.
   * Default of `binary`: `"buffer"`, a Buffer in Node, Deno and Bun, as with socket.io's own parser.
   */
  readonly decoder?: Omit<DecoderOptions, "maps">;
  /**
   * True writes packets as objects, for peers with socket.io-msgpack-parser. Default false: arrays, which are 14 bytes shorter. Decoders of
   * this package read both.
   */
  readonly objects?: boolean;
  /**
   * PCK codecs of events, by name. The first argument of such an event is sent as PCK. `emit` throws for a value that is invalid for the
   * schema, and a peer that sends invalid bytes is disconnected. Both ends must have the same schemas.
   */
  readonly events?: EventSchemas;
  /**
   * Called with the error and the packet when a packet cannot be encoded. The packet is not sent. Default: the error is thrown by `emit`, or
   * is an uncaught exception when socket.io encodes a buffered packet later.
   */
  readonly onEncodeError?: (error: unknown, packet: Packet) => void;
}

const NAMES: readonly (keyof ParserOptions)[] = ["encoder", "decoder", "objects", "events", "onEncodeError"];

/** Checked options. */
export interface ParserSettings {
  readonly encoder: EncoderOptions;
  readonly decoder: DecoderOptions;
  readonly objects: boolean;
  readonly events: EventCodecs;
  readonly onEncodeError: ((error: unknown, packet: Packet) => void) | undefined;
}

/** Returns a deep copy of the options. Throws `ERR_INVALID_ARGUMENT` for an unknown one. */
export function copyOptions(options: ParserOptions | undefined): ParserOptions {
  const given: { -readonly [Name in keyof ParserOptions]: ParserOptions[Name] } = ownOptions(options);
  refuseUnknown(given, NAMES);
  const decoder = ownOptions(given.decoder, "decoder");
  if (Object.hasOwn(decoder, "maps")) throw invalidArgument("decoder.maps cannot be set");
  given.encoder = ownOptions(given.encoder, "encoder");
  given.decoder = decoder;
  given.events = ownOptions(given.events, "events");
  return given;
}

/** Checks the options. Throws `ERR_INVALID_ARGUMENT` for an invalid one. The codecs check their options when they are made. */
export function readSettings(options: ParserOptions | undefined): ParserSettings {
  const { encoder = {}, decoder, objects, events, onEncodeError } = copyOptions(options);
  if (onEncodeError !== undefined && typeof onEncodeError !== "function")
    throw invalidArgument("onEncodeError must be a function");
  return {
    encoder,
    decoder: { binary: "buffer", ...decoder, maps: "auto" },
    objects: flagOption("objects", objects, false),
    events: readEvents(events),
    onEncodeError,
  };
}
