import { describe, invalidArgument } from "../bytes/errors.js";
import {
  type AnyExtension,
  defaultTable,
  Extension,
  type ExtensionDefinition,
  ExtensionTable,
} from "./extension-table.js";
import { Timestamp } from "./timestamp.js";

/**
 * A set of extension types. Encoders and decoders that are given one follow its changes.
 *
 * @example
 * const extensions = new Extensions();
 * extensions.register({ type: 1, class: Point, encode: (p) => encode([p.x, p.y]), decode: (b) => new Point(...decode(b)) });
 */
export class Extensions extends ExtensionTable {
  /**
   * Adds a definition. `ERR_INVALID_ARGUMENT` for a type that is not an integer from 0 to 127, a type or class that is
   * taken, a class that MessagePack has a form for already, or functions that are none.
   */
  register<T>(definition: ExtensionDefinition<T>): this {
    add(this, definition);
    return this;
  }

  /** Removes the definition of this type; false when there is none. */
  unregister(type: number): boolean {
    return remove(this, type);
  }
}

/** Adds a definition for the package-level functions; see {@link Extensions.register}. */
export function registerExtension<T>(definition: ExtensionDefinition<T>): void {
  add(defaultTable, definition);
}

/** Removes one; false when there is none of this type. */
export function unregisterExtension(type: number): boolean {
  return remove(defaultTable, type);
}

function add<T>(table: ExtensionTable, definition: ExtensionDefinition<T>): void {
  if (typeof definition !== "object" || definition === null)
    throw invalidArgument("expected { type, class, encode, decode }");
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
    throw invalidArgument(`extension ${type}: ${owner.name} has a form of its own and cannot be replaced`);
  if (table.byType.has(type)) throw invalidArgument(`extension type ${type} is taken`);
  if (table.byPrototype.has(prototype)) throw invalidArgument(`class ${owner.name} is registered already`);
  // A copy: what the caller does to its object later changes nothing here.
  const entry = {
    type,
    class: owner,
    encode: encode.bind(definition),
    decode: decode.bind(definition),
  } as AnyExtension;
  table.byType.set(type, entry);
  table.byPrototype.set(prototype, entry);
}

function remove(table: ExtensionTable, type: number): boolean {
  const entry = table.byType.get(type);
  if (entry === undefined) return false;
  table.byPrototype.delete(entry.class.prototype as object);
  return table.byType.delete(type);
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
