/** A protobuf.js to which our Reader is attached, or in which our Reader and Writer are installed. */
import type { LongConstructor } from "../int64.js";
import type { ErrorTranslator } from "../reader/attached-errors.js";

/** A class of protobuf.js. */
export interface OriginalClass {
  readonly prototype: object;
  /** Returns a Reader or Writer. */
  create(...args: never[]): unknown;
}

/** The parts of protobuf.js 7 or 8 that `install` needs. Both `protobufjs` and `protobufjs/minimal` have them. */
export interface ProtobufJs {
  /** The class of Writers that return Uint8Arrays. */
  readonly Writer: OriginalClass;
  /** The class of Writers that return Buffers. */
  readonly BufferWriter?: OriginalClass | { readonly prototype: object };
  /** The class of Readers. */
  readonly Reader: OriginalClass & { readonly recursionLimit?: number; readonly discardUnknown?: boolean };
  /** The class of Readers of Buffers. */
  readonly BufferReader?: OriginalClass | { readonly prototype: object };
  /** Where protobuf.js keeps the class of 64-bit integers, and the Buffer class. */
  readonly util: { readonly Long?: unknown; readonly Buffer?: unknown };
}

/** The parts of Node's Buffer class, or of another one that protobuf.js is configured with, that are called. */
export interface BufferClass {
  alloc(size: number): Uint8Array<ArrayBuffer>;
  from(memory: ArrayBuffer, start: number, length: number): Uint8Array<ArrayBuffer>;
  from(text: string, encoding: "base64"): Uint8Array<ArrayBuffer>;
  isBuffer(value: unknown): boolean;
}

/** The same object as {@link ProtobufJs}, with members that are its own business. */
export interface ProtobufJsInside extends ProtobufJs {
  readonly BufferWriter?: { readonly prototype: object; readonly alloc?: (size: number) => Uint8Array<ArrayBuffer> };
  readonly BufferReader?: {
    readonly prototype: { readonly _slice?: (this: Uint8Array, start: number, end: number) => Uint8Array };
  };
  readonly util: {
    readonly Long?: unknown;
    readonly Buffer?: BufferClass | null;
    /** Version 7: `Buffer.from`. */
    readonly _Buffer_from?: BufferClass["from"] | null;
  };
}

/** The state of an attached protobuf.js. `protobuf.configure()` renews it. */
export interface Library {
  readonly protobuf: ProtobufJsInside;
  readonly isVersion7: boolean;
  /** Its class of 64-bit integers. */
  Long: LongConstructor | null;
  /** True if its `Writer.create` makes Writers that return Buffers, and its `Reader.create` tests for Buffers. */
  makesBuffers: boolean;
  /** True for a value that its `Reader.create` takes for a Buffer. */
  isBuffer(value: unknown): boolean;
  /** Makes its errors of ours. */
  readonly translate: ErrorTranslator;
}
