import { describe, invalidArgument } from "../bytes/errors.js";
import { Timestamp } from "./timestamp.js";

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
    if (!Number.isInteger(type) || type < -128 || type > 127) throw invalidArgument("type must be an integer from -128 to 127");
    if (!(data instanceof Uint8Array)) throw invalidArgument(`data must be a Uint8Array, not ${describe(data)}`);
    this.type = type;
    this.data = data;
  }
}

/** A constructor, abstract or not, whose instances are of T. */
export type Class<T> = abstract new (...args: never[]) => T;

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

/**
 * A set of extension types. Encoders and decoders that are given one follow its changes.
 *
 * @example
 * const extensions = new Extensions();
 * extensions.register({ type: 1, class: Point, encode: (p) => encode([p.x, p.y]), decode: (b) => new Point(...decode(b)) });
 */
export class Extensions {
  readonly #byType = new Map<number, AnyExtension>();
  readonly #byPrototype = new Map<object, AnyExtension>();

  /**
   * Adds a definition. `ERR_INVALID_ARGUMENT` for a type that is not an integer from 0 to 127, a type or class that is
   * taken, a class that MessagePack has a form for already, or functions that are none.
   */
  register<T>(definition: ExtensionDefinition<T>): this {
    if (typeof definition !== "object" || definition === null) throw invalidArgument("expected { type, class, encode, decode }");
    const { type, class: owner, encode, decode } = definition;
    if (typeof type !== "number" || !Number.isInteger(type) || type < 0 || type > 127) {
      throw invalidArgument(`extension type must be an integer from 0 to 127, not ${describe(type)}`);
    }
    if (typeof owner !== "function" || typeof owner.prototype !== "object" || owner.prototype === null) {
      throw invalidArgument(`extension ${type}: class must be a class`);
    }
    if (typeof encode !== "function" || typeof decode !== "function") {
      throw invalidArgument(`extension ${type}: encode and decode must be functions`);
    }
    if (isBuiltIn(owner)) throw invalidArgument(`extension ${type}: ${owner.name} has a form of its own and cannot be replaced`);
    if (this.#byType.has(type)) throw invalidArgument(`extension type ${type} is taken`);
    if (this.#byPrototype.has(owner.prototype)) throw invalidArgument(`class ${owner.name} is registered already`);
    // A copy: what the caller does to its object later changes nothing here.
    const entry = { type, class: owner, encode: encode.bind(definition), decode: decode.bind(definition) } as AnyExtension;
    this.#byType.set(type, entry);
    this.#byPrototype.set(owner.prototype, entry);
    return this;
  }

  /** Removes the definition of this type; false when there is none. */
  unregister(type: number): boolean {
    const entry = this.#byType.get(type);
    if (entry === undefined) return false;
    this.#byPrototype.delete(entry.class.prototype);
    return this.#byType.delete(type);
  }

  /** The definition of this type, if any. */
  ofType(type: number): AnyExtension | undefined {
    return this.#byType.get(type);
  }

  /** The definition of the value's class, or of the nearest class above it. */
  ofValue(value: object): AnyExtension | undefined {
    if (this.#byPrototype.size === 0) return undefined;
    for (let p: object | null = Object.getPrototypeOf(value); p !== null; p = Object.getPrototypeOf(p)) {
      const entry = this.#byPrototype.get(p);
      if (entry !== undefined) return entry;
    }
    return undefined;
  }
}

function isBuiltIn(owner: unknown): boolean {
  return (
    owner === Object ||
    owner === Array ||
    owner === Map ||
    owner === Date ||
    owner === ArrayBuffer ||
    owner === DataView ||
    owner === Timestamp ||
    owner === Extension ||
    owner === Uint8Array ||
    owner === Function ||
    owner === Object.getPrototypeOf(Uint8Array)
  );
}

/** The extensions of the package-level `encode` and `decode`, and of codecs that are given none. */
export const defaultExtensions: Extensions = /* @__PURE__ */ new Extensions();

/** Adds a definition for the package-level functions; see {@link Extensions.register}. */
export function registerExtension<T>(definition: ExtensionDefinition<T>): void {
  defaultExtensions.register(definition);
}

/** Removes one; false when there is none of this type. */
export function unregisterExtension(type: number): boolean {
  return defaultExtensions.unregister(type);
}
