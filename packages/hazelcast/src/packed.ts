import { isInstance } from "moonpack/bytes";
/**
 * Carries any value as canonical MessagePack, also those that the client would treat in its own way: arrays that begin with
 * a number, data with a property `hzCustomId`. Its bytes do not depend on the order of properties, so it may be a key.
 * Reading returns a Packed again.
 *
 * @example
 * await map.set(new Packed({ b: 2, a: 1 }), new Packed([1, null]));
 * (await map.get(new Packed({ a: 1, b: 2 }))).value; // [1, null]
 */
export class Packed<T = unknown> {
  /** True for instances of every copy of @moonpack/hazelcast in the process. */
  static [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a subclass asks for itself.
    return isInstance(this, value);
  }
  /** @internal */
  static get brand(): symbol {
    return Symbol.for("@moonpack/hazelcast.Packed");
  }
  /** The value that is carried. */
  readonly value: T;
  constructor(value: T) {
    this.value = value;
  }
}
