import { Decoder } from "./decoder.js";
import { Encoder } from "./encoder.js";
import { copyOptions, type ParserOptions } from "./options.js";
import { PacketType, protocol } from "./packet.js";

/** A parser for socket.io's option `parser`. */
export interface Parser {
  /** The version of socket.io's protocol. */
  readonly protocol: number;
  /** The types of packets, by name. */
  readonly PacketType: typeof PacketType;
  /** The class of encoders. */
  readonly Encoder: new () => Encoder;
  /** The class of decoders, one for each connection. */
  readonly Decoder: new () => Decoder;
}

/**
 * Returns a parser with options, for `new Server({ parser })` and `io(url, { parser })`. The module itself is a parser without options.
 * Throws `ERR_INVALID_ARGUMENT` for an invalid or unknown option.
 *
 * @example
 * const parser = createParser({ decoder: { maxDepth: 32, maxElements: 10_000 } });
 */
export function createParser(options?: ParserOptions): Parser {
  const kept = copyOptions(options);
  // Checked here, not at the first connection.
  new Encoder(kept);
  new Decoder(kept);
  return {
    protocol,
    PacketType,
    Encoder: class extends Encoder {
      constructor() {
        super(kept);
      }
    },
    Decoder: class extends Decoder {
      constructor() {
        super(kept);
      }
    },
  };
}
