import type { Extensions } from "moonpack";
import { copyOfRegistry } from "./codec.js";

/** Objects that `decode` of an extension has returned: they are the caller's own and must not be changed. */
const decoded = /* @__PURE__ */ new WeakSet<object>();
let extensions: Extensions | undefined;

/** A Buffer over the same memory. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): Buffer<ArrayBuffer> {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** The extensions of streams: their `decode` receives Buffers, as in the original, whose stream passes parts of a Buffer. */
export function streamExtensions(): Extensions {
  return (extensions ??= copyOfRegistry((decode) => (bytes) => {
    const value = decode(bufferOf(bytes));
    if (typeof value === "object" && value !== null) decoded.add(value);
    return value;
  }));
}

/** Replaces each Uint8Array in a decoded message by a Buffer over the same memory. Values of extensions stay as they are. */
export function withBuffers(message: unknown): unknown {
  // Not recursive: a message may be 4,096 levels deep.
  const containers: object[] = [];
  const convert = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null || decoded.has(value)) return value;
    if (value instanceof Uint8Array) return bufferOf(value as Uint8Array<ArrayBuffer>);
    if (!(value instanceof Date)) containers.push(value);
    return value;
  };
  const result = convert(message);
  for (let container = containers.pop(); container !== undefined; container = containers.pop()) {
    if (container instanceof Map) convertMap(container, convert);
    else convertMembers(container as Record<string, unknown>, convert);
  }
  return result;
}

/** Converts the elements of an array or the properties of a plain object. */
function convertMembers(container: Record<string, unknown>, convert: (value: unknown) => unknown): void {
  for (const key of Object.keys(container)) {
    const value = container[key];
    const converted = convert(value);
    if (converted !== value) container[key] = converted;
  }
}

/** Converts keys and values of a Map, in their order. */
function convertMap(map: Map<unknown, unknown>, convert: (value: unknown) => unknown): void {
  const entries = [...map];
  map.clear();
  for (const [key, value] of entries) map.set(convert(key), convert(value));
}
