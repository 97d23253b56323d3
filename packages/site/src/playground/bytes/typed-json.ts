// Values as JSON, plain or typed: the same text as `moonpack convert` writes, with `--typed` or without.
import { Extension, Timestamp } from "moonpack";
import { EncodeError } from "moonpack/bytes";
import { toBase64 } from "../shared/base64.ts";

/** The names of forms: an object that begins with one is wrapped. */
const FORMS = new Set<unknown>(["$bin", "$int", "$float", "$time", "$ext", "$map", "$obj"]);
/** First and last second of the years 0 to 9999, which ISO dates with four digits cover. */
const FIRST_SECOND = -62167219200n;
const LAST_SECOND = 253402300799n;

/** How JSON is written. */
export interface JsonStyle {
  /** Values that JSON cannot hold become objects with one key, such as `{"$bin": ".."}`; otherwise they are errors. */
  readonly typed: boolean;
  /** Blanks per level; 0 for one line. */
  readonly indent: number;
}

/** A decoded value as JSON. Throws an `EncodeError` with a path for a value that JSON cannot hold, if it is not typed. */
export function jsonText(value: unknown, style: JsonStyle): string {
  return textOf(value, style, 0, "$");
}

function textOf(value: unknown, style: JsonStyle, depth: number, path: string): string {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return JSON.stringify(value);
  if (typeof value === "number") return numberText(value, style, path);
  if (Array.isArray(value)) {
    const parts = value.map((item, index) => textOf(item, style, depth + 1, `${path}[${index}]`));
    return bracketed("[", parts, "]", style, depth);
  }
  if (value instanceof Map) return mapText(value, style, depth, path);
  if (isPlainObject(value)) return mapText(new Map(Object.entries(value)), style, depth, path);
  return formText(value, style, path);
}

function numberText(value: number, style: JsonStyle, path: string): string {
  if (Number.isSafeInteger(value) && value !== 0) return String(value);
  if (Object.is(value, -0)) return style.typed ? '{"$float":"-0"}' : "-0.0";
  if (!Number.isFinite(value)) return formText(value, style, path);
  const digits = String(value);
  // A float beyond 2^53 keeps `.0`. Its digits alone would be read back as a 64-bit integer.
  return Number.isInteger(value) && value !== 0 && !digits.includes("e") ? `${digits}.0` : digits;
}

function mapText(map: ReadonlyMap<unknown, unknown>, style: JsonStyle, depth: number, path: string): string {
  const entries = [...map];
  if (!entries.every(([key]) => typeof key === "string")) {
    if (!style.typed) throw unsupported("a map with keys that are not strings", path);
    const pairs = entries.map(
      ([key, value]) => `[${textOf(key, style, depth + 1, path)},${textOf(value, style, depth + 1, path)}]`,
    );
    return `{"$map":${bracketed("[", pairs, "]", style, depth)}}`;
  }
  const colon = style.indent > 0 ? ": " : ":";
  const parts = entries.map(([key, value]) => {
    const step = `${path}[${JSON.stringify(key)}]`;
    return `${JSON.stringify(key)}${colon}${textOf(value, style, depth + 1, step)}`;
  });
  const text = bracketed("{", parts, "}", style, depth);
  return style.typed && FORMS.has(entries[0]?.[0]) ? `{"$obj":${text}}` : text;
}

function bracketed(
  open: string,
  parts: readonly string[],
  close: string,
  { indent }: JsonStyle,
  depth: number,
): string {
  if (indent === 0 || parts.length === 0) return open + parts.join(",") + close;
  const inner = `\n${" ".repeat(indent * (depth + 1))}`;
  return `${open}${inner}${parts.join(`,${inner}`)}\n${" ".repeat(indent * depth)}${close}`;
}

function formText(value: unknown, { typed }: JsonStyle, path: string): string {
  const form = formOf(value);
  if (typed && form !== undefined) return form;
  throw unsupported(nameOf(value), path);
}

function formOf(value: unknown): string | undefined {
  if (typeof value === "bigint") return `{"$int":"${value}"}`;
  if (typeof value === "number") return `{"$float":"${value}"}`;
  if (value instanceof Uint8Array) return `{"$bin":"${toBase64(value)}"}`;
  if (value instanceof Timestamp) return `{"$time":${timeText(BigInt(value.seconds), value.nanoseconds)}}`;
  if (value instanceof Date) return formOf(timestampOf(value));
  if (value instanceof Extension) return `{"$ext":[${value.type},"${toBase64(value.data)}"]}`;
  return undefined;
}

function timestampOf(date: Date): Timestamp {
  const seconds = Math.floor(date.getTime() / 1000);
  return new Timestamp(seconds, (date.getTime() - seconds * 1000) * 1_000_000);
}

function nameOf(value: unknown): string {
  if (typeof value === "bigint") return `an integer beyond 2^53 (${value}) exactly for every reader`;
  if (typeof value === "number") return String(value);
  if (value instanceof Uint8Array) return "binary data";
  if (value instanceof Timestamp || value instanceof Date) return "a timestamp";
  return value instanceof Extension ? `an extension of type ${value.type}` : `a value of type ${typeof value}`;
}

function unsupported(what: string, path: string): EncodeError {
  const code = what.startsWith("an integer") ? "ERR_UNSAFE_INTEGER" : "ERR_UNSUPPORTED_TYPE";
  return new EncodeError(code, `JSON cannot hold ${what}; typed JSON can`, path);
}

/** An ISO date if the year has four digits, else `["seconds", nanoseconds]`. */
function timeText(seconds: bigint, nanoseconds: number): string {
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND) return `["${seconds}",${nanoseconds}]`;
  const date = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  const digits = String(nanoseconds)
    .padStart(9, "0")
    .replace(/(?:000){1,2}$/, "");
  return `"${date}${nanoseconds === 0 ? "" : `.${digits}`}Z"`;
}

function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
