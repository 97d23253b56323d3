/** Writes families as text. */
import {
  choiceOption,
  describe,
  invalidArgument,
  isWellFormed,
  ownOption,
  ownOptions,
  refuseUnknown,
} from "moonpack/bytes";
import { boundText, floatText, secondsText } from "./numbers.js";
import type { MetricExemplar, MetricFamily, MetricSample, TextFormat } from "./types.js";
import { type WrittenFamily, writtenFamilies } from "./written-families.js";

const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Options of {@link writeMetrics}. */
export interface WriteMetricsOptions {
  /** The format. Default `"prometheus"`. */
  readonly format?: TextFormat | undefined;
}

/**
 * Returns families as text. The same families give the same text, which {@link parseMetrics} reads back.
 *
 * Prometheus' own format has no units, exemplars and fractions of milliseconds: they are left out. Types that it does not have are written
 * as others: `info`, `stateset` and `_created` as gauges. OpenMetrics has `_total` at the end of every counter, so it is added.
 *
 * Throws `ERR_INVALID_ARGUMENT` for values of the wrong type, empty names, texts with a lone surrogate, samples that do not belong to their
 * family and units that do not end its name.
 *
 * @example
 * writeMetrics([{ name: "up", type: "gauge", samples: [{ name: "up", labels: { job: "a" }, value: 1 }] }]);
 * // '# TYPE up gauge\nup{job="a"} 1\n'
 */
export function writeMetrics(families: Iterable<MetricFamily>, options?: WriteMetricsOptions): string {
  const given = ownOptions(options);
  refuseUnknown(given, ["format"]);
  const format = choiceOption("format", given.format, ["prometheus", "openmetrics"]);
  if (typeof (families as Iterable<MetricFamily> | null)?.[Symbol.iterator] !== "function")
    throw invalidArgument(`families must be iterable, not ${describe(families)}`);
  let text = "";
  for (const family of families)
    for (const written of writtenFamilies(family, format)) text += familyText(written, format);
  return format === "openmetrics" ? `${text}# EOF\n` : text;
}

function familyText({ name, type, help, unit, samples }: WrittenFamily, format: TextFormat): string {
  const shown = METRIC_NAME.test(name) ? name : quotedText(name);
  let text = "";
  if (help !== undefined) text += `# HELP ${shown} ${escapedText(help, format === "openmetrics")}\n`;
  text += `# TYPE ${shown} ${type}\n`;
  if (unit) text += `# UNIT ${shown} ${unit}\n`;
  for (const [sampleName, sample] of samples) text += sampleText(sampleName, sample, type, format);
  return text;
}

function sampleText(name: string, sample: MetricSample, type: string, format: TextFormat): string {
  const isOpen = format === "openmetrics";
  const bound = !isOpen ? "" : type === "summary" ? "quantile" : type.endsWith("histogram") ? "le" : "";
  const timestamp = ownOption(sample, "timestamp");
  const exemplar = ownOption(sample, "exemplar");
  let text = `${seriesText(name, sample.labels, bound)} ${floatText(numberOf(sample.value, "value"))}`;
  if (timestamp !== undefined) text += ` ${timeText(timestamp, isOpen)}`;
  if (isOpen && exemplar !== undefined) text += exemplarText(exemplar as MetricExemplar);
  return `${text}\n`;
}

function exemplarText(exemplar: MetricExemplar): string {
  const { labels, value, timestamp } = ownOptions(exemplar, "exemplar");
  const text = ` # {${labelsText(labels, "")}} ${floatText(numberOf(value, "value"))}`;
  return timestamp === undefined ? text : `${text} ${timeText(timestamp, true)}`;
}

function timeText(timestamp: unknown, isOpen: boolean): string {
  if (typeof timestamp !== "number" || !(Math.abs(timestamp) <= Number.MAX_SAFE_INTEGER))
    throw invalidArgument("timestamp must be a number of milliseconds");
  return isOpen ? secondsText(timestamp) : String(Math.trunc(timestamp));
}

function seriesText(name: string, labels: MetricSample["labels"], bound: string): string {
  const text = labelsText(labels, bound);
  if (METRIC_NAME.test(name)) return text === "" ? name : `${name}{${text}}`;
  return `{${quotedText(name)}${text === "" ? "" : `,${text}`}}`;
}

/** `bound` is the label whose value is a number, which OpenMetrics writes in one way: `1.0`, not `1`. */
function labelsText(labels: MetricSample["labels"], bound: string): string {
  if (typeof labels !== "object" || labels === null) throw invalidArgument("labels must be an object");
  let text = "";
  for (const [name, value] of Object.entries(labels)) {
    if (name === "") throw invalidArgument("the name of a label is empty");
    if (name === "__name__") throw invalidArgument("the name of a sample is not a label");
    const shown = name === bound ? boundText(value) : value;
    text += `${text === "" ? "" : ","}${LABEL_NAME.test(name) ? name : quotedText(name)}=${quotedText(shown)}`;
  }
  return text;
}

function quotedText(text: string): string {
  return `"${escapedText(text, true)}"`;
}

function escapedText(text: string, hasQuotes: boolean): string {
  if (typeof text !== "string" || !isWellFormed(text))
    throw invalidArgument(`expected a text, not ${typeof text === "string" ? "a lone surrogate" : describe(text)}`);
  if (!/["\\\n]/.test(text)) return text;
  const escaped = text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
  return hasQuotes ? escaped.replaceAll('"', '\\"') : escaped;
}

function numberOf(value: unknown, name: string): number {
  if (typeof value === "number") return value;
  throw invalidArgument(`${name} must be a number, not ${describe(value)}`);
}
