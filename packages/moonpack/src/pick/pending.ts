/** The end of an item that arrives in parts: no byte is looked at twice, however small the parts are. */
import { DecodeError } from "../bytes/errors.js";
import { viewOf } from "../msgpack/read/base.js";
import { headerSize, isContainer, numberAt, payloadSize } from "../msgpack/read/formats.js";
import { tooDeep } from "./skip.js";

const INITIAL_BYTES = 4096;

/** The bytes of an item that is not complete. */
export class PendingItem {
  /** Valid up to `size`. */
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(INITIAL_BYTES);
  size = 0;
  /** After the last item that has been looked at; beyond `size` while bytes of text or binary are missing. */
  pos = 0;
  /** Items missing in the innermost container, and in each around it. */
  #left = 1;
  readonly #outer: number[] = [];
  readonly #maxDepth: number;
  #view = viewOf(this.bytes);

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth;
  }

  /** Adds a copy of some bytes. */
  add(part: Uint8Array): void {
    const size = this.size + part.length;
    if (size > this.bytes.length) {
      const larger = new Uint8Array(Math.max(size, 2 * this.bytes.length));
      larger.set(this.bytes.subarray(0, this.size));
      this.bytes = larger;
      this.#view = viewOf(larger);
    }
    this.bytes.set(part, this.size);
    this.size = size;
  }

  /** True if the item is complete: it ends at `pos`. */
  isComplete(): boolean {
    const { bytes, size } = this;
    const view = this.#view;
    for (;;) {
      while (this.#left === 0) {
        const outer = this.#outer.pop();
        if (outer === undefined) return this.pos <= size;
        this.#left = outer;
      }
      const { pos } = this;
      if (pos >= size) return false;
      const token = bytes[pos]!;
      if (token === 0xc1) throw new DecodeError("ERR_INVALID_BYTE", "0xc1 is not a valid first byte", pos);
      const header = headerSize(bytes, pos);
      if (pos + header > size) return false;
      this.#left--;
      if (!isContainer(token)) this.pos += header + payloadSize(bytes, view, pos, header, size);
      else {
        if (this.#outer.length >= this.#maxDepth) throw tooDeep(this.#maxDepth, pos);
        const n = header === 1 ? token & 15 : numberAt(bytes, view, token, pos + 1);
        this.#outer.push(this.#left);
        this.#left = token < 0x90 || token > 0xdd ? 2 * n : n;
        this.pos += header;
      }
    }
  }
}
