/** Metrics as the text formats have them: families of samples, with a type, a help text and a unit. */

/** The text formats: Prometheus' own, version 0.0.4, and OpenMetrics 1.0.0. */
export type TextFormat = "prometheus" | "openmetrics";

/** The types of metric families. `unknown` is written as `untyped` in Prometheus' own format. */
export type MetricType =
  | "unknown"
  | "counter"
  | "gauge"
  | "histogram"
  | "gaugehistogram"
  | "summary"
  | "info"
  | "stateset";

/** One measurement that a counter or a bucket of a histogram refers to, such as the id of a trace. OpenMetrics only. */
export interface MetricExemplar {
  /** Its labels. */
  readonly labels: { readonly [name: string]: string };
  /** The value that was measured. */
  readonly value: number;
  /** Milliseconds since 1970, perhaps with a fraction. Undefined: the text has none. */
  readonly timestamp?: number | undefined;
}

/** One value of one series. */
export interface MetricSample {
  /** The whole name: `http_request_seconds_bucket`, where the family is `http_request_seconds`. */
  readonly name: string;
  /** The labels, in the order of the text, without the name. */
  readonly labels: { readonly [name: string]: string };
  /** The value. A text cannot tell a staleness marker from NaN. */
  readonly value: number;
  /** Milliseconds since 1970. OpenMetrics has seconds, so there may be a fraction. Undefined: the text has none. */
  readonly timestamp?: number | undefined;
  /** The exemplar of the sample. */
  readonly exemplar?: MetricExemplar | undefined;
}

/** The content of one line of metadata: `name` and one of the others. */
export interface MetricMetadata {
  /** The name of the family. */
  readonly name: string;
  /** The type, of a line TYPE. */
  readonly type?: MetricType | undefined;
  /** The description, of a line HELP. */
  readonly help?: string | undefined;
  /** The unit, of a line UNIT. */
  readonly unit?: string | undefined;
}

/** A family: all samples of one metric. */
export interface MetricFamily {
  /** The name. In OpenMetrics, the name of a counter has no `_total`, and the name of an info has no `_info`. */
  readonly name: string;
  /** The type. Default `unknown`. */
  readonly type?: MetricType | undefined;
  /** The description. */
  readonly help?: string | undefined;
  /** The unit, the last part of the name: `seconds`. OpenMetrics only. */
  readonly unit?: string | undefined;
  /** The samples, in the order of the text. */
  readonly samples: readonly MetricSample[];
}

/** The number of samples and others in a text. */
export interface MetricsCounts {
  /** Samples that were read. */
  readonly samples: number;
  /** Samples with an exemplar. */
  readonly exemplars: number;
  /** Lines of comments, which are not kept. */
  readonly comments: number;
  /** Lines that were not read, each with a call of `onError`. */
  readonly errors: number;
}

/** The types that a line TYPE may have in each format. */
export const TYPE_NAMES: Readonly<Record<TextFormat, ReadonlyMap<string, MetricType>>> = {
  prometheus: /* @__PURE__ */ new Map<string, MetricType>([
    ["counter", "counter"],
    ["gauge", "gauge"],
    ["histogram", "histogram"],
    ["summary", "summary"],
    ["untyped", "unknown"],
  ]),
  openmetrics: /* @__PURE__ */ new Map<string, MetricType>([
    ["counter", "counter"],
    ["gauge", "gauge"],
    ["histogram", "histogram"],
    ["gaugehistogram", "gaugehistogram"],
    ["summary", "summary"],
    ["info", "info"],
    ["stateset", "stateset"],
    ["unknown", "unknown"],
  ]),
};

/** The endings that the names of samples add to the name of their family, by its type. */
export const SUFFIXES: ReadonlyMap<MetricType, readonly string[]> = /* @__PURE__ */ new Map<
  MetricType,
  readonly string[]
>([
  ["unknown", [""]],
  ["counter", ["_total", "", "_created"]],
  ["gauge", [""]],
  ["histogram", ["_bucket", "_sum", "_count", "_created"]],
  ["gaugehistogram", ["_bucket", "_gsum", "_gcount"]],
  ["summary", ["", "_sum", "_count", "_created"]],
  ["info", ["_info"]],
  ["stateset", [""]],
]);
