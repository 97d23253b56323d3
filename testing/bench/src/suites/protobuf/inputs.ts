const CHUNK_BYTES = 65_536;

/** Copies of a message as they arrive, each in memory that no decoder has seen: `SocketInputs` for every runtime. */
export class ArrivingCopies {
  #chunk = new Uint8Array(CHUNK_BYTES);
  #used = 0;

  /** A copy in a chunk of 64 KiB, behind the previous one; a larger message in its own memory. */
  copy(bytes: Uint8Array): Uint8Array {
    const { length } = bytes;
    if (length > CHUNK_BYTES) return asReceived(Uint8Array.from(bytes));
    if (this.#used + length > CHUNK_BYTES) {
      this.#chunk = new Uint8Array(CHUNK_BYTES);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += length;
    this.#chunk.set(bytes, start);
    return asReceived(this.#chunk.subarray(start, this.#used));
  }
}

/**
 * A Buffer where there are Buffers: sockets deliver them, and protobuf.js has a Reader for them. A process decodes only this kind,
 * even before measuring: decoders that have met two kinds stay slower.
 */
export function asReceived(bytes: Uint8Array): Uint8Array {
  const { Buffer: NodeBuffer } = globalThis as { Buffer?: typeof Buffer };
  return NodeBuffer === undefined ? bytes : NodeBuffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
