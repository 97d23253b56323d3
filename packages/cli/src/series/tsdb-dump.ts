/**
 * The output of `promtool tsdb dump`: `{__name__="up", job="a"} 1 1769860800000`. Texts in quotes have the escapes of Go. Native histograms,
 * `{..} {count:1, ..} 1769860800000`, are skipped and counted.
 */
import { recordOf } from "moonpack/bytes";
import { NAME_TAG } from "./metric-text.js";
import { floatOf, int64Of } from "./numbers.js";
import { quoted, RecordError } from "./record-error.js";
import type { LineParser, ParserOptions } from "./record-parser.js";

const LABEL = /[^="{},\s]+/y;
/** A text in quotes. Each alternative begins with another character, so the time is linear. */
const QUOTED = /"(?:[^"\\]|\\.)*"/y;
const ESCAPE = /\\(?:([abfnrtv\\"'])|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{3})|.?)/g;
const SIMPLE = new Map([
  ["a", "\x07"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
]);

/** Parses lines of a dump. */
export class TsdbDumpParser implements LineParser {
  /** Native histograms, which are not stored. */
  histograms = 0;
  readonly strings = 0;
  readonly endsInString = undefined;
  readonly #options: ParserOptions;

  constructor(options: ParserOptions) {
    this.#options = options;
  }

  parse(line: string): void {
    if (line === "") return;
    const end = endOfLabels(line);
    if (line[end] !== " ") throw unexpected(line, end, "a space and a value");
    const timeAt = line.lastIndexOf(" ") + 1;
    if (timeAt <= end + 1) throw new RecordError("ERR_TRUNCATED", "the timestamp is missing", line.length + 1);
    const { metrics, writer, times, isInt64 } = this.#options;
    const time = times.of(line.slice(timeAt), timeAt + 1);
    const text = line.slice(end + 1, timeAt - 1);
    if (text.startsWith("{") && text.endsWith("}")) {
      this.histograms++;
      return;
    }
    const value = isInt64 ? int64Of(text, end + 2) : floatOf(text, end + 2);
    const key = line.slice(0, end);
    writer.add(metrics.find(key) ?? metrics.add(key, metricOf(line, end)), time, value, isInt64);
  }
}

/** Returns the position after the labels. */
function endOfLabels(line: string): number {
  if (line[0] !== "{") throw unexpected(line, 0, "{");
  let isQuoted = false;
  for (let at = 1; at < line.length; at++) {
    const character = line[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (character === "\\" && isQuoted) at++;
    else if (character === "}" && !isQuoted) return at + 1;
  }
  throw new RecordError("ERR_TRUNCATED", `the ${isQuoted ? "quote" : "brace"} is not closed`, line.length + 1);
}

function metricOf(line: string, end: number): { name: string; tags: Record<string, string> } {
  const labels = new Map<string, string>();
  for (let at = 1; at < end - 1; ) {
    const from = at;
    const isQuoted = line[at] === '"';
    at = after(isQuoted ? QUOTED : LABEL, line, at, "the name of a label");
    const label = isQuoted ? unquoted(line, from, at) : line.slice(from, at);
    if (line[at] !== "=") throw unexpected(line, at, "=");
    const valueAt = at + 1;
    at = after(QUOTED, line, valueAt, "a value in quotes");
    if (labels.has(label))
      throw new RecordError("ERR_DUPLICATE_KEY", `the label ${quoted(label)} occurs twice`, from + 1);
    labels.set(label, unquoted(line, valueAt, at));
    if (at === end - 1) break;
    if (line[at] !== ",") throw unexpected(line, at, "a comma or }");
    at += line[at + 1] === " " ? 2 : 1;
  }
  const name = labels.get(NAME_TAG);
  if (name === undefined) throw new RecordError("ERR_INVALID_METRIC", `the labels have no ${NAME_TAG}`, 1);
  labels.delete(NAME_TAG);
  return { name, tags: recordOf(labels) };
}

/** The text in quotes, without Go's escapes. */
function unquoted(line: string, from: number, end: number): string {
  return line.slice(from + 1, end - 1).replace(ESCAPE, (found, simple, x, u, long, octal, at: number) => {
    if (simple !== undefined) return SIMPLE.get(simple) ?? simple;
    const code = Number.parseInt(x ?? u ?? long ?? octal ?? "", octal === undefined ? 16 : 8);
    // Bytes above 0x7f are parts of texts that are not UTF-8.
    if (code <= (x === undefined && octal === undefined ? 0x10ffff : 0x7f)) return String.fromCodePoint(code);
    throw new RecordError("ERR_INVALID_BYTE", `${quoted(found)} is not the escape of a character`, from + at + 2);
  });
}

function after(pattern: RegExp, line: string, at: number, expected: string): number {
  pattern.lastIndex = at;
  if (pattern.test(line)) return pattern.lastIndex;
  throw unexpected(line, at, expected);
}

function unexpected(line: string, at: number, expected: string): RecordError {
  const found = line[at] === undefined ? "the end of the line" : JSON.stringify(line[at]);
  return new RecordError("ERR_INVALID_BYTE", `expected ${expected}, found ${found}`, at + 1);
}
