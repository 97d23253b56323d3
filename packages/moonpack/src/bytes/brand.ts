/**
 * Classes whose instances are recognised across copies of a package: two versions in one process, or `import` and `require`, which
 * load a copy each.
 */

/** A class with a symbol of the global registry, which is the same in every copy. */
export interface Branded {
  readonly prototype: object;
  readonly brand?: symbol;
}

/**
 * Implements `instanceof` for a class with `static get brand()`: true for its instances, and for instances of a class with the
 * same brand in another copy. A subclass that does not override the brand recognises only its own instances. The test reads only
 * prototypes, so decoded data cannot pass for an instance.
 *
 * @example
 * class TagError extends DecodeError {
 *   static override get brand(): symbol { return Symbol.for("example.TagError"); }
 * }
 */
export function isInstance(Class: Branded, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const brand = Object.hasOwn(Class, "brand") ? Class.brand : undefined;
  for (let p: object | null = Object.getPrototypeOf(value); p !== null; p = Object.getPrototypeOf(p)) {
    if (p === Class.prototype) return true;
    if (brand !== undefined && brandOf(p) === brand) return true;
  }
  return false;
}

/** The brand of the class that a prototype belongs to. */
function brandOf(prototype: object): symbol | undefined {
  const Class: unknown = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value;
  return typeof Class === "function" && Object.hasOwn(Class, "brand") ? (Class as unknown as Branded).brand : undefined;
}
