import type { FloorBar, LimitBar } from "./bar.js";

function floor(table: string, row: string, column: string, atLeast: number): FloorBar {
  return { kind: "floor", suite: "series", table, row, column, atLeast };
}

function limit(table: string, row: string, column: string, atMost: number): LimitBar {
  return { kind: "limit", suite: "series", table, row, column, atMost };
}

/** Promises of @moonpack/series. */
export const seriesBars: readonly (FloorBar | LimitBar)[] = [
  limit("sizes-minutes", "uniform", "pages", 1.55),
  limit("sizes-minutes", "uniform", "whole", 1.75),
  limit("sizes-hours", "uniform", "whole", 1.4),
  limit("sizes-minutes", "walk", "pages", 0.85),
  limit("sizes-hours", "walk", "pages", 0.58),
  limit("sizes-minutes", "constant", "pages", 0.22),
  limit("sizes-hours", "constant", "pages", 0.02),
  limit("sizes-hours", "decimals", "pages", 2.25),
  limit("sizes-hours", "counters", "pages", 1),
  floor("write", "scrape-batch", "rate", 2_000_000),
  floor("write", "scrape-sync", "rate", 1_800_000),
  floor("write", "rows-handle-batch", "rate", 2_500_000),
  floor("write", "rows-named-batch", "rate", 900_000),
  floor("write", "single-batch", "rate", 300_000),
  floor("reads", "minute-warm", "rate", 120_000),
  floor("reads", "minute-cold", "rate", 20_000),
  floor("reads", "hour-warm", "rate", 20_000),
  floor("scans", "day", "points", 10_000_000),
  floor("scans", "averages", "points", 8_000_000),
  limit("select", "host", "first", 5),
  limit("select", "zone", "first", 160),
  limit("stall", "batch", "longest", 50),
  limit("stall", "sync", "longest", 50),
  limit("stall", "batch", "peak", 512),
  limit("recovery", "batch", "milliseconds", 3000),
  floor("peer-ratios", "best", "batch", 3),
  floor("peer-ratios", "best", "sync", 3),
  limit("peer-ratios", "best", "bytes", 0.35),
  floor("peer-ratios", "best", "minute", 2),
  floor("peer-ratios", "best", "metric", 2),
];
