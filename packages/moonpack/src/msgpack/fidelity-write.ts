/** The extensions of `fidelity: "js"`, writing. Their bytes are described in docs/fidelity.md; reading: fidelity-read.ts. */
import { JS_BIGINT, JS_ERROR, JS_MAP, JS_REGEXP, JS_SET, JS_TYPED_ARRAY, JS_UNDEFINED, TYPED_ARRAYS } from "./fidelity.js";
import { Failure } from "./failure.js";
import type { MessageWriter } from "./write.js";
import { writeExtension, writeExtensionHeader } from "./write-other.js";

/** Writes a value that only `fidelity: "js"` can hold; false when not even that can. */
export function writeJs(w: MessageWriter, value: unknown): boolean {
  if (value === undefined) writeExtension(w, JS_UNDEFINED, new Uint8Array(0));
  else if (typeof value === "bigint") writeExtension(w, JS_BIGINT, bigintBytes(value));
  else if (value instanceof Set) writeInside(w, JS_SET, value, [...value]);
  else if (value instanceof Map) writeInside(w, JS_MAP, value, [...value].flat(1));
  else if (value instanceof RegExp) writeInside(w, JS_REGEXP, value, [value.source, value.flags]);
  else if (value instanceof Error) writeInside(w, JS_ERROR, value, errorParts(value));
  else {
    const index = TYPED_ARRAYS.findIndex((type) => value instanceof type);
    if (index < 0) return false;
    writeExtension(w, JS_TYPED_ARRAY, typedArrayBytes(index, value as ArrayBuffer | ArrayBufferView));
  }
  return true;
}

/**
 * An extension whose data are one array. Its length is known only when the array is written: the header is put in front
 * of it then, which moves the array by 2 to 6 bytes.
 */
function writeInside(w: MessageWriter, type: number, holder: object, items: readonly unknown[]): void {
  const start = w.pos;
  w.open(holder);
  w.room(5);
  w.arrayHeader(items.length);
  let i = 0;
  try {
    for (; i < items.length; i++) w.write(items[i]);
  } catch (error) {
    throw Failure.at(error, i, holder);
  }
  w.close();
  const n = w.pos - start;
  w.room(6);
  const data = w.bytes.slice(start, w.pos);
  w.pos = start;
  writeExtensionHeader(w, type, n);
  w.bytes.set(data, w.pos);
  w.pos += n;
}

function errorParts(error: Error): unknown[] {
  return [String(error.name), String(error.message), typeof error.stack === "string" ? error.stack : null, error.cause ?? null];
}

function bigintBytes(value: bigint): Uint8Array {
  const digits = (value < 0n ? -value : value).toString(16);
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  const bytes = new Uint8Array(1 + even.length / 2);
  bytes[0] = value < 0n ? 1 : 0;
  for (let i = 1; i < bytes.length; i++) bytes[i] = Number.parseInt(even.slice(2 * i - 2, 2 * i), 16);
  return bytes;
}

function typedArrayBytes(index: number, value: ArrayBuffer | ArrayBufferView): Uint8Array {
  const source = ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value);
  const bytes = new Uint8Array(1 + source.length);
  bytes[0] = index;
  bytes.set(source, 1);
  const size = "BYTES_PER_ELEMENT" in value ? (value.BYTES_PER_ELEMENT as number) : 1;
  if (!LITTLE_ENDIAN) for (let i = 1; i < bytes.length; i += size) bytes.subarray(i, i + size).reverse();
  return bytes;
}

/** True on all machines that Node runs on but s390x. */
const LITTLE_ENDIAN = /* @__PURE__ */ new Uint8Array(/* @__PURE__ */ new Uint16Array([1]).buffer)[0] === 1;
