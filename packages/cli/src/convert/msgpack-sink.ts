import { Encoder } from "moonpack";
import { EncodeError, textWithoutPlace } from "moonpack/bytes";
import type { Output } from "../shared/output.js";
import { containerHeader } from "./msgpack-header.js";
import { type ContainerKind, Place, type Sink } from "./sink.js";
import { Spool } from "./spool.js";

/** Writes values as MessagePack, one message after another. */
export class MsgpackSink implements Sink {
  readonly #output: Output;
  readonly #canonical: boolean;
  readonly #maxDepth: number;
  readonly #place = new Place();
  /** An encoder for each depth, since the depth limit counts from the top of the message. */
  readonly #encoders: Encoder[] = [];
  /** Holes of the open containers; undefined for a container whose header needs no hole. */
  readonly #holes: (number | undefined)[] = [];
  #spool: Spool | undefined;
  /** Open containers whose count is not known yet. While there are any, bytes go to the spool. */
  #waiting = 0;

  constructor(output: Output, options: { readonly canonical: boolean; readonly maxDepth: number }) {
    this.#output = output;
    this.#canonical = options.canonical;
    this.#maxDepth = options.maxDepth;
  }

  value(value: unknown): void {
    this.#write(this.#encode(value));
    this.#place.value();
  }

  key(key: unknown): void {
    this.#write(this.#encode(key));
    this.#place.key(key);
  }

  open(kind: ContainerKind, count: number | undefined): void {
    let hole: number | undefined;
    if (count === undefined) {
      this.#spool ??= new Spool();
      this.#waiting++;
      hole = this.#spool.leaveHole();
    } else {
      this.#write(containerHeader(kind, count));
    }
    this.#holes.push(hole);
    this.#place.open(kind);
  }

  async close(): Promise<void> {
    const { kind } = this.#place.level!;
    const count = this.#place.close();
    const hole = this.#holes.pop();
    if (hole === undefined) return;
    this.#spool!.fill(hole, containerHeader(kind, count));
    if (--this.#waiting > 0) return;
    await this.#spool!.moveTo(
      (bytes) => this.#output.write(bytes),
      () => this.#output.drain(),
    );
  }

  endMessage(): void {}

  async drain(): Promise<void> {
    await this.#output.drain();
  }

  async finish(): Promise<void> {
    this.#closeSpool();
    await this.#output.finish();
  }

  discard(): void {
    this.#closeSpool();
    this.#output.discard();
  }

  #closeSpool(): void {
    this.#spool?.close();
    this.#spool = undefined;
  }

  #write(bytes: Uint8Array): void {
    if (this.#waiting > 0) this.#spool!.write(bytes);
    else this.#output.write(bytes);
  }

  /** Returns the value's bytes, valid until the next call. */
  #encode(value: unknown): Uint8Array {
    const depth = this.#place.depth;
    this.#encoders[depth] ??= new Encoder({
      canonical: this.#canonical,
      maxDepth: Math.max(1, this.#maxDepth - depth),
    });
    try {
      return this.#encoders[depth].encodeShared(value);
    } catch (error) {
      throw error instanceof EncodeError ? this.#placed(error) : error;
    }
  }

  /** Extends the encoder's path, which begins at the value, to one that begins at the message. */
  #placed(error: EncodeError): EncodeError {
    return new EncodeError(error.code, textWithoutPlace(error), this.#place.path() + error.path.slice(1), error.cause);
  }
}
