/**
 * InfluxDB's line protocol: `cpu,host=a1 load=0.42,cores=8i 1769860800000000000`. Each field is a metric `measurement.field`.
 * The tag `__name__` is the whole name instead, for names that have no dot.
 */
import { recordOf } from "moonpack/bytes";
import type { ImportedMetric } from "./imported-metrics.js";
import { NAME_TAG } from "./metric-text.js";
import { floatOf, int64Of } from "./numbers.js";
import { quoted, RecordError } from "./record-error.js";
import type { LineParser, ParserOptions } from "./record-parser.js";

const BOOLEANS = new Map<string, number>([
  ...["t", "T", "true", "True", "TRUE"].map((text) => [text, 1] as const),
  ...["f", "F", "false", "False", "FALSE"].map((text) => [text, 0] as const),
]);
const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const BLANK = 0x20;
const COMMA = 0x2c;
const EQUALS = 0x3d;

/** A measurement and its tags: the part of a line that recurs. */
interface Source {
  readonly measurement: string;
  readonly name: string | undefined;
  readonly tags: Record<string, string>;
}

/** Parses line protocol. Strings are not stored as points; they are counted. */
export class LineProtocolParser implements LineParser {
  strings = 0;
  readonly endsInString = endsInString;
  readonly #options: ParserOptions;
  /** The metrics that the present line has given a point. */
  readonly #seen = new Set<ImportedMetric>();

  constructor(options: ParserOptions) {
    this.#options = options;
  }

  parse(text: string): void {
    const indent = indentOf(text);
    const line = text.slice(indent).trimEnd();
    if (line === "" || line.startsWith("#")) return;
    const sourceEnd = endOf(line, 0, BLANK);
    const source = line.slice(0, sourceEnd);
    if (sourceEnd === line.length)
      throw new RecordError("ERR_TRUNCATED", "there are no fields", indent + sourceEnd + 1);
    const fieldsAt = afterBlanks(line, sourceEnd);
    const end = endOfFields(line, fieldsAt, false);
    const fieldsEnd = end < 0 ? line.length : end;
    const timeAt = afterBlanks(line, fieldsEnd);
    const { times, timestamp } = this.#options;
    const time = timeAt === line.length ? timestamp() : times.of(line.slice(timeAt), indent + timeAt + 1);
    this.#seen.clear();
    for (let at = fieldsAt; at <= fieldsEnd; ) at = this.#field(line, source, at, fieldsEnd, time, indent) + 1;
  }

  /** Adds the point of a field. Returns where the field ends. */
  #field(line: string, source: string, at: number, fieldsEnd: number, time: number, indent: number): number {
    const keyEnd = endOf(line, at, EQUALS, COMMA);
    if (keyEnd >= fieldsEnd || line.charCodeAt(keyEnd) !== EQUALS)
      throw new RecordError("ERR_INVALID_BYTE", "expected a field NAME=VALUE", indent + at + 1);
    if (keyEnd === at) throw new RecordError("ERR_INVALID_BYTE", "a field has no name", indent + at + 1);
    const valueAt = keyEnd + 1;
    if (line.charCodeAt(valueAt) === QUOTE) {
      this.strings++;
      return endOfString(line, valueAt, fieldsEnd, indent);
    }
    const comma = line.indexOf(",", valueAt);
    const valueEnd = comma < 0 || comma > fieldsEnd ? fieldsEnd : comma;
    const { writer, isInt64 } = this.#options;
    const text = line.slice(valueAt, valueEnd);
    const value = numberOf(text, isInt64, indent + valueAt + 1);
    const isInteger = isInt64 || hasIntegerSuffix(text);
    const field = line.slice(at, keyEnd);
    const metric = this.#metric(source, field, isInteger, indent);
    if (this.#seen.has(metric))
      throw new RecordError("ERR_DUPLICATE_KEY", `the field ${quoted(field)} is there twice`, indent + at + 1);
    this.#seen.add(metric);
    writer.add(metric, time, value, isInteger);
    return valueEnd;
  }

  #metric(source: string, field: string, isInt64: boolean, indent: number): ImportedMetric {
    const { metrics } = this.#options;
    const key = `${source} ${field}`;
    const found = metrics.find(key);
    if (found !== undefined) return found;
    const { measurement, name, tags } = sourceOf(source, indent);
    const metric = { name: name ?? `${measurement}.${unescaped(field)}`, tags };
    return metrics.add(key, isInt64 ? { ...metric, type: "int64" } : metric);
  }
}

function hasIntegerSuffix(value: string): boolean {
  return value.endsWith("i") || value.endsWith("u");
}

