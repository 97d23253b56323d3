import { differ } from "@moonpack/harness/same.ts";

/**
 * Compares two decoded messages to the last bit, unknown fields included, which are not enumerable. Returns null if they are equal,
 * otherwise a text. Empty bytes are equal in every class: in 7.6 they are always a Buffer.
 */
export function messageDifference(a: unknown, b: unknown): string | null {
  return differ(visible(a), visible(b));
}

function visible(value: unknown): unknown {
  if (value instanceof Uint8Array) return value.length === 0 ? "no bytes" : value;
  if (Array.isArray(value)) return value.map(visible);
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = Object.create(Object.getPrototypeOf(value));
  for (const key of Object.getOwnPropertyNames(value)) {
    const enumerable = Object.prototype.propertyIsEnumerable.call(value, key);
    const member = visible(Object.getOwnPropertyDescriptor(value, key)?.value);
    Object.defineProperty(copy, enumerable ? key : `hidden ${key}`, { value: member, enumerable: true });
  }
  return copy;
}
