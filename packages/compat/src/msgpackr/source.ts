import {
  copyOwned,
  DecodeError,
  type ElementBudget,
  HEAVY_ELEMENTS,
  readUtf8,
  readUtf8Lossy,
  refillElements,
  truncated,
} from "moonpack/bytes";
import type { Settings } from "./options.js";

/** The bytes of a message, the place that is being read, and the items that are only bytes. */
export class Source implements ElementBudget {
  elementsLeft = 0;
  elementsSpare = 0;
  pos = 0;
  end: number;
  readonly settings: Settings;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly view: DataView<ArrayBuffer>;

  constructor(settings: Settings, bytes: Uint8Array<ArrayBuffer>) {
    this.settings = settings;
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.end = bytes.length;
  }

  /** Skips `n` bytes of the item at `start`. Returns their position. */
  skip(n: number, start: number): number {
    const at = this.pos;
    if (at + n > this.end) throw truncated(start, at + n - this.end);
    this.pos = at + n;
    return at;
  }

  /** Counts elements that the item at `start` creates. */
  charge(count: number, start: number): void {
    if (count > this.elementsLeft) refillElements(this, count, start);
    this.elementsLeft -= count;
  }

  /** Reads a string of `n` bytes. */
  text(n: number, start: number): string {
    const from = this.skip(n, start);
    const text = readUtf8(this.bytes, this.view, from, from + n);
    if (text !== null) return text;
    if (this.settings.utf8 === "replace") return readUtf8Lossy(this.bytes, from, from + n);
    throw new DecodeError("ERR_INVALID_UTF8", "malformed UTF-8", start);
  }

  /** Reads a binary of `n` bytes. */
  binary(n: number, start: number): Uint8Array<ArrayBuffer> {
    const from = this.skip(n, start);
    this.charge(HEAVY_ELEMENTS - 1, start);
    if (this.settings.binary === "copy") return copyOwned(this.bytes, from, from + n);
    return new Uint8Array(this.bytes.buffer, this.bytes.byteOffset + from, n);
  }
}
