/** Writing and reading the bytes of a carrier. */

/** The longest payload. */
const MAX_BYTES = 4096;

/** Writes into 4,096 bytes. A method that would exceed them writes nothing and returns false. */
export class PayloadWriter {
  readonly #bytes = new Uint8Array(MAX_BYTES);
  readonly #view = new DataView(this.#bytes.buffer);
  /** The bytes written so far. The caller may lower it. */
  length = 0;

  byte(value: number): boolean {
    if (this.length >= MAX_BYTES) return false;
    this.#bytes[this.length++] = value;
    return true;
  }

  /** Replaces a byte. */
  setByte(at: number, value: number): void {
    this.#bytes[at] = value;
  }

  float64(value: number): boolean {
    if (this.length + 8 > MAX_BYTES) return false;
    this.#view.setFloat64(this.length, value);
    this.length += 8;
    return true;
  }

  /** Writes bytes that are given as hexadecimal digits. */
  hex(digits: string): void {
    for (let i = 0; i < digits.length; i += 2) this.byte(Number.parseInt(digits.slice(i, i + 2), 16));
  }

  /** Writes a length of 1 or 2 bytes, and the text. */
  text(text: string, lengthBytes: 1 | 2): boolean {
    const bytes = new TextEncoder().encode(text);
    const isTooLong = lengthBytes === 1 && bytes.length > 255;
    if (isTooLong || this.length + lengthBytes + bytes.length > MAX_BYTES) return false;
    if (lengthBytes === 2) this.byte(bytes.length >> 8);
    this.byte(bytes.length & 255);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
    return true;
  }

  /** Returns a copy of the bytes. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.length);
  }
}

/** Reads bytes that are not trusted. Never throws: after damage it returns zeros and empty texts, and is never at its end. */
export class PayloadReader {
  readonly #bytes: Uint8Array;
  #position = 0;
  #isDamaged: boolean;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#isDamaged = bytes.length > MAX_BYTES;
  }

  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /** True if all bytes were read and valid. */
  get isAtEnd(): boolean {
    return !this.#isDamaged && this.#position === this.#bytes.length;
  }

  /** Marks the bytes as damaged. */
  damage(): void {
    this.#isDamaged = true;
  }

  byte(): number {
    const start = this.#take(1);
    return start < 0 ? 0 : this.#bytes[start]!;
  }

  float64(): number {
    const start = this.#take(8);
    if (start < 0) return 0;
    const { buffer, byteOffset } = this.#bytes;
    return new DataView(buffer, byteOffset + start, 8).getFloat64(0);
  }

  /** Reads bytes as hexadecimal digits. */
  hex(count: number): string {
    const start = this.#take(count);
    if (start < 0) return "";
    return Array.from(this.#bytes.subarray(start, start + count), (byte) => byte.toString(16).padStart(2, "0")).join(
      "",
    );
  }

  /** Reads a length of 1 or 2 bytes, and a text. */
  text(lengthBytes: 1 | 2): string {
    const length = lengthBytes === 2 ? this.byte() * 256 + this.byte() : this.byte();
    const start = this.#take(length);
    if (start < 0) return "";
    try {
      const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
      return decoder.decode(this.#bytes.subarray(start, start + length));
    } catch {
      this.#isDamaged = true;
      return "";
    }
  }

  /** Skips bytes and returns their position; -1 if there are not enough. */
  #take(count: number): number {
    const start = this.#position;
    if (this.#isDamaged || start + count > this.#bytes.length) {
      this.#isDamaged = true;
      return -1;
    }
    this.#position = start + count;
    return start;
  }
}
