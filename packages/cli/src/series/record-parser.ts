/** What the parsers of all formats share. */
import type { ImportedMetrics } from "./imported-metrics.js";
import type { PointWriter } from "./point-writer.js";
import type { TimeUnit } from "./times.js";

/** Where a parser puts points, and how it reads values and times. */
export interface ParserOptions {
  readonly metrics: ImportedMetrics;
  readonly writer: PointWriter;
  readonly unit: TimeUnit;
  /** All values are integers. */
  readonly isInt64: boolean;
  /** The time of points without a timestamp, in milliseconds. */
  timestamp(): number;
}

/** Parses the lines of a format. */
export interface LineParser {
  /** Adds the points of a line to the writer. Throws a RecordError. */
  parse(line: string): void;
  /** What was passed over without an error, for the report at the end. */
  readonly ignored: number;
}

/** An object without a prototype: a tag may be called `__proto__`. */
export function emptyTags(): Record<string, string> {
  return Object.create(null);
}
