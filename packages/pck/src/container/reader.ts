/** Decodes containers whose bytes arrive in chunks. */
import {
  type BytesInput,
  ByteWriter,
  DecodeError,
  type ElementBudget,
  FrameSplitter,
  MoonpackError,
  own,
  ownOption,
  ownOptions,
  shifted,
  toBytes,
} from "moonpack/bytes";
import { type Codec, codec } from "../codec.js";
import { type SchemaInput, schemasOfInput } from "../document/to-model.js";
import { type Resolver, resolve } from "../evolve/resolve.js";
import { type AnySchema, Schema } from "../schema/schema.js";
import { type CodecOptions, codecSettings } from "../settings.js";
import { type ContainerHead, headParts } from "./head.js";
import { frameLimit, type ReadOptions, refuseUnknownOptions } from "./options.js";

/**
 * The frames of a container have varint lengths. Payloads are not copied, since they are decoded before the next frame is
 * read.
 */
const FRAMES = { prefix: "uvar", frames: "view" } as const;

/** From this many values on, generated code saves more time than its compilation takes: about 0.2 ms a field (Node 20). */
const MANY_VALUES = 1000;

/**
 * Decodes the values of a container whose bytes arrive in chunks: push bytes, pull values. Values, errors and offsets do not depend
 * on where the chunks begin and end. The work is linear in the number of bytes.
 *
 * @example
 * const reader = new ContainerReader();
 * for await (const chunk of file) for (const player of reader.push(chunk)) add(player);
 * reader.end(); // ERR_TRUNCATED if the bytes end inside a value
 */
export class ContainerReader<Out = unknown> implements Iterable<Out> {
  readonly #options: CodecOptions;
  /** The option `reader`: the schema of the returned values, if it is not the container's own schema. */
  readonly #target: SchemaInput<Out> | undefined;
  readonly #budget: ElementBudget | undefined;
  readonly #splitter: FrameSplitter;
  readonly #parts = headParts();
  /** Bytes of the head that have arrived. */
  readonly #headBytes = new ByteWriter();
  /** The head can be read further when this many of its bytes have arrived. */
  #neededBytes: number;
  #head: ContainerHead | null = null;
  #decoder: Codec<Out, unknown> | Resolver<Out> | null = null;
  #count = 0;
  #closed = false;

  /** `maxElements` counts for each value separately. Throws `ERR_INVALID_ARGUMENT` for an unknown or invalid option. */
  constructor(options?: ReadOptions<Out>);
  /** @internal `budget`: limits the number of elements of all values together. */
  constructor(options?: ReadOptions<Out>, budget?: ElementBudget);
  constructor(options?: ReadOptions<Out>, budget?: ElementBudget) {
    const { maxFrameBytes, reader: target, ...copy } = copyOfOptions(options);
    codecSettings(copy); // throws for an invalid option here, and not with the first value
    // With a budget, maxElements only makes the codec count elements. Its value is not used: the limit is the budget.
    this.#options = budget === undefined ? copy : { ...copy, maxElements: 1 };
    this.#budget = budget;
    this.#splitter = new FrameSplitter({ ...FRAMES, maxFrameBytes: frameLimit(maxFrameBytes) });
    this.#target = target;
    this.#neededBytes = this.#parts.next().value as number;
  }

  /** The container's head with its schema; null until all of its bytes have arrived. */
  get head(): ContainerHead | null {
    return this.#head;
  }

  /** Number of bytes of the container that have been read. */
  get offset(): number {
    return this.#head === null ? this.#headBytes.pos : this.#head.size + this.#splitter.offset;
  }

  /** Offset in the container of the last returned value, after its length prefix. */
  get valueAt(): number {
    return this.#head === null ? 0 : this.#head.size + this.#splitter.payloadAt;
  }

  /** Number of bytes that have been pushed and not yet read, without the bytes of the head. */
  get left(): number {
    return this.#splitter.left;
  }

  /** True after `end` and after an error: the reader accepts no more bytes. */
  get closed(): boolean {
    return this.#closed;
  }

