/** Writes containers, all at once or part by part. */
import { EncodeError, invalidArgument, nested } from "../../bytes/errors.js";
import { appendFrame, frameSettings } from "../../bytes/frames.js";
import { copyOwned } from "../../bytes/slab.js";
import { ByteWriter } from "../../bytes/writer.js";
import type { Codec } from "../codec/codec.js";
import { type CodecInput, codecOf } from "../codec-input.js";
import { encodeHead } from "./head.js";
import type { ContainerOptions } from "./options.js";

/**
 * Writes the values of one schema as a container: add values, take bytes. What has been taken so far is a container always,
 * with the values added until then.
 *
 * @example
 * const writer = new ContainerWriter(Player);
 * for (const player of players) writer.add(player);
 * save(writer.take());
 */
export class ContainerWriter<In> {
  readonly #codec: Codec<unknown, In>;
  readonly #frame: ReturnType<typeof frameSettings>;
  readonly #writer = new ByteWriter();
  #count = 0;

  /** Of a codec, its own options hold. `ERR_SCHEMA` for a schema that is not valid, `ERR_INVALID_ARGUMENT` for an option that makes no sense. */
  constructor(schema: CodecInput<unknown, In>, options?: ContainerOptions) {
    this.#codec = codecOf(schema, options);
    this.#frame = { prefix: "uvar", maxFrameBytes: frameSettings(options).maxFrameBytes };
    this.#writer.raw(encodeHead(this.#codec.schema));
  }

  /** Bytes that have been written and not been taken. */
  get used(): number {
    return this.#writer.pos;
  }

  /**
   * Adds a value. An `EncodeError` has its path in the list of all values, `$[3].name`; `ERR_FRAME_TOO_LARGE` above
   * `maxFrameBytes`. Nothing of such a value is written, and the writer works on.
   */
  add(value: In): void {
    const place = this.#count++;
    let message: Uint8Array<ArrayBuffer>;
    try {
      message = this.#codec.encodeShared(value);
    } catch (error) {
      throw error instanceof EncodeError ? nested(error, `[${place}]`) : error;
    }
    appendFrame(this.#writer, message, this.#frame);
  }

  /** The bytes that have been written and not been taken, or the first `count` of them, in memory of their own. */
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
