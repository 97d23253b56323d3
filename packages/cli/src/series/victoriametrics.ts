/**
 * VictoriaMetrics' JSON lines, as `/api/v1/export` writes them: a line has many points of one metric,
 * `{"metric":{"__name__":"up","job":"a"},"values":[1,0],"timestamps":[1769860800000,1769860815000]}`. `null` is NaN.
 */
import { recordOf } from "moonpack/bytes";
import { checkedTags, isObject, type Members, member, membersOf, quotesIn, wrongMember } from "./json-lines.js";
import { NAME_TAG } from "./metric-text.js";
import { floatOf, int64Of, isSpecial } from "./numbers.js";
import { RecordError } from "./record-error.js";
import type { LineParser, ParserOptions } from "./record-parser.js";

const FORM = '{"metric": {..}, "values": [..], "timestamps": [..]}';
const KEYS = new Set(["metric", "values", "timestamps"]);

/** Parses lines of VictoriaMetrics. */
export class VictoriaMetricsParser implements LineParser {
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
    const [metric, values, timestamps] = [...KEYS].map((key) => member(members, key));
    if (!isObject(metric)) throw wrongMember("metric", metric, "an object of strings", FORM);
    if (!Array.isArray(values)) throw wrongMember("values", values, "an array", FORM);
    if (!Array.isArray(timestamps)) throw wrongMember("timestamps", timestamps, "an array", FORM);
    if (values.length !== timestamps.length)
      throw new RecordError("ERR_TRUNCATED", `there are ${values.length} values and ${timestamps.length} timestamps`);
    const { metrics, writer, times, isInt64 } = this.#options;
    const key = JSON.stringify(metric);
    const known = metrics.find(key);
    const labels = known === undefined ? checkedTags(metric, "label", FORM) : metric;
    const strings = [...values, ...timestamps].filter((item) => typeof item === "string").length;
    if (quotesIn(line) !== 2 * (KEYS.size + 2 * Object.keys(labels).length + strings))
      throw new RecordError("ERR_DUPLICATE_KEY", "a member or a label occurs twice");
    const found = known ?? metrics.add(key, metricOf(labels));
    for (const [i, value] of values.entries()) {
      const time: unknown = timestamps[i];
      if (typeof time !== "number") throw wrongMember(`timestamps[${i}]`, time, "a number", FORM);
      writer.add(found, times.ofNumber(time), numberOf(value, i, isInt64), isInt64);
    }
  }
}

function metricOf(labels: Members): { name: string; tags: Record<string, string> } {
  const tags = new Map(Object.entries(labels) as [string, string][]);
  const name = tags.get(NAME_TAG);
  if (name === undefined) throw new RecordError("ERR_INVALID_METRIC", `the labels have no ${NAME_TAG}`);
  tags.delete(NAME_TAG);
  return { name, tags: recordOf(tags) };
}

function numberOf(value: unknown, index: number, isInt64: boolean): number | bigint {
  if (isInt64) {
    if (typeof value === "number" && !Number.isSafeInteger(value))
      throw new RecordError("ERR_OUT_OF_RANGE", `values[${index}], ${value}, is not an integer up to 2^53`);
    return int64Of(String(value));
  }
  if (value === null) return NaN;
  // JSON has no infinity: it comes from a number such as 1e999.
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value === "string" && isSpecial(value)) return floatOf(value);
  throw wrongMember(`values[${index}]`, value, "a finite number, null, or Infinity in quotes", FORM);
}
