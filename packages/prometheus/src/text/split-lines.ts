/** Splits bytes that arrive in pieces into lines of bounded length. */

const LINE_FEED = 0x0a;

/** The functions that receive the lines. */
export interface LineReceiver {
  /** A line, without its line feed. The memory is valid during the call. */
  readonly line: (bytes: Uint8Array, view: DataView, start: number, end: number) => void;
  /** A line that is too long, which is skipped. */
  readonly tooLong: () => void;
}

/** The beginning of a line whose end has not arrived. Bytes are copied only then. */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #receiver: LineReceiver;
  #pending = new DataView(new ArrayBuffer(256));
  #size = 0;
  #isSkipping = false;

  constructor(maxBytes: number, receiver: LineReceiver) {
    this.#maxBytes = maxBytes;
    this.#receiver = receiver;
  }

  write(bytes: Uint8Array<ArrayBuffer>): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let from = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, from)) {
      const isWhole = this.#size === 0 && !this.#isSkipping && end - from <= this.#maxBytes;
      if (isWhole) this.#receiver.line(bytes, view, from, end);
      else {
        this.#keep(bytes.subarray(from, end));
        this.#finishLine();
      }
      from = end + 1;
    }
    this.#keep(bytes.subarray(from));
  }

  /** Ends a last line without a line feed. */
  end(): void {
    if (this.#size > 0) this.#finishLine();
  }

  #keep(part: Uint8Array): void {
    if (this.#isSkipping) return;
    const size = this.#size + part.length;
    if (size > this.#maxBytes) {
      this.#isSkipping = true;
      this.#size = 0;
      this.#receiver.tooLong();
      return;
    }
    if (size > this.#pending.byteLength) {
      const larger = new Uint8Array(Math.max(size, 2 * this.#pending.byteLength));
      larger.set(this.#bytes);
      this.#pending = new DataView(larger.buffer);
    }
    this.#bytes.set(part, this.#size);
    this.#size = size;
  }

  #finishLine(): void {
    const size = this.#size;
    const isSkipped = this.#isSkipping;
    this.#size = 0;
    this.#isSkipping = false;
    if (!isSkipped) this.#receiver.line(this.#bytes, this.#pending, 0, size);
  }

  get #bytes(): Uint8Array {
    return new Uint8Array(this.#pending.buffer);
  }
}
