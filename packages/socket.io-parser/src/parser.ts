import { ownOptions } from "moonpack/bytes";
import { Decoder } from "./decoder.js";
import { Encoder } from "./encoder.js";
import type { ParserOptions } from "./options.js";
import { PacketType, protocol } from "./packet.js";

/** What socket.io takes as its option `parser`. */
export interface Parser {
  readonly protocol: number;
  readonly PacketType: typeof PacketType;
  readonly Encoder: new () => Encoder;
  readonly Decoder: new () => Decoder;
}

/**
 * Returns a parser with options, for `new Server({ parser })` and `io(url, { parser })`. Without options, the module itself is
 * such a parser. Throws `ERR_INVALID_ARGUMENT` for an invalid option, here and not at the first connection.
 *
 * @example
 * const parser = createParser({ decoder: { maxDepth: 32, maxElements: 10_000 } });
 */
export function createParser(options: ParserOptions = {}): Parser {
  const kept = copied(options);
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

/** A copy, so that later changes of the caller's objects change nothing. */
function copied(options: ParserOptions): ParserOptions {
  const given: ParserOptions = ownOptions(options);
  return {
    ...given,
    encoder: ownOptions(given.encoder, "encoder"),
    decoder: ownOptions(given.decoder, "decoder"),
    events: ownOptions(given.events, "events"),
  };
}
