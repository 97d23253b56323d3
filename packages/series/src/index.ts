/** `@moonpack/series`: time series in a Node process. */
export type * from "./api.js";
export type { SeriesDriver } from "./drivers/driver.js";
export { type FilesDriver, files, memory } from "./drivers/files.js";
export { type Place, SERIES_ERROR_CODES, SeriesError } from "./errors.js";
export type { Metric, MetricHandle, MetricType } from "./metric/metric.js";
export { type Migrated, type MigrationOptions, type MigrationProgress, migrate } from "./migrate/migrate.js";
export { openSeries } from "./open.js";
export { type Repaired, repair } from "./repair/repair.js";
