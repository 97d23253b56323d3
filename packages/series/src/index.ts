/** `@moonpack/series`: time series in a Node process, on an embedded database. */
export type * from "./api.js";
export { type Place, SERIES_ERROR_CODES, SeriesError } from "./errors.js";
export type { Metric, MetricHandle, MetricType } from "./metric/metric.js";
export { openSeries } from "./open.js";
export { type Repaired, repair } from "./repair/repair.js";
