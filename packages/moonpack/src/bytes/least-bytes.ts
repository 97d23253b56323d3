/** A lower bound for the encoded size of decoded values. */

/**
 * Returns the least number of bytes that a value takes in MessagePack and in JSON, or `enough` if it takes more. Reads no
 * getters. Uses an explicit stack, since values may be nested too deeply for recursion. Returns `enough` for a cycle.
 */
export function leastBytes(value: unknown, enough: number): number {
  const open: unknown[] = [value];
  let bytes = 0;
  while (open.length > 0 && bytes < enough) {
    const item = open.pop();
    bytes++;
    if (typeof item === "string") bytes += item.length;
    else if (typeof item !== "object" || item === null) continue;
    else if (Array.isArray(item)) for (let i = 0; i < item.length; i++) open.push(item[i]);
    else if (item instanceof Map) for (const [key, member] of item) open.push(key, member);
    else if (ArrayBuffer.isView(item)) bytes += item.byteLength;
    else for (const key of Object.keys(item)) bytes += addMember(item, key, open);
  }
  return Math.min(bytes, enough);
}

/** Adds the value of a property, unless it is a getter. Returns the bytes of its name. */
function addMember(object: object, key: string, open: unknown[]): number {
  open.push(Object.getOwnPropertyDescriptor(object, key)!.value);
  return 1 + key.length;
}
