import { isInstance } from "../bytes/brand.js";
import { type BytesInput, toBytes } from "../bytes/input.js";
import { copyOwned } from "../bytes/slab.js";
import { decode } from "../msgpack/decoder.js";
import type { DecoderOptions } from "../msgpack/options.js";
import { trailingBytes } from "../msgpack/read/base.js";
import { skipItems } from "./skip.js";

const MAX_DEPTH = 512;

/**
 * A whole item of MessagePack as its bytes. Encoding writes them as they are, so a part of a message can be forwarded without decoding
 * it. Text and extensions in it have not been checked.
 *
 * @example
 * encode({ hop: 1, body: new Raw(bytes) });
 */
export class Raw {
  /** Returns true for instances of every copy of moonpack in the process. */
  static [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: in a subclass, `this` is the subclass.
    return isInstance(this, value) && (value as Raw).type === null;
  }
  /** @internal Encoders recognise it as an Extension without a type. */
  static get brand(): symbol {
    return Symbol.for("moonpack.Extension");
  }
  /** @internal */
  get type(): null {
    return null;
  }
  /** Its bytes: a copy of the constructor's. */
  readonly data: Uint8Array<ArrayBuffer>;

  /**
   * Copies the bytes. Throws a `DecodeError` unless they are one item: `ERR_TRUNCATED`, `ERR_TRAILING_BYTES`, `ERR_INVALID_BYTE`,
   * `ERR_LIMIT_DEPTH` beyond 512 levels.
   */
  constructor(bytes: BytesInput);
  /** @internal `isOwned`: the bytes are one item, in separate memory. */
  constructor(bytes: Uint8Array<ArrayBuffer>, isOwned: true);
  constructor(bytes: BytesInput, isOwned = false) {
    if (isOwned) {
      this.data = bytes as Uint8Array<ArrayBuffer>;
      return;
    }
    const input = toBytes(bytes);
    const data = (this.data = copyOwned(input, 0, input.length));
    const end = skipItems(data, 0, data.length, 1, 0, new Int32Array(MAX_DEPTH));
    if (end !== data.length) throw trailingBytes(end);
  }

  /** Decodes the item; options and errors as in `decode`. */
  decode<T = unknown>(options?: DecoderOptions): T {
    return decode<T>(this.data, options);
  }

  /** Returns the decoded value: JSON has no raw parts. */
  toJSON(): unknown {
    return this.decode();
  }
}
