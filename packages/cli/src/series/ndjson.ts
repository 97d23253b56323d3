/**
 * Points as NDJSON: `{"name":"cpu.load","tags":{"host":"a1"},"timestamp":1769860800000,"value":0.42}`. A value is a number; a
 * string is an int64, or `"NaN"`, `"Infinity"`, `"-Infinity"`.
 */
import { DecodeError, recordOf, textWithoutPlace } from "moonpack/bytes";
import { parseWholeJson } from "../convert/whole-json.js";
import { floatOf, int64Of, isSpecial } from "./numbers.js";
import { quoted, RecordError } from "./record-error.js";
import type { LineParser, ParserOptions } from "./record-parser.js";
import type { Timestamps } from "./timestamps.js";

const KEYS = new Set(["name", "metric", "tags", "timestamp", "time", "value"]);
const FORM = '{"name": .., "tags": {..}, "timestamp": .., "value": ..}';

/** The members of a line, not yet checked. */
type Members = Record<string, unknown>;

/** Parses NDJSON. */
export class NdjsonParser implements LineParser {
  readonly #options: ParserOptions;

  constructor(options: ParserOptions) {
    this.#options = options;
  }

  parse(line: string): void {
    if (line.trim() === "") return;
    const members = membersOf(line);
    const { metrics, writer, times, isInt64 } = this.#options;
    const name = member(members, "name", "metric");
    const tags = member(members, "tags");
    if (typeof name !== "string") throw missing("name", name, "a string");
    if (tags !== undefined && !isObject(tags)) throw missing("tags", tags, "an object of strings");
    const timestamp = timestampIn(exactTime(members, line), times);
    const given = member(members, "value");
    const value = valueIn(given, isInt64);
    const isInteger = isInt64 || (typeof given === "string" && !isSpecial(given));
    // JSON text never contains a zero byte; a name may.
    const key = `${tags === undefined ? "" : JSON.stringify(tags)}\0${name}`;
    const metric =
      metrics.find(key) ??
      metrics.add(key, {
        name,
        ...(tags === undefined ? {} : { tags: checkedTags(tags) }),
        ...(isInteger ? INT64 : {}),
      });
    if (quotesIn(line) !== 2 * (stringsIn(members) + 2 * (tags === undefined ? 0 : Object.keys(tags).length)))
      throw new RecordError("ERR_DUPLICATE_KEY", "a member or a tag occurs twice");
    writer.add(metric, timestamp, value, isInteger);
  }
}

const INT64 = { type: "int64" } as const;

function membersOf(line: string): Members {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw syntaxError(line);
  }
  if (!isObject(value)) throw new RecordError("ERR_UNSUPPORTED_TYPE", `a line must be an object ${FORM}`, 1);
  for (const key of Object.keys(value))
    if (!KEYS.has(key)) throw new RecordError("ERR_UNSUPPORTED_TYPE", `unknown member ${quoted(key)} in ${FORM}`);
  for (const [one, other] of [
    ["name", "metric"],
    ["timestamp", "time"],
  ] as const)
    if (Object.hasOwn(value, one) && Object.hasOwn(value, other))
      throw new RecordError("ERR_DUPLICATE_KEY", `a line has both ${one} and ${other}`);
  return value;
}

/** Counts quotes of keys and strings. JSON.parse drops the first of equal keys, so a line with them has more quotes. */
function quotesIn(line: string): number {
  const text = line.includes("\\") ? line.replace(/\\./g, "") : line;
  let count = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) count++;
  return count;
}

/** Counts the keys and the string values of members. */
function stringsIn(members: Members): number {
  let count = 0;
  for (const key in members) count += typeof members[key] === "string" ? 2 : 1;
  return count;
}

/** A member by one of its names; undefined if it is missing. */
function member(members: Members, name: string, other = name): unknown {
  return Object.hasOwn(members, name) ? members[name] : Object.hasOwn(members, other) ? members[other] : undefined;
}

/** Parses again for the position: the error texts of JSON.parse depend on the version, our parser's do not. */
function syntaxError(line: string): RecordError {
  const bytes = Buffer.from(line, "utf8");
  try {
    // A byte order mark is allowed at the start of a file only.
    parseWholeJson(bytes, 1);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const offset = error.offset - 1;
    return new RecordError(error.code, textWithoutPlace(error), bytes.subarray(0, offset).toString("utf8").length + 1);
  }
  return new RecordError("ERR_INVALID_BYTE", "the line is not valid JSON");
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function missing(member: string, value: unknown, expected: string): RecordError {
  if (value === undefined) return new RecordError("ERR_TRUNCATED", `${member} is missing in ${FORM}`);
  return new RecordError("ERR_UNSUPPORTED_TYPE", `${member} must be ${expected}, not ${shown(value)}`);
}

function shown(value: unknown): string {
  return typeof value === "string"
    ? quoted(value)
    : Array.isArray(value)
      ? "an array"
      : isObject(value)
        ? "an object"
        : `${value}`;
}

function checkedTags(tags: Members): Record<string, string> {
  const checked = Object.entries(tags).map(([key, value]) => {
    if (typeof value !== "string") throw missing(`the tag ${quoted(key)}`, value, "a string");
    return [key, value] as const;
  });
  return recordOf(checked);
}

/** The exact time of a line. JSON.parse rounds integers beyond 2^53, such as nanoseconds, possibly to the next millisecond. */
function exactTime(members: Members, line: string): unknown {
  const time = member(members, "timestamp", "time");
  if (typeof time !== "number" || !Number.isInteger(time) || Number.isSafeInteger(time)) return time;
  return member(parseWholeJson(Buffer.from(line, "utf8")) as Members, "timestamp", "time");
}

function timestampIn(value: unknown, times: Timestamps): number {
  if (typeof value === "number") return times.ofNumber(value);
  if (typeof value === "string" || typeof value === "bigint") return times.of(String(value));
  throw missing("timestamp", value, "a number or an ISO 8601 text");
}

function valueIn(value: unknown, isInt64: boolean): number | bigint {
  if (typeof value === "number") {
    // JSON has no infinity: it comes from a number such as 1e999.
    if (Number.isFinite(value)) return value;
    throw new RecordError("ERR_OUT_OF_RANGE", "the value is too large for a 64-bit float");
  }
  if (typeof value !== "string") throw missing("value", value, "a number or a string");
  return !isInt64 && isSpecial(value) ? floatOf(value) : int64Of(value);
}
