/** Writes the extensions of `fidelity: "js"`. types.ts describes their data, read.ts reads them. */
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

/** The extension for a value without a MessagePack format; undefined if `fidelity: "js"` has no extension for it. */
export function toParts(value: unknown): Parts | undefined {
  if (value === undefined) return { type: JS_UNDEFINED, data: [] };
  if (typeof value === "bigint")
    return { type: JS_BIGINT, data: [value < 0n, (value < 0n ? -value : value).toString(16)] };
  if (value instanceof Set) return { type: JS_SET, data: [...value] };
  if (value instanceof Map) return { type: JS_MAP, data: [...value], isPairs: true };
  if (value instanceof Error) {
    const { name, message, stack, cause } = value;
    const text = typeof (stack as unknown) === "string" ? stack : null;
    return { type: JS_ERROR, data: [String(name), String(message), text, cause ?? null] };
  }
  const index = typedArrayIndex(value);
  return index < 0
    ? undefined
    : { type: JS_TYPED_ARRAY, data: [index, copyLowByteFirst(value as ArrayBuffer | ArrayBufferView)] };
}

/** As {@link toParts}, also for regular expressions. */
export function regExpParts(value: unknown): Parts | undefined {
  if (!(value instanceof RegExp)) return toParts(value);
  return { type: JS_REGEXP, data: [regExpField("source", value), regExpField("flags", value)] };
}

/** The source or the flags of a RegExp, even if it has own properties of these names. */
function regExpField(name: "source" | "flags", value: RegExp): unknown {
  return Reflect.get(RegExp.prototype, name, value);
}

function copyLowByteFirst(value: ArrayBuffer | ArrayBufferView): Uint8Array {
  const source = ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Uint8Array(value);
  const bytes = source.slice();
  lowByteFirst(bytes, (value as { BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? 1);
  return bytes;
}
