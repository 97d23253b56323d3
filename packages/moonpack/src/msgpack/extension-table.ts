import { invalidArgument } from "../bytes/errors.js";

/**
 * An extension value as it stands on the wire: its type and its bytes. Encodes back to the same extension; comes out of
 * a decoder with `unknownExtensions: "keep"`.
 */
export class Extension {
  /** -128 to 127; MessagePack reserves the negative ones. */
  readonly type: number;
  readonly data: Uint8Array;
  /** `ERR_INVALID_ARGUMENT` for a type that is no int8 or data that is no Uint8Array. */
  constructor(type: number, data: Uint8Array) {
    if ((type << 24) >> 24 !== type || !(data instanceof Uint8Array)) {
      throw invalidArgument("an Extension has a type from -128 to 127 and a Uint8Array of data");
    }
    this.type = type;
    this.data = data;
  }
}

/** A class whose instances are of T; it may be abstract, or its constructor private. */
export interface Class<T> {
  readonly prototype: T;
  readonly name: string;
}

/** How the instances of one class travel. */
export interface ExtensionDefinition<T> {
  /** 0 to 127: MessagePack keeps the negative ones for itself. */
  readonly type: number;
  /** Instances of it, of its subclasses too unless they have a definition of their own, are encoded by this definition. */
  readonly class: Class<T>;
  /** The value's bytes; may call the package's own `encode`. What it throws arrives as `ERR_USER_CODE`. */
  encode(value: T): Uint8Array;
  /** The value of these bytes, which are its own to keep. What it throws arrives as `ERR_USER_CODE`. */
  decode(data: Uint8Array<ArrayBuffer>): T;
}

/** A definition whose value type was forgotten, as registries hold it. */
export type AnyExtension = ExtensionDefinition<unknown>;

/** Definitions by type and by class: what codecs look up. Filled through `Extensions`. */
export class ExtensionTable {
  readonly byType = new Map<number, AnyExtension>();
  readonly byPrototype = new Map<object, AnyExtension>();
}

/** The table of the package-level functions, and of codecs that are given none. */
export const defaultTable: ExtensionTable = /* @__PURE__ */ new ExtensionTable();
