import { invalidArgument, MoonpackError } from "../bytes/errors.js";
import { copyOwned, Slab } from "../bytes/slab.js";
import { type EncoderOptions, encoderSettings } from "./options.js";
import { MessageWriter } from "./write.js";

/** Counters of real work, see `Encoder.stats`. */
export interface EncoderStats {
  /** Messages encoded without error. */
  readonly messages: number;
  /** Bytes of those messages. */
  readonly bytes: number;
  /** Values written: every message, array element and map value counts one. */
  readonly values: number;
  /** Keys that were known but did not follow their predecessor as last time. */
  readonly keyHits: number;
  /** Keys that were not known. */
  readonly keyMisses: number;
  /** How often the buffer had to grow. */
  readonly growths: number;
  /** Bytes that were moved: by growth, and where a map's size was guessed wrong. */
  readonly copied: number;
}

/** Shared results of lengths that recur are the same view again: a view costs 90 ns and 100 bytes. */
const SHARED_VIEWS = 64;
/** Memory larger than this is not kept for the sake of its views. */
const KEPT_VIEWED = 1024 * 1024;

/**
 * Encodes MessagePack, again and again: it learns the keys of what it writes and re-uses its memory. One message cannot
 * leak into the next, nor an error; encoding may nest (an extension that encodes).
 *
 * @example
 * const encoder = new Encoder({ canonical: true });
 * socket.write(encoder.encodeShared({ b: 1, a: 2 }));
 */
export class Encoder {
  readonly #options: EncoderOptions | undefined;
  readonly #writer: MessageWriter;
  readonly #slab = new Slab();
  /** Views that `encodeShared` gave out, by length modulo SHARED_VIEWS, all over `#viewed`. */
  readonly #views = new Array<Uint8Array<ArrayBuffer> | null>(SHARED_VIEWS).fill(null);
  #viewed: Uint8Array<ArrayBuffer> | null = null;
  #nested: Encoder | null = null;
  #busy = false;
  #messages = 0;
  #bytes = 0;

  /** `ERR_INVALID_ARGUMENT` for an option that makes no sense; the options are read once and never changed. */
  constructor(options?: EncoderOptions) {
    this.#writer = new MessageWriter(encoderSettings(options));
    this.#options = options === undefined ? undefined : { ...options };
  }