  /**
   * Takes the container's next bytes and returns the reader: iterate over it for the values that are complete. Do not
   * change the bytes before that iteration has ended. With `binary: "view"`, do not change them while you use its values. Throws the
   * errors of the head: `ERR_INVALID_BYTE`, `ERR_SCHEMA`, `ERR_FINGERPRINT`, ..; `ERR_CLOSED` after an error or `end`.
   */
  push(bytes: BytesInput): this {
    if (this.#closed) {
      throw new MoonpackError("ERR_CLOSED", "the reader is closed: its bytes have ended or were malformed");
    }
    let rest = toBytes(bytes);
    try {
      while (this.#head === null) {
        const missing = this.#neededBytes - this.#headBytes.pos;
        if (missing > 0 && rest.length === 0) break;
        this.#headBytes.raw(rest.subarray(0, missing));
        rest = new Uint8Array(
          rest.buffer,
          rest.byteOffset + Math.min(missing, rest.length),
          Math.max(0, rest.length - missing),
        );
        if (this.#headBytes.pos === this.#neededBytes) this.#readHead();
      }
    } catch (error) {
      this.#closed = true;
      throw error;
    }
    if (this.#head !== null && rest.length > 0) this.#splitter.push(rest);
    return this;
  }

  /**
   * Iterates over the complete values, in order. You may stop and continue later. Throws the errors of {@link
   * ContainerReader.next}.
   */
  [Symbol.iterator](): Iterator<Out> {
    return {
      next: () => {
        const value = this.next();
        return value === null ? { done: true, value: undefined } : { done: false, value };
      },
    };
  }

  /**
   * Returns the next value, or null while its bytes are incomplete. Errors are `DecodeError`s with their offset in the
   * container; they close the reader.
   */
  next(): Out | null {
    if (this.#closed) return null;
    const splitter = this.#splitter;
    let isInside = false;
    try {
      const frame = splitter.next();
      if (frame === null) return null;
      isInside = true;
      if (++this.#count === MANY_VALUES) this.#decoder = this.#decoderOf(this.#head!.schema, true);
      const budget = this.#budget;
      return budget === undefined ? this.#decoder!.decode(frame) : this.#decoder!.decodeWithin(frame, budget);
    } catch (error) {
      this.#closed = true;
      splitter.close();
      throw this.#placed(error, isInside ? splitter.payloadAt : 0);
    }
  }

  /**
   * Ends the input and closes the reader. Throws `ERR_TRUNCATED` if the input ends inside the head or a value. Values that were not
   * pulled are lost.
   */
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

  /** Continues reading the head with the bytes that have arrived. */
  #readHead(): void {
    const { done, value } = this.#parts.next(this.#headBytes.written());
    if (done !== true) {
      this.#neededBytes = value;
      return;
    }
    this.#decoder = this.#decoderOf(value.schema, false);
    this.#head = value;
  }

  /**
   * Returns the decoder of the container's values. Code is generated as the option `codeGeneration` says. Without that option it is
   * generated only for many values. With the option `reader` it is never generated.
   */
  #decoderOf(schema: AnySchema, isMany: boolean): Codec<Out, unknown> | Resolver<Out> {
    const { validate: _, codeGeneration: __, ...decoding } = this.#options;
    if (this.#target !== undefined) return resolve(schema, this.#target, decoding);
    const isCompiled = isMany || ownOption(this.#options, "codeGeneration") !== undefined;
    const decoder = codec(schema, isCompiled ? this.#options : { ...decoding, codeGeneration: false });
    return decoder as Codec<unknown, unknown> as Codec<Out, unknown>;
  }

  /** Returns the error with its offset in the container: the size of the head and `frameOffset` are added. */
  #placed(error: unknown, frameOffset: number): unknown {
    return error instanceof DecodeError ? shifted(error, this.#head!.size + frameOffset) : error;
  }
}

/**
 * Returns a copy of the options. They are read again after the head and after many values, and changes by the caller must have no
 * effect.
 */
function copyOfOptions<Out>(options: ReadOptions<Out> | undefined): ReadOptions<Out> {
  const copy = ownOptions(options);
  refuseUnknownOptions(copy, "reader");
  const { classes, reader } = copy;
  const isDocument = reader !== undefined && !(reader instanceof Schema);
  return own({
    ...copy,
    ...(classes instanceof Map ? { classes: new Map(classes) } : {}),
    ...(isDocument ? { reader: schemasOfInput(reader, "reader")[0] as SchemaInput<Out> } : {}),
  });
}
