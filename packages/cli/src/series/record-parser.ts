/** The types that the parsers of all formats share. */
import type { ImportedMetrics } from "./imported-metrics.js";
import type { PointWriter } from "./point-writer.js";
import type { EndsInString } from "./string-lines.js";
import type { Timestamps } from "./timestamps.js";

/** The target of a parser's points, and its settings for values and times. */
export interface ParserOptions {
  readonly metrics: ImportedMetrics;
  readonly writer: PointWriter;
  readonly times: Timestamps;
  /** All values are integers. */
  readonly isInt64: boolean;
  /** The time of points without a timestamp, in milliseconds. */
  timestamp(): number;
}

/** Parses the lines of a format. */
export interface LineParser {
  /** Adds the points of a line to the writer. Throws a RecordError. */
  parse(line: string): void;
  /** True if a string is open at the end of a line: the next line belongs to it. Undefined where records are lines. */
  readonly endsInString: EndsInString | undefined;
  /** Values that were skipped without an error, for the final report. */
  readonly strings: number;
  readonly histograms: number;
}

/** The parts of an input that were skipped without an error. */
export interface Skipped {
  /** Strings of line protocol and of annotated CSV. */
  readonly strings?: number;
  /** Exemplars of OpenMetrics. */
  readonly exemplars?: number;
  /** Native histograms of a dump. */
  readonly histograms?: number;
  /** Empty cells of CSV. */
  readonly emptyCells?: number;
  /** Columns of CSV. */
  readonly columns?: Iterable<string>;
}
