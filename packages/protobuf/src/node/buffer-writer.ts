import { Writer } from "../writer/writer.js";

/**
 * The Writer of `@moonpack/protobuf` with Buffers as results, as protobuf.js has them in Node. Small ones are slices of Node's
 * pool. For programs without `install`, which returns Buffers itself.
 *
 * @example
 * socket.write(Message.encode(message, new BufferWriter()).finish());
 */
export class BufferWriter extends Writer {
  /** Returns a new BufferWriter. */
  static override create(): BufferWriter {
    return new BufferWriter();
  }

  /** Returns a new Buffer that is not filled with zeros. */
  static override alloc(size: number): Buffer<ArrayBuffer> {
    return Buffer.allocUnsafe(size) as Buffer<ArrayBuffer>;
  }

  /** Works like {@link Writer.finish}, but returns a Buffer. */
  override finish(shared = false): Buffer<ArrayBuffer> {
    return super.finish(shared) as Buffer<ArrayBuffer>;
  }

  protected override decoded(text: string): Uint8Array {
    return Buffer.from(text, "base64");
  }

  protected override result(bytes: Uint8Array, start: number, end: number): Buffer<ArrayBuffer> {
    const result = BufferWriter.alloc(end - start);
    result.set(bytes.subarray(start, end));
    return result;
  }

  protected override shared(bytes: Uint8Array<ArrayBuffer>, start: number, end: number): Buffer<ArrayBuffer> {
    return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
  }
}
