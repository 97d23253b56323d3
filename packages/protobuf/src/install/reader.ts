/** The Reader of a protobuf.js in which ours is installed. */
import type { DecodeError } from "moonpack/bytes";
import { configuredLong } from "../int64.js";
import type { FailedCall } from "../reader/fields.js";
import { Reader } from "../reader/reader.js";
import type { Library } from "./library.js";

/** Makes a Reader class that follows the settings of a protobuf.js, also when they change later. */
export function readerClass(library: Library): typeof Reader {
  const { protobuf } = library;
  const { Reader: Original, BufferReader } = protobuf;
  return class extends Reader {
    override discardUnknown: boolean = Original.discardUnknown ?? Reader.discardUnknown;

    protected override longClass() {
      return library.Long ?? configuredLong();
    }

    override failure(error: DecodeError, call: FailedCall, argument?: unknown): Error {
      return library.translate(this, error, call, argument);
    }

    /** Like the original: a BufferReader slices with its Buffer class, and version 7 allocates empty bytes with that class. */
    override raw(start: number, end: number): Uint8Array {
      listToMemory(this);
      const BufferClass = protobuf.util.Buffer;
      if (start === end && library.isVersion7 && BufferClass) return BufferClass.alloc(0);
      const slice = library.isBuffer(this.buf) ? BufferReader?.prototype._slice : undefined;
      return slice === undefined ? super.raw(start, end) : slice.call(this.buf, start, end);
    }

    protected override viewed(): DataView {
      listToMemory(this);
      return super.viewed();
    }

    override skipType(wireType: number, depth = 0, field?: number): this {
      this.skipField(wireType, field, depth, Original.recursionLimit ?? Reader.recursionLimit);
      return this;
    }
  };
}

/** protobuf.js 7's own constructor keeps an array of bytes as it is. Code that captured the class may call it. */
function listToMemory(reader: { readonly buf: Uint8Array }): void {
  if (!Array.isArray(reader.buf)) return;
  Object.defineProperty(reader, "buf", { value: Uint8Array.from(reader.buf as number[]), writable: true });
}
