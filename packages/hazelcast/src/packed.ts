import { isInstance } from "moonpack/bytes";
/**
 * Wraps any value to store it as canonical MessagePack. This includes values that the client would treat specially: arrays that
 * begin with a number, and objects with a property `hzCustomId`. The bytes do not depend on the order of properties, so a
 * Packed can be a key. Reading returns a Packed again.
 *
 * @example
 * await map.set(new Packed({ b: 2, a: 1 }), new Packed([1, null]));
 * (await map.get(new Packed({ a: 1, b: 2 }))).value; // [1, null]
 */
export class Packed<T = unknown> {
  /** Returns true for instances of every copy of @moonpack/hazelcast in the process. */
  static [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: subclasses pass themselves.
    return isInstance(this, value);
  }
  /** @internal */
  static get brand(): symbol {
    return Symbol.for("@moonpack/hazelcast.Packed");
  }
  /** The wrapped value. */
  readonly value: T;
  constructor(value: T) {
    this.value = value;
  }
}
