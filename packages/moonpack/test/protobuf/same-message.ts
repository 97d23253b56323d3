import { differ } from "../harness/same.ts";

/**
 * Null when two decoded messages are the same to the last bit, the fields too that were not known, which do not enumerate.
 * 7.6 has a Buffer where bytes are empty, whatever it reads.
 */
export function sameMessage(a: unknown, b: unknown): string | null {
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
