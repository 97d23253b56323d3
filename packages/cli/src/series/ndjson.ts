/**
 * Points as NDJSON: `{"name":"cpu.load","tags":{"host":"a1"},"timestamp":1769860800000,"value":0.42}`. A value is a number; a
 * string is an int64, or `"NaN"`, `"Infinity"`, `"-Infinity"`.
 */
import { parseWholeJson } from "../convert/whole-json.js";
import { checkedTags, isObject, type Members, member, membersOf, quotesIn, wrongMember } from "./json-lines.js";
import { floatOf, int64Of, isSpecial } from "./numbers.js";
import { RecordError } from "./record-error.js";
import type { LineParser, ParserOptions } from "./record-parser.js";
import type { Timestamps } from "./timestamps.js";

const KEYS = new Set(["name", "metric", "tags", "timestamp", "time", "value"]);
const FORM = '{"name": .., "tags": {..}, "timestamp": .., "value": ..}';

/** The pairs of names of one member. */
const SYNONYMS = [
  ["name", "metric"],
  ["timestamp", "time"],
] as const;

/** Parses NDJSON. */
export class NdjsonParser implements LineParser {
  readonly strings = 0;
  readonly histograms = 0;
  readonly endsInString = undefined;
  readonly #options: ParserOptions;

  constructor(options: ParserOptions) {
    this.#options = options;
  }

  parse(line: string): void {
    if (line.trim() === "") return;
    const members = membersOf(line, KEYS, FORM);
    for (const [one, other] of SYNONYMS)
      if (Object.hasOwn(members, one) && Object.hasOwn(members, other))
        throw new RecordError("ERR_DUPLICATE_KEY", `a line has both ${one} and ${other}`);
    const { metrics, writer, times, isInt64 } = this.#options;
    const name = member(members, "name", "metric");
    const tags = member(members, "tags");
    if (typeof name !== "string") throw wrongMember("name", name, "a string", FORM);
    if (tags !== undefined && !isObject(tags)) throw wrongMember("tags", tags, "an object of strings", FORM);
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
        ...(tags === undefined ? {} : { tags: checkedTags(tags, "tag", FORM) }),
        ...(isInteger ? INT64 : {}),
      });
    if (quotesIn(line) !== 2 * (stringsIn(members) + 2 * (tags === undefined ? 0 : Object.keys(tags).length)))
      throw new RecordError("ERR_DUPLICATE_KEY", "a member or a tag occurs twice");
    writer.add(metric, timestamp, value, isInteger);
  }
}

const INT64 = { type: "int64" } as const;

/** Counts the keys and the string values of members. */
function stringsIn(members: Members): number {
  let count = 0;
  for (const key in members) count += typeof members[key] === "string" ? 2 : 1;
  return count;
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
  throw wrongMember("timestamp", value, "a number or an ISO 8601 text", FORM);
}

function valueIn(value: unknown, isInt64: boolean): number | bigint {
  if (typeof value === "number") {
    // JSON has no infinity: it comes from a number such as 1e999.
    if (Number.isFinite(value)) return value;
    throw new RecordError("ERR_OUT_OF_RANGE", "the value is too large for a 64-bit float");
  }
  if (typeof value !== "string") throw wrongMember("value", value, "a number or a string", FORM);
  return !isInt64 && isSpecial(value) ? floatOf(value) : int64Of(value);
}
