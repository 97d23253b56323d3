/** The content of a line: a sample, metadata, a comment, or the end of OpenMetrics. */
import { type LabelRecord, Line, unescaped } from "./line.js";
import { floatOf, millisecondsOf, secondsOf } from "./numbers.js";
import { type MetricExemplar, type MetricMetadata, type MetricSample, type TextFormat, TYPE_NAMES } from "./types.js";

/** The content of a line. */
export type Entry =
  | { readonly kind: "sample"; readonly sample: MetricSample; readonly series: string }
  | { readonly kind: "metadata"; readonly metadata: MetricMetadata }
  | { readonly kind: "comment" | "blank" | "eof" };

const COMMENT: Entry = { kind: "comment" };
const BLANK: Entry = { kind: "blank" };
const END: Entry = { kind: "eof" };
const KEYWORD = /#[ \t]+(HELP|TYPE)(?=[ \t])/y;
const OPEN_KEYWORD = /# (HELP|TYPE|UNIT) /y;

/** Reads a line, without its line feed. Throws a PrometheusError with its place. */
export function readEntry(text: string, number: number, format: TextFormat): Entry {
  const line = new Line(text, number, format);
  line.skipBlanks();
  if (line.is("#")) return format === "openmetrics" ? readOpenComment(line) : readComment(line);
  if (format === "prometheus") {
    if (line.isAtEnd || (line.is("\r") && line.at + 1 === text.length)) return BLANK;
    // No part of a sample can end in a carriage return: the text was written on Windows.
    if (text.endsWith("\r")) return readSample(new Line(text.slice(0, -1), number, format));
  }
  return readSample(line);
}

/** True if a line is a comment of Prometheus' own format: one without metadata. */
export function isComment(text: string, format: TextFormat): boolean {
  const line = new Line(text, 1, format);
  line.skipBlanks();
  return format === "prometheus" && line.is("#") && keyword(line, KEYWORD) === undefined;
}

function readSample(line: Line): Entry {
  line.skipBlanks();
  const isOpen = line.format === "openmetrics";
  const from = line.at;
  const { name, labels } = readSeries(line);
  const series = line.text.slice(from, line.at);
  // Prometheus reads a value directly after a brace.
  if (isOpen || !series.endsWith("}")) line.separate("a value");
  else line.skipBlanks();
  const value = line.readNumber("a value", floatOf);
  let timestamp: number | undefined;
  let exemplar: MetricExemplar | undefined;
  if (hasMore(line) && !line.text.startsWith(" # ", line.at)) {
    line.separate("a timestamp");
    timestamp = line.readNumber("a timestamp", isOpen ? secondsOf : millisecondsOf);
  }
  if (isOpen && line.text.startsWith(" # ", line.at)) exemplar = readExemplar(line);
  if (hasMore(line)) throw line.error("ERR_TRAILING_BYTES", "there is more text after the sample");
  return { kind: "sample", sample: { name, labels, value, timestamp, exemplar }, series };
}

/** Moves past blanks at the end of a line. True if there is more. */
function hasMore(line: Line): boolean {
  const { at } = line;
  line.skipBlanks();
  if (line.isAtEnd) return false;
  line.at = at;
  return true;
}

function readSeries(line: Line): { name: string; labels: LabelRecord } {
  const from = line.at;
  let name: string | undefined = line.name(true) || undefined;
  let labels: LabelRecord = {};
  const end = line.at;
  line.skipBlanks();
  if (line.is("{")) {
    labels = line.labels((quoted, at) => {
      if (name !== undefined) throw line.error("ERR_DUPLICATE_KEY", "the metric has a second name", at);
      name = quoted;
    });
  } else if (name === undefined) throw line.unexpected("the name of a metric");
  else line.at = end;
  if (name === undefined || name === "") throw line.error("ERR_INVALID_METRIC", "the metric has no name", from);
  return { name, labels };
}

function readExemplar(line: Line): MetricExemplar {
  line.at += 3;
  if (!line.is("{")) throw line.unexpected("the labels of an exemplar");
  const labels = line.labels();
  line.separate("the value of the exemplar");
  const value = line.readNumber("the value of the exemplar", floatOf);
  if (line.isAtEnd) return { labels, value, timestamp: undefined };
  line.separate("the timestamp of the exemplar");
  return { labels, value, timestamp: line.readNumber("the timestamp of the exemplar", secondsOf) };
}

function readComment(line: Line): Entry {
  const word = keyword(line, KEYWORD);
  if (word === undefined) return COMMENT;
  line.skipBlanks();
  const name = readFamilyName(line);
  if (word === "HELP") {
    const text = line.text.slice(line.at + 1);
    return metadata({ name, help: text.replace(/\\([\\n])/g, (_, c: string) => (c === "n" ? "\n" : c)) });
  }
  line.skipBlanks();
  const at = line.at;
  return metadata({ name, type: typeOf(line, line.text.slice(at).trimEnd(), at) });
}

function readOpenComment(line: Line): Entry {
  if (line.text === "# EOF") return END;
  const word = keyword(line, OPEN_KEYWORD);
  if (word === undefined) throw line.unexpected('"# HELP ", "# TYPE ", "# UNIT " or "# EOF"');
  const name = readFamilyName(line);
  const at = line.at + 1;
  const text = line.text.slice(at);
  if (word === "HELP") return metadata({ name, help: unescaped(text) });
  if (word === "TYPE") return metadata({ name, type: typeOf(line, text, at) });
  if (text !== "" && !name.endsWith(`_${text}`))
    throw line.error("ERR_INVALID_METRIC", `the name does not end in _ and the unit ${JSON.stringify(text)}`, at);
  return metadata({ name, unit: text });
}

/** Moves past a keyword. */
function keyword(line: Line, pattern: RegExp): string | undefined {
  pattern.lastIndex = line.at;
  const found = pattern.exec(line.text);
  if (found === null) return undefined;
  line.at = pattern.lastIndex;
  return found[1];
}

/** Reads the name of a family, which ends at a blank or at the end of the line. */
function readFamilyName(line: Line): string {
  const name = line.is('"') ? line.quoted() : line.name(true);
  if (name === "") throw line.unexpected("the name of a metric");
  const mayEnd = line.isAtEnd && line.format === "prometheus";
  if (!mayEnd && !line.is(" ") && !(line.is("\t") && line.format === "prometheus"))
    throw line.unexpected("a space after the name of a metric");
  return name;
}

function typeOf(line: Line, text: string, at: number): MetricMetadata["type"] {
  const type = TYPE_NAMES[line.format].get(text);
  if (type !== undefined) return type;
  const known = [...TYPE_NAMES[line.format].keys()].join(", ");
  throw line.error("ERR_INVALID_BYTE", `${JSON.stringify(text.slice(0, 60))} is not one of the types ${known}`, at);
}

/** All properties are own ones, so that none is read from Object.prototype. */
function metadata({ name, ...content }: MetricMetadata): Entry {
  return { kind: "metadata", metadata: { name, type: undefined, help: undefined, unit: undefined, ...content } };
}
