/**
 * InfluxDB's line protocol: `cpu,host=a1 load=0.42,cores=8i 1769860800000000000`. Each field is a metric `measurement.field`.
 * The tag `__name__`, if present, is the metric's whole name: for names without a dot.
 */
import { recordOf } from "moonpack/bytes";
import type { ImportedMetric } from "./imported-metrics.js";
import { NAME_TAG } from "./metric-text.js";
import { floatOf, int64Of, isSpecial, notNumber } from "./numbers.js";
import { quoted, RecordError } from "./record-error.js";
import type { LineParser, ParserOptions } from "./record-parser.js";

const BOOLEANS = new Map<string, number>([
  ...["t", "T", "true", "True", "TRUE"].map((text) => [text, 1] as const),
  ...["f", "F", "false", "False", "FALSE"].map((text) => [text, 0] as const),
]);
/** Decimal numbers of InfluxDB, which has no leading +. */
const NUMBER = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const INTEGER = /^-?\d+i$/;
const UNSIGNED = /^\d+u$/;
const TIME = /^-?\d+$/;
/** The last time that is an int64. */
const LAST_TIME = "9223372036854775807";
const FIELD = "the name of a field";
/** Characters that only strings may have. */
const CONTROLS = /(?=\p{ASCII})\p{Cc}/u;
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
  readonly histograms = 0;
  readonly endsInString = endsInString;
  readonly #options: ParserOptions;
  /** The metrics with a point in the current line. */
  readonly #seen = new Set<ImportedMetric>();

  constructor(options: ParserOptions) {
    this.#options = options;
  }

  parse(text: string): void {
    const indent = indentOf(text);
    const line = text.slice(indent, endOfText(text));
    if (line === "") return;
    if (line.startsWith("#")) return checkCharacters(line.replaceAll("\t", " "), indent, "a comment");
    const sourceEnd = endOf(line, 0, BLANK);
    const source = line.slice(0, sourceEnd);
    if (sourceEnd === line.length)
      throw new RecordError("ERR_TRUNCATED", "the fields are missing", indent + sourceEnd + 1);
    const fieldsAt = afterBlanks(line, sourceEnd);
    const end = endOfFields(line, fieldsAt, false);
    const fieldsEnd = end < 0 ? line.length : end;
    const timeAt = afterBlanks(line, fieldsEnd);
    const time = timeAt === line.length ? this.#options.timestamp() : this.#time(line, timeAt, indent);
    this.#seen.clear();
    for (let at = fieldsAt; at <= fieldsEnd; ) at = this.#field(line, source, at, fieldsEnd, time, indent) + 1;
    // A line of strings only has no metric whose source was checked.
    if (this.#seen.size === 0) sourceOf(source, indent);
  }

  #time(line: string, at: number, indent: number): number {
    const text = line.slice(at);
    const column = indent + at + 1;
    if (TIME.test(text)) {
      if (text.length > LAST_TIME.length || (text.length === LAST_TIME.length && text > LAST_TIME))
        int64Of(text, column);
      return this.#options.times.of(text, column);
    }
    const blank = text.indexOf(" ");
    if (blank > 0 && TIME.test(text.slice(0, blank)))
      throw new RecordError("ERR_TRAILING_BYTES", "there is more text after the timestamp", column + blank + 1);
    throw new RecordError("ERR_OUT_OF_RANGE", `the timestamp ${quoted(text)} is not an integer`, column);
  }

  /** Adds the point of a field. Returns where the field ends. */
  #field(line: string, source: string, at: number, fieldsEnd: number, time: number, indent: number): number {
    const keyEnd = endOf(line, at, EQUALS, COMMA);
    if (keyEnd >= fieldsEnd || line.charCodeAt(keyEnd) !== EQUALS)
      throw new RecordError("ERR_INVALID_BYTE", "expected a field NAME=VALUE", indent + at + 1);
    if (keyEnd === at) throw new RecordError("ERR_INVALID_BYTE", "a field has no name", indent + at + 1);
    const valueAt = keyEnd + 1;
    if (line.charCodeAt(valueAt) === QUOTE) {
      checkCharacters(line.slice(at, keyEnd), indent + at, FIELD);
      this.strings++;
      return endOfString(line, valueAt, fieldsEnd, indent);
    }
    const comma = line.indexOf(",", valueAt);
    const valueEnd = comma < 0 || comma > fieldsEnd ? fieldsEnd : comma;
    const { writer, isInt64 } = this.#options;
    const text = line.slice(valueAt, valueEnd);
    const isInteger = isInt64 || hasIntegerSuffix(text);
    const value = numberOf(text, isInteger, indent + valueAt + 1);
    const field = line.slice(at, keyEnd);
    const metric = this.#metric(source, field, isInteger, indent, at);
    if (this.#seen.has(metric))
      throw new RecordError("ERR_DUPLICATE_KEY", `the field ${quoted(field)} occurs twice`, indent + at + 1);
    this.#seen.add(metric);
    writer.add(metric, time, value, isInteger);
    return valueEnd;
  }

  #metric(source: string, field: string, isInt64: boolean, indent: number, at: number): ImportedMetric {
    const { metrics } = this.#options;
    const key = `${source} ${field}`;
    const found = metrics.find(key);
    if (found !== undefined) return found;
    const { measurement, name, tags } = sourceOf(source, indent);
    checkCharacters(field, indent + at, FIELD);
    const metric = { name: name ?? `${measurement}.${unescaped(field)}`, tags };
    return metrics.add(key, isInt64 ? { ...metric, type: "int64" } : metric);
  }
}

