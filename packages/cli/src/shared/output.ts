import { isatty } from "node:tty";
import { descriptorOf } from "./descriptors.js";
import { detail } from "./messages.js";
import { printableJson } from "./printable.js";
import { descriptorTarget, fileTarget, type Target } from "./target.js";

const CHUNK = 256 * 1024;
/** Number of full chunks from which on `isFull` is true. */
const FULL = 4;

/**
 * Where a command writes its bytes. Writes are collected in a chunk; `drain` sends full chunks and waits for a slow reader.
 * A file is written beside its target, and replaces it only in `finish`.
 */
export class Output {
  #chunk = Buffer.from(new ArrayBuffer(CHUNK));
  #used = 0;
  #full: Uint8Array<ArrayBuffer>[] = [];
  #spare: ArrayBuffer | undefined;
  readonly #target: Target;
  readonly #isTerminal: boolean;

  /** @internal */
  constructor(target: Target, isTerminal: boolean) {
    this.#target = target;
    this.#isTerminal = isTerminal;
  }

  /**
   * Opens a file for replacement; standard output for `-`; the inherited descriptor for `/dev/fd/63` and similar paths. `through` changes
   * what a file gets, for example compresses it.
   */
  static open(path: string, through: (target: Target) => Target = (target) => target): Output {
    const descriptor = path === "-" ? 1 : descriptorOf(path);
    detail(() => `writes ${path === "-" ? "standard output" : path}`);
    if (descriptor === undefined) return new Output(through(fileTarget(path)), false);
    return new Output(descriptorTarget(descriptor, path), isatty(descriptor));
  }

  /** Adds bytes. They are copied, so the caller may reuse its array. */
  write(bytes: Uint8Array): void {
    if (bytes.length > CHUNK - this.#used) this.#flushChunk();
    if (bytes.length >= CHUNK) {
      this.#full.push(new Uint8Array(bytes));
      return;
    }
    this.#chunk.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  /** Adds text as UTF-8. */
  writeText(text: string): void {
    // UTF-8 needs at most three bytes per code unit, so short texts go straight into the chunk.
    if (text.length * 3 <= CHUNK - this.#used) this.#used += this.#chunk.write(text, this.#used, "utf8");
    else this.write(Buffer.from(text, "utf8"));
  }

  /** Adds JSON text. For a terminal, control characters are escaped; the values are the same. */
  writeJson(text: string): void {
    this.writeText(this.#isTerminal ? printableJson(text) : text);
  }

  /** True when a megabyte or more waits: call `drain` before the next value. */
  get isFull(): boolean {
    return this.#full.length >= FULL;
  }

  /** Sends the full chunks and waits until they are taken. Call it between batches. */
  async drain(): Promise<void> {
    if (this.#full.length === 0) return;
    const chunks = this.#full;
    this.#full = [];
    for (const chunk of chunks) {
      await this.#target.send(chunk);
      // Chunks that have been sent are reused. A new chunk for every 256 KB would leave hundreds to the garbage
      // collector.
      if (chunk.buffer.byteLength === CHUNK) this.#spare = chunk.buffer;
    }
  }

  /** Sends everything, for a reader who waits for it. */
  async flush(): Promise<void> {
    this.#flushChunk();
    await this.drain();
  }

  /** Sends the rest and puts the finished file in its place. */
  async finish(): Promise<void> {
    await this.flush();
    await this.#target.complete();
  }

  /** Gives up. An existing file stays unchanged. */
  discard(): void {
    this.#target.discard();
  }

  #flushChunk(): void {
    if (this.#used === 0) return;
    this.#full.push(this.#chunk.subarray(0, this.#used));
    this.#chunk = Buffer.from(this.#spare ?? new ArrayBuffer(CHUNK));
    this.#spare = undefined;
    this.#used = 0;
  }
}
