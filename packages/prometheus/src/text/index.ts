/**
 * The text formats of metrics: Prometheus' own, version 0.0.4, and OpenMetrics 1.0.0.
 *
 * @module
 */
export { MoonpackError } from "moonpack/bytes";
export { PrometheusError, type QueryPlace } from "../errors.js";
export { CONTENT_TYPES, chooseFormat, formatOfContentType } from "./content-type.js";
export { type ParsedMetrics, type ParseMetricsOptions, parseMetrics } from "./families.js";
export { type MetricsParser, type MetricsParserOptions, metricsParser } from "./parser.js";
export type {
  MetricExemplar,
  MetricFamily,
  MetricMetadata,
  MetricSample,
  MetricsCounts,
  MetricType,
  TextFormat,
} from "./types.js";
export { type WriteMetricsOptions, writeMetrics } from "./write.js";