function numberOf(text: string, isInt64: boolean, column: number): number | bigint {
  const boolean = BOOLEANS.get(text);
  if (boolean !== undefined) return boolean;
  if (hasIntegerSuffix(text)) return int64Of(text.slice(0, -1), column);
  return isInt64 ? int64Of(text, column) : floatOf(text, column);
}

/** The measurement and the tags. `indent`: where the text begins in its line. */
function sourceOf(text: string, indent: number): Source {
  const nameEnd = endOf(text, 0, COMMA);
  if (nameEnd === 0) throw new RecordError("ERR_INVALID_METRIC", "the measurement is empty", indent + 1);
  const tags = new Map<string, string>();
  for (let at = nameEnd + 1; at <= text.length; ) {
    const keyEnd = endOf(text, at, EQUALS, COMMA);
    if (keyEnd === text.length || text.charCodeAt(keyEnd) === COMMA || keyEnd === at)
      throw new RecordError("ERR_INVALID_METRIC", "expected a tag NAME=VALUE", indent + at + 1);
    const key = unescaped(text.slice(at, keyEnd));
    const end = endOf(text, keyEnd + 1, COMMA, EQUALS);
    if (text.charCodeAt(end) === EQUALS) throw equalsInValue(key, indent + end + 1);
    if (tags.has(key))
      throw new RecordError("ERR_DUPLICATE_KEY", `the tag ${quoted(key)} is there twice`, indent + at + 1);
    tags.set(key, unescaped(text.slice(keyEnd + 1, end)));
    at = end + 1;
  }
  const name = tags.get(NAME_TAG);
  tags.delete(NAME_TAG);
  // An equals sign is no special character of a measurement.
  return { measurement: text.slice(0, nameEnd).replace(/\\([, ])/g, "$1"), name, tags: recordOf(tags) };
}

/** The blanks and tabs before a line. Other white space is a part of the measurement. */
function indentOf(text: string): number {
  let at = 0;
  while (text[at] === " " || text[at] === "\t") at++;
  return at;
}

/** Where the first of some characters is that no backslash escapes; the text's length if there is none. */
function endOf(text: string, from: number, stop: number, orStop = stop): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === stop || code === orStop) break;
    if (code === BACKSLASH && isSpecial(text.charCodeAt(at + 1))) at++;
  }
  return Math.min(at, text.length);
}

/** Usually a backslash before the comma has made the next tag a part of this one. */
function equalsInValue(key: string, column: number): RecordError {
  const what = `the value of the tag ${quoted(key)} has an unescaped =`;
  const why = "a backslash before a comma makes the comma a part of the value";
  return new RecordError("ERR_INVALID_METRIC", `${what}; ${why}`, column);
}

/** The end of all fields: the first blank outside of strings. -1 if a string is open at the end of the text. */
function endOfFields(line: string, from: number, isOpen: boolean): number {
  let isValue = false;
  for (let at = from; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (isOpen) {
      if (code === BACKSLASH) at++;
      else isOpen = code !== QUOTE;
      continue;
    }
    if (code === BLANK) return at;
    if (code === BACKSLASH && isSpecial(line.charCodeAt(at + 1))) at++;
    else if (code === QUOTE && isValue) isOpen = true;
    isValue = code === EQUALS;
  }
  return isOpen ? -1 : line.length;
}

function endsInString(text: string, isOpen: boolean): boolean {
  if (isOpen) return endOfFields(text, 0, true) < 0;
  const start = indentOf(text);
  if (text[start] === "#") return false;
  return endOfFields(text, afterBlanks(text, endOf(text, start, BLANK)), false) < 0;
}

/** The position behind a string that starts at a quote. */
function endOfString(line: string, from: number, limit: number, indent: number): number {
  for (let at = from + 1; at < limit; at++) {
    const code = line.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) {
      const after = line.charCodeAt(at + 1);
      if (at + 1 < line.length && after !== COMMA && after !== BLANK)
        throw new RecordError("ERR_INVALID_BYTE", "expected a comma or a blank after a string", indent + at + 2);
      return at + 1;
    }
  }
  throw new RecordError("ERR_TRUNCATED", "the quote of a string is not closed", indent + from + 1);
}

function afterBlanks(line: string, from: number): number {
  let at = from;
  while (line.charCodeAt(at) === BLANK) at++;
  return at;
}

/** The characters that a backslash escapes; before any other one it is a backslash. */
function isSpecial(code: number): boolean {
  return code === COMMA || code === EQUALS || code === BLANK;
}

function unescaped(text: string): string {
  return text.includes("\\") ? text.replace(/\\([,= ])/g, "$1") : text;
}
