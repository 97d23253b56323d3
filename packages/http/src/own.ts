/** Objects that inherit nothing. */

/** A copy of an object that inherits nothing: a polluted Object.prototype changes nothing. */
export function own<T extends object>(object: T | undefined): T {
  return Object.assign(Object.create(null), object);
}
