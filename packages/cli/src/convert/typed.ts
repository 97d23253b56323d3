import { Extension, Timestamp } from "moonpack";
import { keyFlood } from "moonpack/bytes";
import { badInput } from "../shared/failure.js";
import { shownKey } from "./key-set.js";

/*
 * Typed JSON: a value that JSON cannot hold is written as an object with one key, the name of a form. An ordinary object whose
 * first key is such a name is wrapped in {"$obj": ..}, so that every value reads back as itself. The first key decides, so
 * that a form can be read while it arrives.
 */

/** The forms and their meanings, for help texts. */
export const TYPED_FORMS: readonly (readonly [string, string])[] = [
  ['{"$bin": "3q2+7w=="}', "binary, in base64"],
  ['{"$int": "9007199254740993"}', "an integer beyond 2^53"],
  ['{"$float": "NaN"}', "NaN, Infinity, -Infinity, -0"],
  ['{"$time": "2026-01-31T12:00:00.000000001Z"}', "a timestamp, to the nanosecond"],
  ['{"$ext": [7, "AAE="]}', "any other extension: type and data"],
  ['{"$map": [[1, "one"], [2, "two"]]}', "a map whose keys are not all strings"],
  ['{"$obj": {"$bin": 1, "b": 2}}', "an object whose first key is one of these names"],
];

/** First and last second of the years 0 to 9999, which ISO dates with four digits cover. */
const FIRST_SECOND = -62167219200n;
const LAST_SECOND = 253402300799n;

/** Returns the form of a value that plain JSON cannot hold; undefined if there is none. */
export function typedForm(value: unknown): string | undefined {
  if (typeof value === "bigint") return `{"$int":"${value}"}`;
  if (typeof value === "number") return `{"$float":"${Object.is(value, -0) ? "-0" : value}"}`;
  if (value instanceof Uint8Array) return `{"$bin":"${base64(value)}"}`;
  if (value instanceof Timestamp) return `{"$time":${timeText(BigInt(value.seconds), value.nanoseconds)}}`;
  if (value instanceof Extension) return `{"$ext":[${value.type},"${base64(value.data)}"]}`;
  return undefined;
}

/** True if this key, as the first of an object, is the name of a form. */
export function isForm(key: unknown): boolean {
  return READERS.has(key as string);
}

/** True if the typed reader would read this object as a form, so that it must be wrapped in `$obj`. */
export function looksTyped(object: ReadonlyMap<unknown, unknown>): boolean {
  for (const key of object.keys()) return isForm(key);
  return false;
}

/** Reads the content of the form with this name. `at` is the position of the form, for errors. */
export function readForm(name: string, content: unknown, at: number): unknown {
  return READERS.get(name)!(content, at);
}

/** Returns the error of a form with a second key. */
export function notAlone(form: string, at: number): Error {
  return badForm(
    `an object that begins with "${form}" must have no other keys; if it is not a typed form, write {"$obj": {"${form}": ..}}`,
    at,
  );
}

const READERS = new Map<string, (content: unknown, at: number) => unknown>([
  ["$bin", (content, at) => readBase64(content, at, '{"$bin": ..} needs a base64 string')],
  ["$int", readInteger],
  ["$float", readFloat],
  ["$time", readTime],
  ["$ext", readExtension],
  ["$map", readMap],
  ["$obj", readObject],
]);

function readInteger(content: unknown, at: number): bigint {
  if (typeof content !== "string" || !/^-?\d{1,20}$/.test(content)) {
    throw badForm('{"$int": ..} needs a string of digits', at);
  }
  const value = BigInt(content);
  if (value >= -(2n ** 63n) && value < 2n ** 64n) return value;
  throw badInput("ERR_OUT_OF_RANGE", `the integer ${content} does not fit in 64 bits`, at);
}

function readFloat(content: unknown, at: number): number {
  if (content === "NaN" || content === "Infinity" || content === "-Infinity" || content === "-0")
    return Number(content);
  throw badForm('{"$float": ..} needs "NaN", "Infinity", "-Infinity" or "-0"', at);
}

function readExtension(content: unknown, at: number): Extension {
  const [type, data] = Array.isArray(content) && content.length === 2 ? content : [];
  if (typeof type !== "number" || !Number.isInteger(type) || type < -128 || type > 127) {
    throw badForm('{"$ext": ..} needs [type, base64] with a type from -128 to 127', at);
  }
  return new Extension(type, readBase64(data, at, '{"$ext": ..} needs [type, base64]'));
}

function readMap(content: unknown, at: number): Map<unknown, unknown> {
  if (!Array.isArray(content)) throw badPair(at);
  const map = new Map<unknown, unknown>();
  const flood = keyFlood(content.length);
  for (const [key, value] of content as [unknown, unknown][]) {
    if (map.has(key)) throw badInput("ERR_DUPLICATE_KEY", `{"$map": ..} has the key ${shownKey(key)} twice`, at);
    flood?.add(key, at);
    map.set(key, value);
  }
  return map;
}

/** Returns the error of a `$map` whose content is not a list of pairs. */
export function badPair(at: number): Error {
  return badForm('{"$map": ..} needs a list of [key, value] pairs', at);
}

function readObject(content: unknown, at: number): unknown {
  if (content instanceof Map) return content;
  throw badForm('{"$obj": ..} needs an object', at);
}

function readBase64(content: unknown, at: number, need: string): Uint8Array {
  if (typeof content !== "string") throw badForm(need, at);
  const bytes = Buffer.from(content, "base64");
  // Node skips characters that are not base64. Encoding the bytes again shows whether it skipped any.
  if (bytes.toString("base64") !== content) throw badForm(`${need} (padded, alphabet A-Z a-z 0-9 + /)`, at);
  return new Uint8Array(bytes);
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** Returns an ISO date if the year has four digits, else `["seconds", nanoseconds]`. */
function timeText(seconds: bigint, nanoseconds: number): string {
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND) return `["${seconds}",${nanoseconds}]`;
  const date = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  const fraction =
    nanoseconds === 0
      ? ""
      : "." +
        String(nanoseconds)
          .padStart(9, "0")
          .replace(/(?:000){1,2}$/, "");
  return `"${date}${fraction}Z"`;
}

function readTime(content: unknown, at: number): Timestamp {
  if (Array.isArray(content) && content.length === 2) {
    const [seconds, nanoseconds] = content;
    const valid = typeof seconds === "string" && /^-?\d{1,19}$/.test(seconds) && fitsNanoseconds(nanoseconds);
    if (valid && BigInt.asIntN(64, BigInt(seconds)) === BigInt(seconds))
      return new Timestamp(BigInt(seconds), nanoseconds);
  } else if (typeof content === "string") {
    const [, date, fraction = ""] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/.exec(content) ?? [];
    const milliseconds = date === undefined ? NaN : Date.parse(`${date}Z`);
    // Date.parse accepts February 30th: the parsed date must be the written one.
    if (date !== undefined && !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(date)) {
      return new Timestamp(BigInt(milliseconds / 1000), Number(fraction.padEnd(9, "0")));
    }
  }
  throw badForm('{"$time": ..} needs a date such as 2026-01-31T12:00:00.000000001Z, or ["seconds", nanoseconds]', at);
}

function fitsNanoseconds(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 999_999_999;
}

function badForm(message: string, at: number): Error {
  return badInput("ERR_INVALID_BYTE", message, at);
}