  /**
   * The value's bytes in memory that nobody writes to again. Those of 65 bytes to 2 KB are a cut from an 8 KB slab, as Node's
   * Buffers are (`.buffer` holds other results too: copy before you transfer it); others, and all in Firefox and Bun, own their
   * memory. Every failure is an `EncodeError` with code and path.
   */
  encode(value: unknown): Uint8Array<ArrayBuffer> {
    if (this.#busy) return this.#inner().encode(value);
    const slab = this.#slab;
    const writer = this.#write(value, slab);
    const { bytes, start, pos } = writer;
    if (bytes === slab.bytes) return slab.cut(pos);
    const result = slab.copy(bytes, start, pos);
    writer.letGo();
    return result;
  }

  /** As `encode`, in memory that no other result shares, whatever its size: up to 700 ns more above 64 bytes. */
  encodeOwned(value: unknown): Uint8Array<ArrayBuffer> {
    if (this.#busy) return this.#inner().encodeOwned(value);
    const writer = this.#write(value, null);
    const result = copyOwned(writer.bytes, 0, writer.pos);
    writer.letGo();
    return result;
  }

  /**
   * Writes the value's bytes into `target` from `offset` on; answers the offset after them. When they do not fit it is
   * `ERR_BUFFER_TOO_SMALL` and the target is left as it was.
   */
  encodeInto(value: unknown, target: Uint8Array, offset = 0): number {
    if (!(target instanceof Uint8Array)) throw invalidArgument("target must be a Uint8Array");
    if (!Number.isInteger(offset) || offset < 0 || offset > target.length) {
      throw invalidArgument(`offset must be an integer from 0 to ${target.length}`);
    }
    if (this.#busy) return this.#inner().encodeInto(value, target, offset);
    const writer = this.#write(value, null);
    const { bytes, pos } = writer;
    writer.letGo();
    if (pos > target.length - offset) {
      throw new MoonpackError(
        "ERR_BUFFER_TOO_SMALL",
        `the message takes ${pos} bytes, the target has room for ${target.length - offset}`,
      );
    }
    if (pos <= 32) for (let i = 0; i < pos; i++) target[offset + i] = bytes[i]!;
    else target.set(bytes.subarray(0, pos), offset);
    return offset + pos;
  }

  /**
   * The value's bytes as a view that is valid until the next call on this encoder: for sockets and stores that copy at
   * once. Allocates nothing when lengths recur.
   */
  encodeShared(value: unknown): Uint8Array<ArrayBuffer> {
    if (this.#busy) return this.#inner().encodeShared(value);
    const { bytes, pos } = this.#write(value, null);
    if (bytes !== this.#viewed) {
      this.#forgetViews();
      this.#viewed = bytes;
    }
    const known = this.#views[pos % SHARED_VIEWS]!;
    if (known !== null && known.length === pos) return known;
    return (this.#views[pos % SHARED_VIEWS] = new Uint8Array(bytes.buffer, 0, pos));
  }

  #write(value: unknown, slab: Slab | null): MessageWriter {
    const writer = this.#writer;
    if (slab !== null && this.#viewed !== null && this.#viewed.length > KEPT_VIEWED) this.#forgetViews();
    this.#busy = true;
    try {
      writer.message(value, slab);
    } finally {
      this.#busy = false;
    }
    this.#messages++;
    this.#bytes += writer.pos - writer.start;
    return writer;
  }

  /** For messages that user code encodes while this encoder is at work on another: the same options, memory of its own. */
  #inner(): Encoder {
    return (this.#nested ??= new Encoder(this.#options));
  }

  #forgetViews(): void {
    this.#views.fill(null);
    this.#viewed = null;
  }

  /** Counters of the work done so far, nested messages excepted. */
  stats(): EncoderStats {
    const { values, keys, growths, copied } = this.#writer;
    return {
      messages: this.#messages,
      bytes: this.#bytes,
      values,
      keyHits: keys.found,
      keyMisses: keys.missed,
      growths,
      copied,
    };
  }
}

// Made at its first use: importing the package allocates nothing.
let shared: Encoder | undefined;

function encoderFor(options: EncoderOptions | undefined): Encoder {
  if (options !== undefined) return new Encoder(options);
  return (shared ??= new Encoder());
}

/**
 * Encodes a value as MessagePack; see {@link Encoder.encode}. With options it sets up an encoder for the one call: keep
 * an {@link Encoder} where that counts.
 *
 * @example
 * encode({ compact: true, schema: 0 }); // 18 bytes: 82 a7 63 6f 6d 70 61 63 74 c3 a6 73 63 68 65 6d 61 00
 */
export function encode(value: unknown, options?: EncoderOptions): Uint8Array<ArrayBuffer> {
  return encoderFor(options).encode(value);
}

/** The same in memory that no other result shares; see {@link Encoder.encodeOwned}. */
export function encodeOwned(value: unknown, options?: EncoderOptions): Uint8Array<ArrayBuffer> {
  return encoderFor(options).encodeOwned(value);
}

/** Writes into your memory and answers the end offset; see {@link Encoder.encodeInto}. */
export function encodeInto(value: unknown, target: Uint8Array, offset = 0, options?: EncoderOptions): number {
  return encoderFor(options).encodeInto(value, target, offset);
}

/** A view that is valid until the next call of this function; see {@link Encoder.encodeShared}. */
export function encodeShared(value: unknown, options?: EncoderOptions): Uint8Array<ArrayBuffer> {
  return encoderFor(options).encodeShared(value);
}
