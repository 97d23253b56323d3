import { type EncoderOptions, encoderSettings } from "./options.js";
import { EncoderState, encodeToOwned, encodeToShared, encodeToSlab, encodeToTarget } from "./results.js";

/** Counters of real work, see {@link Encoder.stats}. */
export interface EncoderStats {
  /** Messages encoded without error. */
  readonly messages: number;
  /** Bytes of those messages. */
  readonly bytes: number;
  /** Values written: each message, array element and map value counts one. */
  readonly values: number;
  /** Keys of objects that the encoder expected at their place, so it had their bytes. */
  readonly keyHits: number;
  /** Other keys. `keyHits` and `keyMisses` do not change while the encoder expects no keys because too few recurred. */
  readonly keyMisses: number;
  /** How often the buffer had to grow. */
  readonly growths: number;
  /** Bytes that were moved: by growth, and where a map header's size was guessed wrong. */
  readonly copied: number;
}

/**
 * Encodes MessagePack messages. An encoder learns the keys that it writes and reuses its memory, so keep one for each kind
 * of message. No message and no error affects the next one. Calls may nest: an extension may encode with the encoder that
 * called it.
 *
 * @example
 * const encoder = new Encoder({ canonical: true });
 * socket.write(encoder.encodeShared({ b: 1, a: 2 }));
 */
export class Encoder {
  readonly #state: EncoderState;

  /** Reads the options once. `ERR_INVALID_ARGUMENT` for an invalid option. */
  constructor(options?: EncoderOptions) {
    this.#state = new EncoderState(encoderSettings(options));
  }

  /**
   * Encodes a value. The result's memory is never reused. A result of 65 bytes to 2 KB is a slice of an 8 KB slab, as Node's
   * Buffers are: its `.buffer` holds other results too, so copy it before you transfer it. Smaller and larger results, and
   * all results in Firefox and Bun, own their memory. Throws an `EncodeError` with code and path.
   */
  encode(value: unknown): Uint8Array<ArrayBuffer> {
    return encodeToSlab(this.#state, value);
  }

  /** Works like {@link Encoder.encode}, but the result never shares its memory: up to 700 ns more above 64 bytes. */
  encodeOwned(value: unknown): Uint8Array<ArrayBuffer> {
    return encodeToOwned(this.#state, value);
  }

  /**
   * Writes a value's bytes into `target` at `offset`, and returns the offset after them. `ERR_BUFFER_TOO_SMALL` when they
   * do not fit; the target is then unchanged.
   */
  encodeInto(value: unknown, target: Uint8Array, offset = 0): number {
    return encodeToTarget(this.#state, value, target, offset);
  }

  /**
   * Encodes a value and returns a view of the encoder's memory, valid until its next call: for sockets and stores that copy
   * immediately. Allocates nothing when lengths recur.
   */
  encodeShared(value: unknown): Uint8Array<ArrayBuffer> {
    return encodeToShared(this.#state, value);
  }

  /** Returns counters of the work done so far, without nested messages. */
  stats(): EncoderStats {
    const { messages, bytes, writer } = this.#state;
    const { values, keys, memory, moved } = writer;
    return {
      messages,
      bytes,
      values,
      keyHits: keys.hits,
      keyMisses: keys.misses,
      growths: memory.growths,
      copied: memory.copied + moved,
    };
  }
}

// Made at its first use: importing the package allocates nothing.
let shared: EncoderState | undefined;

function stateFor(options: EncoderOptions | undefined): EncoderState {
  if (options !== undefined) return new EncoderState(encoderSettings(options));
  return (shared ??= new EncoderState(encoderSettings(undefined)));
}

/**
 * Encodes a value as MessagePack; see {@link Encoder.encode}. With options, each call sets up an encoder: keep an
 * {@link Encoder} where that time counts.
 *
 * @example
 * encode({ compact: true, schema: 0 }); // 18 bytes: 82 a7 63 6f 6d 70 61 63 74 c3 a6 73 63 68 65 6d 61 00
 */
export function encode(value: unknown, options?: EncoderOptions): Uint8Array<ArrayBuffer> {
  return encodeToSlab(stateFor(options), value);
}

/**
 * Encodes into memory that no other result shares; see {@link Encoder.encodeOwned}.
 *
 * @example
 * worker.postMessage(bytes, [bytes.buffer]); // const bytes = encodeOwned(value)
 */
export function encodeOwned(value: unknown, options?: EncoderOptions): Uint8Array<ArrayBuffer> {
  return encodeToOwned(stateFor(options), value);
}

/**
 * Encodes into your memory and returns the offset after the message; see {@link Encoder.encodeInto}.
 *
 * @example
 * const end = encodeInto({ id: 1 }, new Uint8Array(64)); // 5
 */
export function encodeInto(value: unknown, target: Uint8Array, offset = 0, options?: EncoderOptions): number {
  return encodeToTarget(stateFor(options), value, target, offset);
}

/**
 * Encodes and returns a view that is valid until the next call of this function; see {@link Encoder.encodeShared}.
 *
 * @example
 * socket.write(encodeShared({ id: 1 }));
 */
export function encodeShared(value: unknown, options?: EncoderOptions): Uint8Array<ArrayBuffer> {
  return encodeToShared(stateFor(options), value);
}
