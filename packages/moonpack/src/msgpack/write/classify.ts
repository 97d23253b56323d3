/** Classifies objects, also objects of other realms (frames, workers, `node:vm`). */

/** True for a plain object: its prototype is null, or the Object.prototype of any realm. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, "isPrototypeOf");
}

/** The value's class as a tag, such as `[object Map]` for a Map of any realm. */
function tagOf(value: object): string {
  return Object.prototype.toString.call(value);
}

/** True for a Map of this realm, or of another realm that has its methods. */
export function isMap(value: object): value is Map<unknown, unknown> {
  return value instanceof Map || tagOf(value) === "[object Map]";
}

/** True for an ArrayBuffer or a SharedArrayBuffer. */
export function isBuffer(value: object): value is ArrayBuffer {
  return /^\[object (Shared)?ArrayBuffer]$/.test(tagOf(value));
}

/** The time of a Date of any realm; undefined for any other object. Reads the internal slot, which cannot be faked. */
export function dateTime(value: object): number | undefined {
  if (value instanceof Date || tagOf(value) === "[object Date]") {
    try {
      return Date.prototype.getTime.call(value);
    } catch {
      return undefined;
    }
  }
  return undefined;
}

/** The method `toMessagePack` of a class instance. Plain objects are data, so a property of that name is data too. */
export function replacerOf(value: object): (() => unknown) | undefined {
  if (isPlainObject(value)) return undefined;
  const { toMessagePack } = value as { toMessagePack?: unknown };
  const isInherited = toMessagePack === (Object.prototype as { toMessagePack?: unknown }).toMessagePack;
  return typeof toMessagePack === "function" && !isInherited ? (toMessagePack as () => unknown) : undefined;
}

/** Names the value's class for an error text. */
export function classNameOf(value: object): string {
  const { constructor: owner } = value as { constructor?: unknown };
  return typeof owner === "function" && owner.name !== "" ? `an instance of ${owner.name}` : "this object";
}
