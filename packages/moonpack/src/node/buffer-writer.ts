import { Writer } from "../protobuf/writer.js";

/**
 * The Protobuf Writer of `moonpack/protobuf` whose results are Buffers, as those of protobuf.js are in Node. Small ones are cut
 * from Node's pool. For code that is not installed by `install`, which gives Buffers by itself.
 *
 * @example
 * socket.write(Message.encode(message, new BufferWriter()).finish());
 */
export class BufferWriter extends Writer {
  /** A new BufferWriter. */
  static override create(): BufferWriter {
    return new BufferWriter();
  }

  /** New memory, not filled with zeros. */
  static override alloc(size: number): Buffer<ArrayBuffer> {
    return Buffer.allocUnsafe(size) as Buffer<ArrayBuffer>;
  }

  /** As {@link Writer.finish}, as a Buffer. */
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
