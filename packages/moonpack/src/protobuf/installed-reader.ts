/** What an installed protobuf.js reads with. */
import { configuredLong, type LongConstructor } from "./int64.js";
import { Reader } from "./reader.js";

/** What protobuf.js lets its users set on its Reader. */
export interface ReaderSettings {
  readonly recursionLimit?: number;
  readonly discardUnknown?: boolean;
}

/** A Reader that does as protobuf.js has been set to, whenever that was, and makes its Long, if it has one. */
export function readerClass(original: ReaderSettings, Long: LongConstructor | null): typeof Reader {
  return class extends Reader {
    override discardUnknown: boolean = original.discardUnknown ?? Reader.discardUnknown;

    protected override longClass(): LongConstructor | null {
      return Long ?? configuredLong();
    }

    override skipType(wireType: number, depth = 0, field?: number): this {
      this.skipField(wireType, field, depth, original.recursionLimit ?? Reader.recursionLimit);
      return this;
    }
  };
}
