// Checks for the texts of points that the command line imports: line protocol and the formats of Prometheus' world. A text is
// points and errors of records, whatever is in it. No point comes from within a string, and points that are exported read back equal.
import { lineFormatter, ndjsonFormatter } from "../../../packages/cli/build/series/export-formats.js";
import { LineProtocolParser } from "../../../packages/cli/build/series/line-protocol.js";
import { NdjsonParser } from "../../../packages/cli/build/series/ndjson.js";
import { PrometheusReader } from "../../../packages/cli/build/series/prometheus-text.js";
import { RecordError } from "../../../packages/cli/build/series/record-error.js";
import { StringLines } from "../../../packages/cli/build/series/string-lines.js";
import { Timestamps } from "../../../packages/cli/build/series/timestamps.js";
import { TsdbDumpParser } from "../../../packages/cli/build/series/tsdb-dump.js";
import { VictoriaMetricsParser } from "../../../packages/cli/build/series/victoriametrics.js";
import { CanonicalForms } from "../../../packages/series/build/metric/canonical.js";
import { same } from "./outcome.mjs";

/** The time of points without one. */
const NOW = 1_769_860_800_000;

/** Returns the options of a parser, whose points go to a list with the lines of their records. */
function optionsFor(points, lineOf, unit) {
  return {
    metrics: { find: () => undefined, add: (_, metric) => metric },
    writer: {
      startRecord: () => {},
      add: (metric, time, value, isInt64) => points.push({ metric, time, value, isInt64, first: lineOf() }),
    },
    times: new Timestamps(unit, true),
    isInt64: false,
    timestamp: () => NOW,
  };
}

/** Reads the records of a text, each by `parse(record, line)`. Returns the points, with the lines of their records, and the errors. */
function read(Parser, unit, text) {
  const points = [];
  const errors = [];
  let first = 0;
  const parser = new Parser(optionsFor(points, () => first, unit));
  const parse = (record, line) => {
    const before = points.length;
    first = line;
    try {
      parser.parse(record);
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      points.length = before;
      const { column } = error;
      if (column !== undefined && !(column >= 1 && column <= record.length + 1))
        throw new Error(`column ${column} of ${record.length}`, { cause: error });
      errors.push({ first, code: error.code });
    }
  };
  const strings = parser.endsInString && new StringLines(parser.endsInString);
  const records = (list) => {
    for (const record of list) parse(record.line, record.first);
  };
  text.split("\n").forEach((line, i) => {
    const joined = strings?.add(line, i);
    if (joined === undefined) parse(line, i);
    else records(joined);
  });
  records(strings?.end() ?? []);
  return { points, errors, strings: parser.strings ?? 0, exemplars: 0 };
}

/** Reads Prometheus' text in pieces that end at `cuts`. */
function readPrometheus(format, bytes, cuts) {
  const points = [];
  const errors = [];
  let line = 0;
  const options = optionsFor(points, () => line, "ms");
  options.writer.startRecord = (number) => {
    line = number;
  };
  const refuse = ({ code, column }, first) => errors.push({ first, code, column });
  const reader = new PrometheusReader(format, options, refuse);
  for (const [i, cut] of [...cuts, bytes.length].entries()) reader.read(bytes.slice(cuts[i - 1] ?? 0, cut));
  reader.end();
  return { points, errors, strings: 0, exemplars: reader.exemplars };
}

/** A point that is exported is read back. Line protocol refuses a metric that it cannot hold. */
function checkExport(point) {
  const type = point.isInt64 ? "int64" : "float";
  const handle = { id: 0, type, ...point.metric, tags: withoutEmpty(point.metric.tags) };
  if (!isMetric(handle)) return;
  const value = point.isInt64 ? BigInt(point.value) : point.value;
  const expected = [{ name: handle.name, tags: handle.tags, time: point.time, value }];
  for (const [format, Parser, unit] of [
    [lineFormatter(), LineProtocolParser, "ns"],
    [ndjsonFormatter(), NdjsonParser, "ms"],
  ]) {
    let text;
    try {
      text = format.of(handle)(point.time, value);
    } catch (error) {
      if (error.code === "ERR_UNSUPPORTED_TYPE") continue;
      throw error;
    }
    const again = read(Parser, unit, text.slice(0, -1));
    const found = again.points.map(({ metric, time, value, isInt64 }) => ({
      name: metric.name,
      tags: { ...metric.tags },
      time,
      value: isInt64 ? BigInt(value) : value,
    }));
    same(found, expected, `export of ${JSON.stringify(text)}`);
  }
}

