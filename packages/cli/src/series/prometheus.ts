/**
 * The text format of Prometheus, version 0.0.4: `http_requests_total{code="200"} 1027 1395066363000`, and OpenMetrics, whose timestamps
 * are seconds: it ends in `# EOF`. Samples of histograms and summaries are metrics like others, with the tags `le` and `quantile`.
 * Names in quotes, `{"my.metric",code="200"} 1`, are read too. Exemplars, `# {trace="4f"} 0.6`, are skipped and counted.
 */
import type { Metric } from "@moonpack/series";
import { recordOf } from "moonpack/bytes";
import { floatOf, int64Of } from "./numbers.js";
import { quoted, RecordError } from "./record-error.js";
import type { LineParser, ParserOptions } from "./record-parser.js";

const NAME = /[a-zA-Z_:][\w:]*/y;
const LABEL = /[a-zA-Z_]\w*/y;
const BLANKS = /[ \t]*/y;
const TOKEN = /[^ \t]*/y;
const EOF = /^# EOF$/;
/** Numbers with a fraction of a millisecond. */
const REAL = /^(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;
const ESCAPES = new Map([
  ["n", "\n"],
  ["\\", "\\"],
  ['"', '"'],
]);

/** Parses the text formats of Prometheus. */
export class PrometheusParser implements LineParser {
  exemplars = 0;
  readonly #options: ParserOptions;

  constructor(options: ParserOptions) {
    this.#options = options;
  }

  parse(text: string): void {
    const line = text.trimEnd();
    const start = after(BLANKS, line, 0);
    if (EOF.test(line)) this.#noteOpenMetrics();
    if (start === line.length || line[start] === "#") return;
    const end = endOfMetric(line, start);
    const valueAt = after(BLANKS, line, end);
    const valueEnd = after(TOKEN, line, valueAt);
    if (valueAt === valueEnd) throw new RecordError("ERR_TRUNCATED", "the value is missing", line.length + 1);
    const timeAt = after(BLANKS, line, valueEnd);
    const hasTime = timeAt < line.length && line[timeAt] !== "#";
    const timeEnd = hasTime ? after(TOKEN, line, timeAt) : timeAt;
    const rest = after(BLANKS, line, timeEnd);
    if (rest < line.length) {
      checkExemplar(line, rest);
      this.exemplars++;
      this.#noteOpenMetrics();
    }
    const { metrics, writer, times, isInt64, timestamp } = this.#options;
    const time = hasTime ? this.#time(line.slice(timeAt, timeEnd), timeAt + 1) : timestamp();
    const value = line.slice(valueAt, valueEnd);
    const number = isInt64 ? int64Of(value, valueAt + 1) : floatOf(value, valueAt + 1);
    const key = line.slice(start, end);
    writer.add(metrics.find(key) ?? metrics.add(key, metricOf(line, start, end)), time, number, isInt64);
    if (hasTime && times.isOpen) writer.markUncertain();
  }

  #time(text: string, column: number): number {
    const { times } = this.#options;
    const real = /[.eE]/.test(text) ? REAL.exec(text) : null;
    if (real === null) return times.of(text, column);
    this.#noteOpenMetrics();
    if (times.unit === "ms")
      throw new RecordError(
        "ERR_OUT_OF_RANGE",
        `the timestamp ${quoted(text)} is not a whole number of milliseconds`,
        column,
      );
    return times.of(withoutExponent(real), column);
  }

  /** Notes that the input is OpenMetrics: only its grammar allows the part that was just read. */
  #noteOpenMetrics(): void {
    const { times, writer } = this.#options;
    if (!times.isCertain) writer.multiplyTimes(times.settle("s"));
  }
}

/** The digits of a real number, with the decimal point moved by its exponent. */
function withoutExponent([, whole = "", fraction = "", exponent = "0"]: RegExpExecArray): string {
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `0.${"0".repeat(-point)}${digits}`;
  return `${digits.slice(0, point).padEnd(point, "0")}.${digits.slice(point)}`;
}

/** Throws unless a line ends in an exemplar: `# {LABELS} VALUE`, and perhaps a timestamp. */
function checkExemplar(line: string, at: number): void {
  const labels = after(BLANKS, line, at + 1);
  if (line[at] !== "#") throw new RecordError("ERR_TRAILING_BYTES", "there is more text after the timestamp", at + 1);
  if (line[labels] !== "{") throw unexpected(line, labels, "an exemplar after #: {LABELS} VALUE");
  const valueAt = after(BLANKS, line, endOfLabels(line, labels));
  const valueEnd = after(TOKEN, line, valueAt);
  const value = line.slice(valueAt, valueEnd);
  if (value === "") throw new RecordError("ERR_TRUNCATED", "the value of the exemplar is missing", line.length + 1);
  floatOf(value, valueAt + 1);
  const timeEnd = after(TOKEN, line, after(BLANKS, line, valueEnd));
  if (timeEnd < line.length)
    throw new RecordError(
      "ERR_TRAILING_BYTES",
      "there is more text after the exemplar",
      after(BLANKS, line, timeEnd) + 1,
    );
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
  const tags = new Map<string, string>();
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
        if (tags.has(key))
          throw new RecordError("ERR_DUPLICATE_KEY", `the label ${quoted(key)} occurs twice`, from + 1);
        const [value, valueEnd] = quotedAt(line, at);
        tags.set(key, value);
        at = valueEnd;
      }
      at = after(BLANKS, line, at);
      if (line[at] === ",") at = after(BLANKS, line, at + 1);
      else if (line[at] !== "}") throw unexpected(line, at, "a comma or }");
    }
  }
  if (name === undefined) throw new RecordError("ERR_INVALID_METRIC", "the metric has no name", start + 1);
  return { name, tags: recordOf(tags) };
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