function hasIntegerSuffix(value: string): boolean {
  return (value.endsWith("i") && INTEGER.test(value)) || (value.endsWith("u") && UNSIGNED.test(value));
}

/** NaN and infinities are not valid in InfluxDB, but export writes them. */
function numberOf(text: string, isInteger: boolean, column: number): number | bigint {
  const isNumber = NUMBER.test(text);
  if (isNumber && !isInteger) {
    const value = Number(text);
    if (Number.isFinite(value)) return value;
  }
  const boolean = BOOLEANS.get(text);
  if (boolean !== undefined) return boolean;
  if (isInteger && hasIntegerSuffix(text)) return int64Of(text.slice(0, -1), column);
  if (isNumber || isSpecial(text)) return isInteger ? int64Of(text, column) : floatOf(text, column);
  throw new RecordError("ERR_OUT_OF_RANGE", notNumber(text), column);
}

/** The measurement and the tags. `indent` is the position of the text in its line. */
function sourceOf(text: string, indent: number): Source {
  const nameEnd = endOf(text, 0, COMMA);
  if (nameEnd === 0) throw new RecordError("ERR_INVALID_METRIC", "the measurement is empty", indent + 1);
  checkCharacters(text, indent, "a measurement or tag");
  const tags = new Map<string, string>();
  for (let at = nameEnd + 1; at <= text.length; ) {
    const keyEnd = endOf(text, at, EQUALS, COMMA);
    if (keyEnd === text.length || text.charCodeAt(keyEnd) === COMMA || keyEnd === at)
      throw new RecordError("ERR_INVALID_METRIC", "expected a tag NAME=VALUE", indent + at + 1);
    const key = unescaped(text.slice(at, keyEnd));
    const end = endOf(text, keyEnd + 1, COMMA, EQUALS);
    if (text.charCodeAt(end) === EQUALS) throw equalsInValue(key, indent + end + 1);
    if (end === keyEnd + 1)
      throw new RecordError("ERR_INVALID_METRIC", `the tag ${quoted(key)} has no value`, indent + end + 1);
    if (tags.has(key))
      throw new RecordError("ERR_DUPLICATE_KEY", `the tag ${quoted(key)} occurs twice`, indent + at + 1);
    tags.set(key, unescaped(text.slice(keyEnd + 1, end)));
    at = end + 1;
  }
  const name = tags.get(NAME_TAG);
  tags.delete(NAME_TAG);
  // In a measurement, an equals sign is an ordinary character.
  return { measurement: text.slice(0, nameEnd).replace(/\\([, ])/g, "$1"), name, tags: recordOf(tags) };
}

/** Throws for a control character. `indent` is the position of the text in its line. */
function checkCharacters(text: string, indent: number, what: string): void {
  const at = text.search(CONTROLS);
  if (at < 0) return;
  const shown = JSON.stringify(text[at]);
  throw new RecordError("ERR_INVALID_BYTE", `${what} has the control character ${shown}`, indent + at + 1);
}

/** The end of a line without the spaces after it. A regular expression would take quadratic time. */
function endOfText(text: string): number {
  let end = text.length;
  while (text.charCodeAt(end - 1) === BLANK) end--;
  return end;
}

/** The number of spaces before a line. */
function indentOf(text: string): number {
  return afterBlanks(text, 0);
}

/** The position of the first unescaped `stop` or `orStop`; the text's length if there is none. */
function endOf(text: string, from: number, stop: number, orStop = stop): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === stop || code === orStop) break;
    if (code === BACKSLASH && isEscapable(text.charCodeAt(at + 1))) at++;
  }
  return Math.min(at, text.length);
}

/** The usual cause is a backslash before a comma, which makes the next tag a part of this value. */
function equalsInValue(key: string, column: number): RecordError {
  const what = `the value of the tag ${quoted(key)} has an unescaped =`;
  const why = "a backslash before a comma makes the comma a part of the value";
  return new RecordError("ERR_INVALID_METRIC", `${what}; ${why}`, column);
}

/** The end of all fields: the first blank outside strings. -1 if the text ends inside a string. */
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
    if (code === BACKSLASH && isEscapable(line.charCodeAt(at + 1))) at++;
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

/** The position after a string that starts at a quote. */
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

/** True for a character that a backslash escapes. Before any other character, a backslash is literal. */
function isEscapable(code: number): boolean {
  return code === COMMA || code === EQUALS || code === BLANK;
}

function unescaped(text: string): string {
  return text.includes("\\") ? text.replace(/\\([,= ])/g, "$1") : text;
}
