import { isInstance } from "../bytes/brand.js";
import { invalidArgument } from "../bytes/errors.js";

/** Error text for an invalid Extension. */
export const EXTENSION_RULE = "an Extension has a type from -128 to 127 and a Uint8Array of data";

/** Returns true for an int8 and a Uint8Array. */
export function isExtension(type: unknown, data: unknown): boolean {
  return ((type as number) << 24) >> 24 === type && data instanceof Uint8Array;
}

/**
 * An extension as it is on the wire: type and data. Decoders with `unknownExtensions: "keep"` return it, and it encodes to the
 * same extension. Encoding checks both fields again: `ERR_OUT_OF_RANGE`.
 */
export class Extension {
  /** Returns true for instances of every copy of moonpack in the process. */
  static [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: in a subclass, `this` is the subclass.
    return isInstance(this, value) && (value as Extension).type !== null;
  }
  /** @internal Encoders test it alone: a Raw has it too, with the type null. */
  static get brand(): symbol {
    return Symbol.for("moonpack.Extension");
  }
  /** -128 to 127; MessagePack reserves the negative ones. */
  readonly type: number;
  /**
   * Its bytes. They are not copied: encoding writes their present content. Encoding throws `ERR_UNSUPPORTED_TYPE` once their
   * buffer has been transferred.
   */
  readonly data: Uint8Array;
  /** Throws `ERR_INVALID_ARGUMENT` unless the type is an int8 and the data a Uint8Array. */
  constructor(type: number, data: Uint8Array) {
    if (!isExtension(type, data)) throw invalidArgument(EXTENSION_RULE);
    this.type = type;
    this.data = data;
  }
}

/** A class whose instances are of T; it may be abstract, or its constructor private. */
export interface Class<T> {
  readonly prototype: T;
  readonly name: string;
}

/** How the instances of one class are encoded and decoded. */
export interface ExtensionDefinition<T> {
  /** 0 to 127; MessagePack reserves the negative types. */
  readonly type: number;
  /** The class. Instances of its subclasses are encoded by this definition too, unless the subclass has its own. */
  readonly class: Class<T>;
  /** Returns the value's bytes; may call moonpack's `encode`. An error that it throws becomes `ERR_USER_CODE`. */
  encode(value: T): Uint8Array;
  /** Returns the value of these bytes. They are a copy, so the value may keep them. An error that `decode` throws becomes `ERR_USER_CODE`. */
  decode(data: Uint8Array<ArrayBuffer>): T;
}

/** A definition without its value type, as tables hold it. */
export type AnyExtension = ExtensionDefinition<unknown>;

/** The table in which codecs look up definitions. Only extensions.ts changes it: codecs rely on its checks. */
export class ExtensionTable {
  readonly byType = new Map<number, AnyExtension>();
  readonly byPrototype = new Map<object, AnyExtension>();
}

/** The definition of the value's class or of its nearest superclass that has one. */
export function extensionOf({ byPrototype }: ExtensionTable, value: object): AnyExtension | undefined {
  if (byPrototype.size === 0) return undefined;
  for (let p: object | null = Object.getPrototypeOf(value); p !== null; p = Object.getPrototypeOf(p)) {
    const definition = byPrototype.get(p);
    if (definition !== undefined) return definition;
  }
  return undefined;
}

/**
 * The table of each `Extensions`. A WeakMap, so that users cannot reach the tables; in this file, so that a bundle with codecs does not
 * contain the code of `register`.
 */
export const tables: WeakMap<object, ExtensionTable> = /* @__PURE__ */ new WeakMap();

/** The default definitions: for the package-level functions, and for codecs without the option `extensions`. */
export const defaultTable: ExtensionTable = /* @__PURE__ */ new ExtensionTable();