const forms = new CanonicalForms();

/** False for what a store refuses: control characters, for example, and an empty name. */
function isMetric(metric) {
  try {
    forms.of(metric);
    return true;
  } catch (error) {
    if (error.code !== "ERR_INVALID_METRIC") throw error;
    return false;
  }
}

function withoutEmpty(tags = {}) {
  return Object.fromEntries(Object.entries(tags).filter(([, value]) => value !== ""));
}

/**
 * The lines of line protocol that begin a record, by InfluxDB's rule: behind the first blank, a quote after = opens a string, which ends at
 * a quote without a backslash. A string that is never closed is none.
 */
function startsOf(text) {
  const lines = text.split("\n");
  const starts = new Set();
  for (let i = 0; i < lines.length; i++) {
    starts.add(i);
    const end = endOfRecord(lines, i);
    if (end !== undefined) i = end;
  }
  return starts;
}

/** The line at which the record of a line ends; undefined if a string of it is never closed. */
function endOfRecord(lines, from) {
  if (/^ *(#|$)/.test(lines[from])) return from;
  let state = "source";
  for (let i = from; i < lines.length; i++) {
    const line = i === from ? lines[i].replace(/^ +/, "") : lines[i];
    let before = "";
    for (let at = 0; at < line.length; at++) {
      const character = line[at];
      if (state === "string") {
        if (character === "\\") at++;
        else if (character === '"') state = "fields";
        before = "";
        continue;
      }
      const isEscaped = character === "\\" && ",= ".includes(line[at + 1] ?? "-");
      if (state === "blanks" && character !== " ") state = "fields";
      if (isEscaped) at++;
      else if (state === "source" && character === " ") state = "blanks";
      else if (state === "fields" && character === " ") return i;
      if (!isEscaped && state === "fields" && character === '"' && before === "=") state = "string";
      before = isEscaped ? "" : character;
    }
    if (state !== "string") return i;
  }
  return undefined;
}

function checkLine() {
  return (bytes) => {
    const text = Buffer.from(bytes).toString("utf8");
    const result = read(LineProtocolParser, "ns", text);
    const starts = startsOf(text);
    for (const { first } of [...result.points, ...result.errors])
      if (!starts.has(first)) throw new Error(`line ${first + 1} is within a string`);
    result.points.forEach(checkExport);
    return kindOf(result);
  };
}

function checkPrometheus() {
  return (bytes) => {
    const lines = Buffer.from(bytes).toString("utf8").split("\n");
    const results = ["prometheus", "openmetrics"].map((format) => {
      const result = readPrometheus(format, bytes, []);
      const taken = new Set();
      for (const { first, column } of [...result.points, ...result.errors]) {
        if (taken.has(first)) throw new Error(`line ${first} is two points`);
        taken.add(first);
        if (column !== undefined && !(column >= 1 && column <= (lines[first - 1]?.length ?? 0) + 1))
          throw new Error(`column ${column} of line ${first}`);
      }
      lines.forEach((line, i) => {
        const isSample = !/^[ \t]*(#|\r?$)/.test(line);
        if (isSample && !taken.has(i + 1)) throw new Error(`line ${i + 1} is lost`);
      });
      const half = bytes.length >> 1;
      same(readPrometheus(format, bytes, [half >> 1, half]), result, "in pieces");
      result.points.forEach(checkExport);
      return result;
    });
    return results.map(kindOf).join(" ");
  };
}

/** The kinds of errors, and roughly how many of each thing there are. */
function kindOf({ points, errors, strings, exemplars }) {
  const codes = [...new Set(errors.map(({ code }) => code))].sort();
  const types = new Set(points.map(({ value }) => typeof value)).size;
  return `${codes} ${[points.length, errors.length, strings, exemplars].map((n) => Math.min(n, 4))} ${types}`;
}

/** Checks a format whose records are lines. */
function checkLines(Parser) {
  return () => (bytes) => {
    const text = Buffer.from(bytes).toString("utf8");
    const result = read(Parser, "ms", text);
    const lines = text
      .split("\n")
      .map((line, i) => read(Parser, "ms", line).points.map((point) => ({ ...point, first: i })));
    same(result.points, lines.flat(), "each line alone");
    result.points.forEach(checkExport);
    return kindOf(result);
  };
}

export const checks = {
  "series-line": checkLine,
  "series-prometheus": checkPrometheus,
  "series-dump": checkLines(TsdbDumpParser),
  "series-victoriametrics": checkLines(VictoriaMetricsParser),
};
