/** Reads containers whose bytes come in parts. */
import { DecodeError, MoonpackError, shifted } from "../../bytes/errors.js";
import { FrameSplitter } from "../../bytes/frame-splitter.js";
import { frameSettings } from "../../bytes/frames.js";
import { type BytesInput, toBytes } from "../../bytes/input.js";
import { ownOption } from "../../bytes/options.js";
import { ByteWriter } from "../../bytes/writer.js";
import { codec } from "../codec/codec.js";
import { codecSettings } from "../codec/settings.js";
import { resolve } from "../evolve/resolve.js";
import type { MessageDecoder } from "../framed.js";
import type { AnySchema } from "../schema/schema.js";
import type { SchemaInput } from "../to-model.js";
import { type ContainerHead, headParts } from "./head.js";
import type { ReadOptions } from "./options.js";

/** How the frames of a container are found: lengths as varints, payloads without a copy, since they are read at once. */
const VIEWS = { prefix: "uvar", frames: "view" } as const;

/** From so many values on generated code is worth what it takes to make, some 0.2 ms a field (measured on Node 20). */
const MANY_VALUES = 1000;

/**
 * Reads the values of a container whose bytes come in chunks: push bytes, pull values. The same values, and the same errors
 * at the same offsets, however the bytes are cut; the work is linear in the bytes.
 *
 * @example
 * const reader = new ContainerReader();
 * for await (const chunk of file) for (const player of reader.push(chunk)) add(player);
 * reader.end(); // ERR_TRUNCATED if the bytes ended inside a value
 */
export class ContainerReader<Out = unknown> implements Iterable<Out> {
  readonly #options: ReadOptions<Out> | undefined;
  readonly #splitter: FrameSplitter;
  readonly #parts = headParts();
  /** Bytes of the head, as far as they have come. */
  readonly #held = new ByteWriter();
  /** How many of them are wanted now. */
  #wanted: number;
  #head: ContainerHead | null = null;
  #decoder: MessageDecoder<Out> | null = null;
  #count = 0;
  #closed = false;

  /** `ERR_INVALID_ARGUMENT` for an option that makes no sense. */
  constructor(options?: ReadOptions<Out>) {
    codecSettings(options); // what makes no sense is said at once, not with the first value
    this.#options = options;
    this.#splitter = new FrameSplitter({ ...VIEWS, maxFrameBytes: frameSettings(options).maxFrameBytes });
    this.#wanted = this.#parts.next().value as number;
  }

  /** The container's schema and what comes with it; null until its bytes have come. */
  get head(): ContainerHead | null {
    return this.#head;
  }

  /** Bytes of the container that have been read. */
  get offset(): number {
    return this.#head === null ? this.#held.pos : this.#head.size + this.#splitter.offset;
  }

  /** Where in the container the value that was pulled last begins, behind its length. */
  get valueAt(): number {
    return this.#head === null ? 0 : this.#head.size + this.#splitter.payloadAt;
  }

  /** Bytes that have been pushed and not been read. */
  get left(): number {
    return this.#splitter.left;
  }

  /** Ended, or failed: it takes nothing more. */
  get closed(): boolean {
    return this.#closed;
  }

  /**
   * Takes the container's next bytes and answers the reader itself: iterate over it for the values that are complete now. The
   * bytes are yours again once that has ended (with `binary: "view"`, once nobody holds a value of them). Throws what is wrong
   * with the head: `ERR_INVALID_BYTE`, `ERR_SCHEMA`, `ERR_FINGERPRINT`, ..; `ERR_CLOSED` after an error or `end`.
   */
  push(bytes: BytesInput): this {
    if (this.#closed) {
      throw new MoonpackError("ERR_CLOSED", "the reader is closed: its bytes have ended or were malformed");
    }
    let rest = toBytes(bytes);
    try {
      while (this.#head === null) {
        const wanted = this.#wanted - this.#held.pos;
        if (wanted > 0 && rest.length === 0) break;
        this.#held.raw(rest.subarray(0, wanted));
        rest = new Uint8Array(
          rest.buffer,
          rest.byteOffset + Math.min(wanted, rest.length),
          Math.max(0, rest.length - wanted),
        );
        if (this.#held.pos === this.#wanted) this.#readHead();
      }
    } catch (error) {
      this.#closed = true;
      throw error;
    }
    if (this.#head !== null && rest.length > 0) this.#splitter.push(rest);
    return this;
  }

  /** Values that are complete, in order; stop when you like and go on later. Errors as {@link ContainerReader.next}. */
  [Symbol.iterator](): Iterator<Out> {
    return {
      next: () => {
        const value = this.next();
        return value === null ? { done: true, value: undefined } : { done: false, value };
      },
    };
  }

  /**
   * The next value, or null when its end has not come yet. Every failure is a `DecodeError` with its offset in the container;
   * the reader is closed then.
   */
  next(): Out | null {
    if (this.#closed) return null;
    const splitter = this.#splitter;
    let isInside = false;
    try {
      const frame = splitter.next();
      if (frame === null) return null;
      isInside = true;
      if (++this.#count === MANY_VALUES) this.#decoder = decoderOf(this.#head!.schema, this.#options, true);
      return this.#decoder!.decode(frame);
    } catch (error) {
      this.#closed = true;
      throw this.#placed(error, isInside ? splitter.payloadAt : 0);
    }
  }

  /** The bytes have ended: `ERR_TRUNCATED` inside the head or a value. Pull first: values that were not are lost. */
  end(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#head === null) this.#readHead();
    try {
      this.#splitter.end();
    } catch (error) {
      throw this.#placed(error, 0);
    }
  }

  /** Lets the head's reader go on with what is there. */
  #readHead(): void {
    const { done, value } = this.#parts.next(this.#held.written());
    if (done !== true) {
      this.#wanted = value;
      return;
    }
    this.#decoder = decoderOf(value.schema, this.#options, false);
    this.#head = value;
  }

  /** The error of bytes behind the head, `by` bytes further on. */
  #placed(error: unknown, by: number): unknown {
    return error instanceof DecodeError ? shifted(error, this.#head!.size + by) : error;
  }
}

/** What reads the values of a container of this schema; with generated code for many of them, or where it is asked for. */
function decoderOf<Out>(
  schema: AnySchema,
  options: ReadOptions<Out> | undefined,
  isMany: boolean,
): MessageDecoder<Out> {
  const reader = ownOption(options, "reader") as SchemaInput<Out> | undefined;
  if (reader !== undefined) return resolve(schema, reader, options);
  const isAsked = ownOption(options, "codeGeneration") !== undefined;
  const made = codec(schema, isMany || isAsked ? options : { ...options, codeGeneration: false });
  return made as MessageDecoder<unknown> as MessageDecoder<Out>;
}
