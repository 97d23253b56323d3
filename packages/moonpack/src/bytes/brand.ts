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
 * What `instanceof` answers for a class that has `static get brand()`: true for its instances, and for those of a class with the
 * same brand in another copy. A subclass without a brand of its own recognises only its own instances. Only prototypes are asked,
 * so that no decoded data can pass for an instance.
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
