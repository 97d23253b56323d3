/** Encodes containers, whole or in parts. */
import {
  appendFrame,
  ByteWriter,
  copyOwned,
  EncodeError,
  type FrameOptions,
  invalidArgument,
  nested,
  ownOptions,
} from "moonpack/bytes";
import type { Codec } from "../codec.js";
import { type CodecInput, codecOf } from "../codec-input.js";
import { encodeHead } from "./head.js";
import { type ContainerOptions, frameLimit, refuseUnknownOptions } from "./options.js";

/**
 * Encodes the values of one schema as a container: add values, take bytes. The bytes taken so far are always a valid
 * container of the values added until then.
 *
 * @example
 * const writer = new ContainerWriter(Player);
 * for (const player of players) writer.add(player);
 * save(writer.take());
 */
export class ContainerWriter<In> {
  readonly #codec: Codec<unknown, In>;
  readonly #frame: Required<FrameOptions>;
  readonly #writer = new ByteWriter();
  #count = 0;

  /**
   * A codec keeps its own options: then only `maxFrameBytes` has an effect. Throws `ERR_SCHEMA` for a schema that is not
   * valid, `ERR_INVALID_ARGUMENT` for an unknown or invalid option.
   */
  constructor(schema: CodecInput<unknown, In>, options?: ContainerOptions) {
    const copy = ownOptions(options);
    refuseUnknownOptions(copy);
    const { maxFrameBytes, ...given } = copy;
    this.#codec = codecOf(schema, given);
    this.#frame = { prefix: "uvar", maxFrameBytes: frameLimit(maxFrameBytes) };
    this.#writer.raw(encodeHead(this.#codec.schema));
  }

  /** Number of bytes that have been written and not yet taken. */
  get used(): number {
    return this.#writer.pos;
  }

  /**
   * Adds a value. An `EncodeError` has the path in the list of all values, `$[3].name`; `ERR_FRAME_TOO_LARGE` above
   * `maxFrameBytes`. After an error nothing of the value is written, and the writer can be used further.
   */
  add(value: In): void {
    const index = this.#count++;
    let message: Uint8Array<ArrayBuffer>;
    try {
      message = this.#codec.encodeShared(value);
    } catch (error) {
      throw error instanceof EncodeError ? nested(error, `[${index}]`) : error;
    }
    appendFrame(this.#writer, message, this.#frame);
  }

  /** Returns the bytes that have not been taken yet, or the first `count` of them. The result owns its buffer. */
  take(count = this.used): Uint8Array<ArrayBuffer> {
    const { bytes, pos } = this.#writer;
    if (!Number.isInteger(count) || count < 0 || count > pos) {
      throw invalidArgument(`count must be an integer from 0 to ${pos}`);
    }
    const taken = copyOwned(bytes, 0, count);
    this.#writer.reset();
    if (count < pos) this.#writer.raw(bytes.subarray(count, pos));
    return taken;
  }
}
