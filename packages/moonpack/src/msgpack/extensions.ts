import { refuseNames } from "#runtime";
import { describe, invalidArgument } from "../bytes/errors.js";
import {
  type AnyExtension,
  defaultTable,
  Extension,
  type ExtensionDefinition,
  ExtensionTable,
  tables,
} from "./extension-table.js";
import { Timestamp } from "./timestamp.js";

/**
 * A set of extension types, for the option `extensions`. Later changes also apply to the encoders and decoders that have it.
 * It belongs to the copy of moonpack that made it: `import` and `require` load one each.
 *
 * @example
 * const extensions = new Extensions();
 * extensions.register({ type: 1, class: Point, encode: (p) => encode([p.x, p.y]), decode: (b) => new Point(...decode(b)) });
 */
export class Extensions {
  readonly #table = new ExtensionTable();

  /** An empty set. */
  constructor() {
    tables.set(this, this.#table);
  }

  /**
   * Adds a definition. Throws `ERR_INVALID_ARGUMENT` if the type is not an integer from 0 to 127, if the type or class is
   * registered already, if MessagePack has a format for the class, or if `encode` or `decode` is not a function.
   */
  register<T>(definition: ExtensionDefinition<T>): this {
    add(this.#table, definition);
    return this;
  }

  /** Removes the definition of this type; false if there is none. */
  unregister(type: number): boolean {
    return remove(this.#table, type);
  }
}

/** Adds a definition for the package-level functions; see {@link Extensions.register}. */
export function registerExtension<T>(definition: ExtensionDefinition<T>): void {
  add(defaultTable, definition);
}

/** Removes a definition of the package-level functions; false if this type has none. */
export function unregisterExtension(type: number): boolean {
  return remove(defaultTable, type);
}

function add<T>({ byType, byPrototype }: ExtensionTable, definition: ExtensionDefinition<T>): void {
  if (typeof definition !== "object" || definition === null)
    throw invalidArgument("expected { type, class, encode, decode }");
  refuseNames(definition, ["type", "class", "encode", "decode"]);
  const { type, class: owner, encode, decode } = definition;
  if (typeof type !== "number" || !Number.isInteger(type) || type < 0 || type > 127) {
    throw invalidArgument(`extension type must be an integer from 0 to 127, not ${describe(type)}`);
  }
  const prototype: unknown = typeof (owner as unknown) === "function" ? owner.prototype : undefined;
  if (typeof prototype !== "object" || prototype === null) {
    throw invalidArgument(`extension ${type}: class must be a class`);
  }
  if (typeof encode !== "function" || typeof decode !== "function") {
    throw invalidArgument(`extension ${type}: encode and decode must be functions`);
  }
  if (isBuiltIn(owner))
    throw invalidArgument(`extension ${type}: ${owner.name} has a MessagePack form that cannot be replaced`);
  if (byType.has(type)) throw invalidArgument(`extension type ${type} is registered`);
  if (byPrototype.has(prototype)) throw invalidArgument(`class ${owner.name} is registered`);
  // A copy: later changes of the caller's object have no effect.
  const entry = {
    type,
    class: owner,
    encode: encode.bind(definition),
    decode: decode.bind(definition),
  } as AnyExtension;
  byType.set(type, entry);
  byPrototype.set(prototype, entry);
}

function remove({ byType, byPrototype }: ExtensionTable, type: number): boolean {
  const entry = byType.get(type);
  if (entry === undefined) return false;
  // Searches for the definition, since the prototype of the class may have changed.
  for (const [prototype, other] of byPrototype) if (other === entry) byPrototype.delete(prototype);
  return byType.delete(type);
}

function isBuiltIn(owner: object): boolean {
  const typedArray: unknown = Object.getPrototypeOf(Uint8Array);
  const builtIns: unknown[] = [
    Object,
    Function,
    Array,
    Map,
    Date,
    ArrayBuffer,
    DataView,
    typedArray,
    Timestamp,
    Extension,
  ];
  return (
    builtIns.includes(owner) || Object.getPrototypeOf(owner) === typedArray || owner === globalThis.SharedArrayBuffer
  );
}
