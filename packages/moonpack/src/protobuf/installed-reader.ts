/** What an installed protobuf.js reads with. */
import { configuredLong, type LongConstructor } from "./int64.js";
import { Reader } from "./reader.js";

/** What protobuf.js lets its users set on its Reader. */
export interface ReaderSettings {
  readonly recursionLimit?: number;
  readonly discardUnknown?: boolean;
}

/** A Reader that does as protobuf.js has been set to, whenever that was, and makes the Long that it has `found`. */
export function readerClass(original: ReaderSettings, found: { readonly Long: LongConstructor | null }): typeof Reader {
  return class extends Reader {
    override discardUnknown: boolean = original.discardUnknown ?? Reader.discardUnknown;

    protected override longClass(): LongConstructor | null {
      return found.Long ?? configuredLong();
    }

    override raw(start: number, end: number): Uint8Array {
      toMemory(this);
      return super.raw(start, end);
    }

    protected override viewed(): DataView {
      toMemory(this);
      return super.viewed();
    }

    override skipType(wireType: number, depth = 0, field?: number): this {
      this.skipField(wireType, field, depth, original.recursionLimit ?? Reader.recursionLimit);
      return this;
    }
  };
}

/** protobuf.js 7's own constructor, which captured code may call, keeps a list as it is. */
function toMemory(reader: { readonly buf: Uint8Array }): void {
  if (!Array.isArray(reader.buf)) return;
  Object.defineProperty(reader, "buf", { value: Uint8Array.from(reader.buf as number[]), writable: true });
}
