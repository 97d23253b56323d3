/** The formats of Prometheus and of VictoriaMetrics. Their values are floats, so an int64 is read back as a float. */
import { type TextFormat, writeMetrics } from "@moonpack/prometheus/text";
import type { MetricHandle } from "@moonpack/series";
import { MoonpackError } from "moonpack/bytes";
import type { BatchFormatter, PointFormatter } from "./export-formats.js";
import { metricText, NAME_TAG } from "./metric-text.js";
import { floatText } from "./numbers.js";
import { labelName, labelText, STALE_TAG, storedLabel, storedText } from "./stored-text.js";

/** Prometheus' text format, with milliseconds, or OpenMetrics, with seconds. Names that need it are in quotes, as in Prometheus 3. */
export function prometheusFormatter(format: TextFormat): PointFormatter {
  const isOpen = format === "openmetrics";
  return {
    head: "",
    foot: isOpen ? "# EOF\n" : "",
    of(metric) {
      // They have no form in text.
      if (isMarker(metric)) return () => "";
      const { name, labels } = labelsOf(metric);
      const text = writeMetrics([{ name, samples: [{ name, labels, value: 0 }] }]);
      // The lines are the type and `name{labels} 0`.
      const start = text.slice(text.indexOf("\n") + 1, -2);
      return (timestamp, value) => `${start}${sampleValue(metric, value)} ${isOpen ? seconds(timestamp) : timestamp}\n`;
    },
  };
}

/** VictoriaMetrics' JSON lines: each has the points of a batch. */
export function victoriaMetricsFormatter(): BatchFormatter {
  return {
    head: "",
    foot: "",
    batchesOf(metric) {
      if (isMarker(metric)) return () => "";
      const { name, labels } = labelsOf(metric);
      const start = `{"metric":${JSON.stringify({ [NAME_TAG]: name, ...labels })},"values":[`;
      return ({ length, timestamps, values }) => {
        if (length === 0) return "";
        let [texts, times] = ["", ""];
        for (let i = 0; i < length; i++) {
          const comma = i === 0 ? "" : ",";
          texts += comma + jsonValue(metric, values[i]!);
          times += comma + timestamps[i]!;
        }
        return `${start}${texts}],"timestamps":[${times}]}\n`;
      };
    },
  };
}

/** True for a metric that holds the staleness markers of a series. */
function isMarker({ tags }: MetricHandle): boolean {
  return Object.hasOwn(tags, STALE_TAG);
}

/** The name and the labels as they were before import changed what a store does not accept. */
function labelsOf(metric: MetricHandle): { name: string; labels: Record<string, string> } {
  const { name, tags } = metric;
  if (Object.hasOwn(tags, NAME_TAG)) throw cannotHold(metric, `a tag ${NAME_TAG}`);
  const check = (isSame: boolean) => {
    if (!isSame) throw cannotHold(metric, "a character from U+E000 to U+E0FF that import would store in another form");
  };
  const label = (text: string) => {
    const original = labelText(text);
    check(storedText(original) === text);
    return original;
  };
  const labels = Object.entries(tags).map(([tag, value]) => {
    const key = labelName(tag);
    check(storedLabel(key) === tag);
    return [key, label(value)] as const;
  });
  return { name: label(name), labels: Object.fromEntries(labels) };
}

function sampleValue(metric: MetricHandle, value: number | bigint): string {
  const number = floatOf(metric, value);
  if (!Number.isFinite(number)) return Number.isNaN(number) ? "NaN" : number < 0 ? "-Inf" : "+Inf";
  return floatText(number);
}

function jsonValue(metric: MetricHandle, value: number | bigint): string {
  const number = floatOf(metric, value);
  return Number.isFinite(number) ? floatText(number) : Number.isNaN(number) ? "null" : `"${number}"`;
}

function floatOf(metric: MetricHandle, value: number | bigint): number {
  const number = Number(value);
  if (typeof value === "number" || BigInt(number) === value) return number;
  throw cannotHold(metric, `the int64 ${value}, which a float cannot hold exactly`);
}

function cannotHold(metric: MetricHandle, what: string): MoonpackError {
  const text = `Prometheus cannot hold ${metricText(metric)}, which has ${what}; use ndjson or csv`;
  return new MoonpackError("ERR_UNSUPPORTED_TYPE", text);
}

/** Milliseconds as seconds with three digits after the point. */
function seconds(timestamp: number): string {
  const digits = String(timestamp).padStart(4, "0");
  return `${digits.slice(0, -3)}.${digits.slice(-3)}`;
}
