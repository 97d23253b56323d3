/**
 * The text format of Prometheus, version 0.0.4: `http_requests_total{code="200"} 1027 1395066363000`. Samples of histograms and
 * summaries are metrics like others, with the tags `le` and `quantile`. Names in quotes, `{"my.metric",code="200"} 1`, are read too.
 */
import type { Metric } from "@moonpack/series";
import { floatOf, int64Of } from "./numbers.js";
import { quoted, RecordError } from "./record-error.js";
import { emptyTags, type LineParser, type ParserOptions } from "./record-parser.js";
import { timestampOf } from "./times.js";

const NAME = /[a-zA-Z_:][\w:]*/y;
const LABEL = /[a-zA-Z_]\w*/y;
const BLANKS = /[ \t]*/y;
const ESCAPES = new Map([
  ["n", "\n"],
  ["\\", "\\"],
  ['"', '"'],
]);

/** Parses the text format of Prometheus. */
export class PrometheusParser implements LineParser {
  readonly ignored = 0;
  readonly #options: ParserOptions;

  constructor(options: ParserOptions) {
    this.#options = options;
  }

  parse(text: string): void {
    const line = text.trimEnd();
    const start = after(BLANKS, line, 0);
    if (start === line.length || line[start] === "#") return;
    const end = endOfMetric(line, start);
    const [value = "", timestamp, ...rest] = line
      .slice(end)
      .trim()
      .split(/[ \t]+/);
    const { metrics, writer, isInt64 } = this.#options;
    if (value === "") throw new RecordError("ERR_TRUNCATED", "the value is missing", line.length + 1);
    const valueAt = after(BLANKS, line, end);
    if (rest.length > 0) {
      const column = line.lastIndexOf(rest.join(" ")) + 1;
      throw new RecordError("ERR_TRAILING_BYTES", "there is more text after the timestamp", column || undefined);
    }
    const time = this.#time(timestamp, line);
    const number = isInt64 ? int64Of(value, valueAt + 1) : floatOf(value, valueAt + 1);
    const key = line.slice(start, end);
    writer.add(metrics.find(key) ?? metrics.add(key, metricOf(line, start, end)), time, number, isInt64);
  }

  #time(text: string | undefined, line: string): number {
    if (text === undefined) return this.#options.timestamp();
    const column = line.length - text.length + 1;
    // OpenMetrics has seconds: taken as milliseconds they would be in 1970.
    if (text.includes("."))
      throw new RecordError(
        "ERR_OUT_OF_RANGE",
        `the timestamp ${quoted(text)} is not a whole number of milliseconds`,
        column,
      );
    return timestampOf(text, "ms", column);
  }
}

/** The end of the name and the labels. */
function endOfMetric(line: string, start: number): number {
  for (let at = start; at < line.length; at++) {
    const character = line[at]!;
    if (character === "{") return endOfLabels(line, at);
    if (character !== " " && character !== "\t") continue;
    const next = after(BLANKS, line, at);
    return line[next] === "{" ? endOfLabels(line, next) : at;
  }
  return line.length;
}

function endOfLabels(line: string, open: number): number {
  let quote = -1;
  for (let at = open; at < line.length; at++) {
    const character = line[at]!;
    if (quote >= 0 && character === "\\") at++;
    else if (character === '"') quote = quote < 0 ? at : -1;
    else if (character === "}" && quote < 0) return at + 1;
  }
  if (quote >= 0) throw new RecordError("ERR_TRUNCATED", "the quote is not closed", quote + 1);
  throw new RecordError("ERR_TRUNCATED", "the brace is not closed", open + 1);
}

function metricOf(line: string, start: number, end: number): Metric {
  const nameEnd = after(NAME, line, start);
  let name = nameEnd > start ? line.slice(start, nameEnd) : undefined;
  const tags = emptyTags();
  let at = after(BLANKS, line, nameEnd);
  if (at < end && line[at] !== "{") throw unexpected(line, at, "a metric's name, { or a blank");
  if (at < end) {
    for (at = after(BLANKS, line, at + 1); line[at] !== "}"; ) {
      const from = at;
      const isQuoted = line[at] === '"';
      const [key, keyEnd] = isQuoted
        ? quotedAt(line, at)
        : [line.slice(at, after(LABEL, line, at)), after(LABEL, line, at)];
      if (keyEnd === at) throw unexpected(line, at, "a label's name or }");
      at = after(BLANKS, line, keyEnd);
      if (isQuoted && line[at] !== "=") {
        if (name !== undefined) throw new RecordError("ERR_DUPLICATE_KEY", "the metric has a second name", from + 1);
        name = key;
      } else {
        if (line[at] !== "=") throw unexpected(line, at, "=");
        at = after(BLANKS, line, at + 1);
        if (line[at] !== '"') throw unexpected(line, at, "a value in quotes");
        if (Object.hasOwn(tags, key))
          throw new RecordError("ERR_DUPLICATE_KEY", `the label ${quoted(key)} is there twice`, from + 1);
        [tags[key], at] = quotedAt(line, at);
      }
      at = after(BLANKS, line, at);
      if (line[at] === ",") at = after(BLANKS, line, at + 1);
      else if (line[at] !== "}") throw unexpected(line, at, "a comma or }");
    }
  }
  if (name === undefined) throw new RecordError("ERR_INVALID_METRIC", "the metric has no name", start + 1);
  return { name, tags };
}

/** The text in quotes, and where it ends. */
function quotedAt(line: string, at: number): [string, number] {
  let text = "";
  let from = at + 1;
  for (let i = from; i < line.length; i++) {
    if (line[i] === '"') return [text + line.slice(from, i), i + 1];
    if (line[i] !== "\\") continue;
    const character = ESCAPES.get(line[i + 1] ?? "");
    if (character === undefined)
      throw new RecordError(
        "ERR_INVALID_BYTE",
        `${quoted(line.slice(i, i + 2))} is not an escape: \\\\, \\" or \\n`,
        i + 1,
      );
    text += line.slice(from, i) + character;
    from = i + 2;
    i++;
  }
  throw new RecordError("ERR_TRUNCATED", "the quote is not closed", at + 1);
}

function after(pattern: RegExp, line: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(line) ? pattern.lastIndex : at;
}

function unexpected(line: string, at: number, expected: string): RecordError {
  const found = line[at] === undefined ? "the end of the line" : JSON.stringify(line[at]);
  return new RecordError("ERR_INVALID_BYTE", `expected ${expected}, found ${found}`, at + 1);
}
