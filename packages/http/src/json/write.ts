/** Writes JSON without loss: a value that JSON cannot represent is an error with its path. */
import { EncodeError, MoonpackError } from "moonpack/bytes";
import { isWellFormed } from "./well-formed.js";

/** The most open containers, as in MessagePack. */
const MAX_DEPTH = 512;
/** Text that needs no escapes. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\ud7ff\ue000-\uffff]*$/;

/**
 * Returns a value as JSON. Plain objects, arrays, strings, finite numbers, booleans, null and bigints up to 2^53 - 1 are written as
 * `JSON.stringify` writes them, -0 as `-0`, and integers beyond 2^53 with an exponent: they are floats.
 * For an object with `toJSON`, its result is written: for a Date, ISO text. A property that is undefined is left out.
 *
 * Everything else is an `EncodeError` with a path: bytes, Map, Set, NaN, larger bigints, undefined elsewhere, functions, objects of
 * other classes (`ERR_UNSUPPORTED_TYPE`, `ERR_OUT_OF_RANGE`, `ERR_UNSAFE_INTEGER`), ill-formed text (`ERR_INVALID_UTF8`), cycles and
 * nesting beyond 512 (`ERR_LIMIT_DEPTH`). An error of the value's own code is the cause of `ERR_USER_CODE`.
 */
export function writeJson(value: unknown): string {
  const path: (string | number)[] = [];
  try {
    return textOf(value, path);
  } catch (error) {
    if (error instanceof Fault) throw new EncodeError(error.code, error.message, pathText(path));
    if (error instanceof MoonpackError) throw error;
    throw new EncodeError("ERR_USER_CODE", "the value's own code threw an error", pathText(path), error);
  }
}

/** An error whose path is added when it is caught. */
class Fault {
  readonly code: EncodeError["code"];
  readonly message: string;
  constructor(code: EncodeError["code"], message: string) {
    this.code = code;
    this.message = message;
  }
}

/** `path` is the path of the value; after an error it is the path of the error. */
function textOf(value: unknown, path: (string | number)[]): string {
  switch (typeof value) {
    case "string":
      return stringText(value);
    case "number":
      if (!Number.isFinite(value)) throw new Fault("ERR_OUT_OF_RANGE", `JSON has no ${value}`);
      return numberText(value);
    case "boolean":
      return String(value);
    case "bigint":
      if (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER)
        throw new Fault("ERR_UNSAFE_INTEGER", "an integer beyond 2^53 would be rounded by readers of JSON");
      return String(value);
    case "object":
      return value === null ? "null" : objectText(value, path);
    default:
      throw new Fault("ERR_UNSUPPORTED_TYPE", `JSON has no ${typeof value}`);
  }
}

/** Writes a float without a fraction with an exponent: readers would refuse its digits as an integer that they must not round. */
function numberText(value: number): string {
  if (Object.is(value, -0)) return "-0";
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
}

function stringText(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (!isWellFormed(text)) throw new Fault("ERR_INVALID_UTF8", "a string that is not well-formed UTF-16");
  return JSON.stringify(text);
}

function objectText(value: object, path: (string | number)[]): string {
  if (path.length >= MAX_DEPTH)
    throw new Fault("ERR_LIMIT_DEPTH", `containers nested deeper than ${MAX_DEPTH}, or a cycle`);
  if (Array.isArray(value)) return arrayText(value, path);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
    throw new Fault("ERR_UNSUPPORTED_TYPE", "JSON has no bytes");
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") {
    if (value instanceof Date && Number.isNaN(value.getTime())) throw new Fault("ERR_OUT_OF_RANGE", "an invalid Date");
    const json: unknown = toJSON.call(value, String(path.at(-1) ?? ""));
    if (typeof json === "object" && json !== null && typeof (json as { toJSON?: unknown }).toJSON === "function")
      throw new Fault("ERR_UNSUPPORTED_TYPE", "toJSON returned an object with toJSON");
    return textOf(json, path);
  }
  if (!isPlain(value)) throw new Fault("ERR_UNSUPPORTED_TYPE", "JSON has only plain objects and arrays");
  return membersText(value as Record<string, unknown>, path);
}

/** Also true for plain objects of another realm. */
function isPlain(value: object): boolean {
  if (Object.prototype.toString.call(value) !== "[object Object]") return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function arrayText(list: readonly unknown[], path: (string | number)[]): string {
  let text = "[";
  for (let i = 0; i < list.length; i++) {
    path.push(i);
    text += (i === 0 ? "" : ",") + textOf(list[i], path);
    path.pop();
  }
  return text + "]";
}

function membersText(members: Record<string, unknown>, path: (string | number)[]): string {
  let text = "{";
  for (const key of Object.keys(members)) {
    const value = members[key];
    if (value === undefined) continue;
    path.push(key);
    text += `${text === "{" ? "" : ","}${stringText(key)}:${textOf(value, path)}`;
    path.pop();
  }
  return text + "}";
}

function pathText(path: readonly (string | number)[]): string {
  const step = (key: string | number) => {
    if (typeof key === "number") return `[${key}]`;
    return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  };
  return `$${path.map(step).join("")}`;
}
