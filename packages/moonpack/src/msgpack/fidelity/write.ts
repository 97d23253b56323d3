/** The extensions of `fidelity: "js"`, writing; types.ts says what their data are, read.ts reads them. */
import type { Parts } from "./support.js";
import {
  JS_BIGINT,
  JS_ERROR,
  JS_MAP,
  JS_REGEXP,
  JS_SET,
  JS_TYPED_ARRAY,
  JS_UNDEFINED,
  lowByteFirst,
  typedArrayIndex,
} from "./types.js";

/** What a value is written as that only `fidelity: "js"` can hold; undefined when not even that can. */
export function toParts(value: unknown): Parts | undefined {
  if (value === undefined) return { type: JS_UNDEFINED, data: [] };
  if (typeof value === "bigint")
    return { type: JS_BIGINT, data: [value < 0n, (value < 0n ? -value : value).toString(16)] };
  if (value instanceof Set) return { type: JS_SET, data: [...value] };
  if (value instanceof Map) return { type: JS_MAP, data: [...value].flat(1), isPairs: true };
  if (value instanceof RegExp) return { type: JS_REGEXP, data: [value.source, value.flags] };
  if (value instanceof Error) {
    const { name, message, stack, cause } = value;
    return { type: JS_ERROR, data: [String(name), String(message), stack ?? null, cause ?? null] };
  }
  const index = typedArrayIndex(value);
  return index < 0
    ? undefined
    : { type: JS_TYPED_ARRAY, data: [index, bytesOf(value as ArrayBuffer | ArrayBufferView)] };
}

function bytesOf(value: ArrayBuffer | ArrayBufferView): Uint8Array {
  const source = ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Uint8Array(value);
  const bytes = source.slice();
  lowByteFirst(bytes, (value as { BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? 1);
  return bytes;
}
