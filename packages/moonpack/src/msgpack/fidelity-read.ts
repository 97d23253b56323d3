/** The extensions of `fidelity: "js"`, reading. Their bytes are described in docs/fidelity.md; writing: fidelity-write.ts. */
import { DecodeError } from "../bytes/errors.js";
import { ERROR_CLASSES, JS_BIGINT, JS_ERROR, JS_MAP, JS_REGEXP, JS_SET, JS_TYPED_ARRAY, JS_UNDEFINED, TYPED_ARRAYS } from "./fidelity.js";
import type { MessageReader } from "./read.js";

/** What {@link readJsExtension} answers for types that are none of its own. */
export const NO_JS_EXTENSION: unique symbol = /* @__PURE__ */ Symbol("no js extension");

/** The value of an extension of `fidelity: "js"`; its data are `from..to`, which the caller has checked. */
export function readJsExtension(r: MessageReader, type: number, start: number, from: number, to: number): unknown {
  switch (type) {
    case JS_UNDEFINED:
      if (to !== from) throw malformed("undefined", start);
      return undefined;
    case JS_SET: {
      const members = readInside(r, start, from, to);
      if (!Array.isArray(members)) throw malformed("Set", start);
      return new Set<unknown>(members);
    }
    case JS_MAP: {
      const pairs = readInside(r, start, from, to);
      if (!Array.isArray(pairs) || pairs.length % 2 !== 0) throw malformed("Map", start);
      const map = new Map<unknown, unknown>();
      for (let i = 0; i < pairs.length; i += 2) map.set(pairs[i], pairs[i + 1]);
      return map;
    }
    case JS_REGEXP: {
      const parts = readInside(r, start, from, to);
      if (!Array.isArray(parts) || typeof parts[0] !== "string" || typeof parts[1] !== "string") throw malformed("RegExp", start);
      try {
        return new RegExp(parts[0], parts[1]);
      } catch {
        throw malformed("RegExp", start);
      }
    }
    case JS_ERROR:
      return readError(readInside(r, start, from, to), start);
    case JS_TYPED_ARRAY:
      return readTypedArray(r, start, from, to);
    case JS_BIGINT:
      return readBigInt(r, start, from, to);
    default:
      return NO_JS_EXTENSION;
  }
}

function malformed(what: string, start: number): DecodeError {
  return new DecodeError("ERR_INVALID_BYTE", `a malformed ${what} extension`, start);
}

/** Reads the one value that the data of an extension are; it counts as a level of nesting. */
function readInside(r: MessageReader, start: number, from: number, to: number): unknown {
  const { end, owed, pos } = r;
  r.open(1, 0, start, from - start);
  r.end = to;
  r.owed = 0;
  const value = r.read();
  if (r.pos !== to) throw new DecodeError("ERR_TRAILING_BYTES", "bytes after an extension's value", r.pos);
  r.depth--;
  r.end = end;
  r.owed = owed;
  r.pos = pos;
  return value;
}

function readError(parts: unknown, start: number): Error {
  if (!Array.isArray(parts) || parts.length !== 4) throw malformed("Error", start);
  const [name, message, stack, cause] = parts as unknown[];
  if (typeof name !== "string" || typeof message !== "string") throw malformed("Error", start);
  const type = ERROR_CLASSES.find((known) => known.name === name) ?? Error;
  const error = new type(message, cause === null ? undefined : { cause });
  if (error.name !== name) Object.defineProperty(error, "name", { value: name, configurable: true, writable: true });
  Object.defineProperty(error, "stack", { value: typeof stack === "string" ? stack : undefined, configurable: true, writable: true });
  return error;
}

function readTypedArray(r: MessageReader, start: number, from: number, to: number): unknown {
  const type = to > from ? TYPED_ARRAYS[r.src[from]!] : undefined;
  if (type === undefined) throw malformed("typed array", start);
  const size = "BYTES_PER_ELEMENT" in type ? type.BYTES_PER_ELEMENT : 1;
  const n = to - from - 1;
  if (n % size !== 0) throw malformed("typed array", start);
  const copy = new Uint8Array(n);
  for (let i = 0; i < n; i++) copy[i] = r.src[from + 1 + i]!;
  if (!LITTLE_ENDIAN) for (let i = 0; i < n; i += size) copy.subarray(i, i + size).reverse();
  return type === ArrayBuffer ? copy.buffer : new (type as new (buffer: ArrayBuffer) => unknown)(copy.buffer);
}

/** True on all machines that Node runs on but s390x. */
const LITTLE_ENDIAN = /* @__PURE__ */ new Uint8Array(/* @__PURE__ */ new Uint16Array([1]).buffer)[0] === 1;

function readBigInt(r: MessageReader, start: number, from: number, to: number): bigint {
  if (to - from < 2 || r.src[from]! > 1) throw malformed("bigint", start);
  let digits = "0x";
  for (let i = from + 1; i < to; i++) digits += r.src[i]!.toString(16).padStart(2, "0");
  return r.src[from] === 1 ? -BigInt(digits) : BigInt(digits);
}
