/** The extensions of `fidelity: "js"`, writing; types.ts says what their data are, read.ts reads them. */
import { Failure } from "../failure.js";
import {
  JS_BIGINT,
  JS_ERROR,
  JS_MAP,
  JS_REGEXP,
  JS_SET,
  JS_TYPED_ARRAY,
  JS_UNDEFINED,
  lowByteFirst,
  TYPED_ARRAYS,
} from "./types.js";
import type { MessageWriter } from "../write.js";
import { writeExtensionHeader } from "../write-other.js";

/** Writes a value that only `fidelity: "js"` can hold; false when not even that can. */
export function writeJs(w: MessageWriter, value: unknown): boolean {
  if (value === undefined) writeParts(w, JS_UNDEFINED, value, []);
  else if (typeof value === "bigint") writeParts(w, JS_BIGINT, value, [value < 0n, (value < 0n ? -value : value).toString(16)]);
  else if (value instanceof Set) writeParts(w, JS_SET, value, [...value]);
  else if (value instanceof Map) writeParts(w, JS_MAP, value, [...value].flat(1));
  else if (value instanceof RegExp) writeParts(w, JS_REGEXP, value, [value.source, value.flags]);
  else if (value instanceof Error) {
    const { name, message, stack, cause } = value;
    writeParts(w, JS_ERROR, value, [String(name), String(message), stack ?? null, cause ?? null]);
  } else {
    const index = TYPED_ARRAYS.findIndex((type) => value instanceof type);
    if (index < 0) return false;
    writeParts(w, JS_TYPED_ARRAY, value, [index, bytesOf(value as ArrayBuffer | ArrayBufferView)]);
  }
  return true;
}

/**
 * An extension whose data are one array. Its length is known only when the array is written: the header is put in front
 * of it then, which moves the array by 2 to 6 bytes.
 */
function writeParts(w: MessageWriter, type: number, holder: unknown, parts: readonly unknown[]): void {
  const start = w.pos;
  w.open(holder);
  w.arrayHeader(parts.length);
  let i = 0;
  try {
    for (; i < parts.length; i++) w.write(parts[i]);
  } catch (error) {
    throw Failure.at(error, i, holder);
  }
  w.close();
  w.room(6);
  const data = w.bytes.slice(start, w.pos);
  w.pos = start;
  writeExtensionHeader(w, type, data.length);
  w.bytes.set(data, w.pos);
  w.pos += data.length;
}

function bytesOf(value: ArrayBuffer | ArrayBufferView): Uint8Array {
  const source = ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value);
  const bytes = source.slice();
  lowByteFirst(bytes, (value as { BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? 1);
  return bytes;
}
