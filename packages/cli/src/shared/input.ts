import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { ReadStream } from "node:tty";
import { descriptorOf, kindOf } from "./descriptors.js";
import { Failure, fileError } from "./failure.js";
import { detail } from "./messages.js";

const FIRST_CAPACITY = 512 * 1024;

/** Reads up to `target.length` bytes into `target`. Returns how many; 0 at the end of the input. */
type Fill = (target: Uint8Array) => Promise<number>;

/**
 * A moving window over a file or pipe: the bytes that have been read and not yet consumed. It doubles only when a value does
 * not fit. Reading is therefore linear, and memory depends on the largest value, not on the file.
 */
export class ByteWindow {
  /** Bytes `start` to `end` of this array are the window. It is replaced when the window grows. */
  bytes = new Uint8Array(FIRST_CAPACITY);
  start = 0;
  end = 0;
  /** Position of the window's first byte in the whole input. */
  position = 0;
  /** True when the input has no bytes after the window. */
  ended = false;
  /** Size of the whole input, for a regular file; undefined otherwise. */
  readonly total: number | undefined;
  /** Line feeds before the array's first byte, and the offset of its line's start. */
  #linesBefore = 0;
  #lineStart = 0;
  readonly #fill: Fill;
  readonly #close: () => Promise<void>;

  constructor(fill: Fill, total: number | undefined, close: () => Promise<void>) {
    this.#fill = fill;
    this.total = total;
    this.#close = close;
  }

  /** Opens a file; standard input for `-`; the inherited descriptor for `/dev/fd/63` and similar paths. */
  static async open(path: string): Promise<ByteWindow> {
    const descriptor = path === "-" ? 0 : descriptorOf(path);
    detail(() => `reads ${path === "-" ? "standard input" : path}`);
    if (descriptor === undefined) return fromFile(path);
    return fromDescriptor(descriptor, path === "-" ? "standard input" : path);
  }

  /** Number of bytes in the window. */
  get size(): number {
    return this.end - this.start;
  }

  /** Returns the window itself, not a copy. It is valid until the next `more`. */
  view(): Uint8Array {
    return this.bytes.subarray(this.start, this.end);
  }

  /** Drops the first `count` bytes of the window. */
  consume(count: number): void {
    this.start += count;
    this.position += count;
  }

  /** Reads until the window holds `size` bytes, or the input ends. Returns whether it does. */
  async reach(size: number): Promise<boolean> {
    while (this.size < size && !this.ended) await this.more();
    return this.size >= size;
  }

  /** Reads the rest of the input and returns the window. Throws a RangeError when no array can hold it. */
  async reachEnd(): Promise<Uint8Array> {
    if (this.total !== undefined && this.total > FIRST_CAPACITY)
      this.#moveTo(new Uint8Array(this.total - this.position + 1));
    await this.reach(Infinity);
    return this.view();
  }

  /**
   * Reads more bytes after the window. A full array is compacted or doubled first. Returns false at the end of the
   * input.
   */
  async more(): Promise<boolean> {
    if (this.ended) return false;
    if (this.end === this.bytes.length) this.#makeRoom();
    const count = await this.#fill(this.bytes.subarray(this.end));
    this.end += count;
    this.ended = count === 0;
    return count > 0;
  }

  async close(): Promise<void> {
    await this.#close();
  }

  /**
   * Returns the line and column of an offset in the input, from 1; undefined for a regular file, which can be read again, for an
   * empty input, and for an offset whose bytes are gone: the array keeps consumed bytes until it needs their room.
   */
  lineOf(offset: number): { readonly line: number; readonly column: number } | undefined {
    const first = this.position - this.start;
    const hasNone = first + this.end === 0;
    if (this.total !== undefined || hasNone || offset < first || offset > first + this.end) return undefined;
    const { count, lineStart } = lineFeeds(this.bytes.subarray(0, offset - first), first, this.#lineStart);
    return { line: this.#linesBefore + count + 1, column: offset - lineStart + 1 };
  }

  #makeRoom(): void {
    const { size, bytes } = this;
    if (size > bytes.length / 2) this.#moveTo(new Uint8Array(bytes.length * 2));
    else if (bytes.length > FIRST_CAPACITY && size < FIRST_CAPACITY / 2) this.#moveTo(new Uint8Array(FIRST_CAPACITY));
    else this.#moveTo(bytes);
  }

  #moveTo(target: Uint8Array<ArrayBuffer>): void {
    const { size } = this;
    if (this.total === undefined) {
      const gone = lineFeeds(this.bytes.subarray(0, this.start), this.position - this.start, this.#lineStart);
      this.#linesBefore += gone.count;
      this.#lineStart = gone.lineStart;
    }
    target.set(this.view());
    this.bytes = target;
    this.start = 0;
    this.end = size;
  }
}

const LINE_FEED = 0x0a;

/** Counts the line feeds of bytes at `offset` of the input. Returns the start of the line after the last one, or `lineStart`. */
function lineFeeds(bytes: Uint8Array, offset: number, lineStart: number): { count: number; lineStart: number } {
  let count = 0;
  let last = -1;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
    count++;
    last = at;
  }
  return { count, lineStart: last < 0 ? lineStart : offset + last + 1 };
}

async function fromFile(path: string): Promise<ByteWindow> {
  let file: FileHandle;
  try {
    file = await open(path, "r");
  } catch (error) {
    throw fileError("read", path, error);
  }
  const status = await file.stat();
  if (status.isDirectory()) {
    await file.close();
    throw new Failure(`cannot read ${path}: it is a folder, not a file`);
  }
  const fill: Fill = async (target) => {
    try {
      return (await file.read(target, 0, target.length, null)).bytesRead;
    } catch (error) {
      throw fileError("read", path, error);
    }
  };
  return new ByteWindow(fill, status.isFile() ? status.size : undefined, () => file.close());
}

/** Reads an inherited descriptor from its current position. */
function fromDescriptor(descriptor: number, name: string): ByteWindow {
  let stream: Readable;
  try {
    const kind = kindOf(descriptor);
    if (kind === "pipe") stream = new Socket({ fd: descriptor, readable: true, writable: false });
    else if (kind === "terminal") stream = new ReadStream(descriptor);
    else stream = createReadStream("", { fd: descriptor, autoClose: false });
  } catch (error) {
    throw fileError("read", name, error);
  }
  const chunks = stream[Symbol.asyncIterator]();
  let chunk: Uint8Array = new Uint8Array(0);
  const fill: Fill = async (target) => {
    while (chunk.length === 0) {
      const next = await nextOf(chunks, name);
      if (next.done === true) return 0;
      chunk = next.value;
    }
    const part = chunk.subarray(0, target.length);
    target.set(part);
    chunk = chunk.subarray(part.length);
    return part.length;
  };
  return new ByteWindow(fill, undefined, async () => {
    stream.destroy();
  });
}

async function nextOf(chunks: AsyncIterator<Uint8Array>, name: string): Promise<IteratorResult<Uint8Array>> {
  try {
    return await chunks.next();
  } catch (error) {
    throw fileError("read", name, error);
  }
}

/** Reads a whole file, or all of standard input for `-`. */
export async function readWhole(path: string): Promise<Uint8Array> {
  const window = await ByteWindow.open(path);
  try {
    return await window.reachEnd();
  } catch (error) {
    throw error instanceof RangeError ? tooLarge(path) : error;
  } finally {
    await window.close();
  }
}

/** Returns the error of an input that no array can hold. */
export function tooLarge(path: string): Failure {
  return new Failure(`cannot read ${path}: it is too large to hold in memory`);
}
