/** Reads texts as `moonpack series import` does, without a store. */
import type { Metric, MetricHandle, NewPoint } from "@moonpack/series";
import { MoonpackError } from "moonpack/bytes";
import type { CsvMapping } from "../src/series/csv-header.js";
import { readRecords } from "../src/series/import-formats.js";
import { ImportedMetrics } from "../src/series/imported-metrics.js";
import { Interruption } from "../src/series/interruption.js";
import { metricText } from "../src/series/metric-text.js";
import type { PointFormat } from "../src/series/point-formats.js";
import { PointWriter } from "../src/series/point-writer.js";
import type { RecordError } from "../src/series/record-error.js";
import type { Skipped } from "../src/series/record-parser.js";
import type { TextTime } from "../src/series/text-time.js";
import type { TimeUnit } from "../src/series/times.js";
import { windowOf } from "./in-process.js";

/** How a text is read. */
export interface Reading extends Partial<CsvMapping> {
  readonly format: PointFormat;
  readonly unit?: TimeUnit;
  /** The user has named no unit: it is a guess. */
  readonly guessesUnit?: boolean;
  readonly isInt64?: boolean;
  readonly textTime?: TextTime;
  /** Bytes that arrive at once. */
  readonly chunk?: number;
  /** Points of a batch. */
  readonly batch?: number;
}

/** The result of a read: points as `metric time value`, and errors as `line[:column] CODE text`. */
export interface ReadPoints {
  readonly points: readonly string[];
  readonly errors: readonly string[];
  readonly ignored: Skipped;
  readonly written: readonly NewPoint[];
}

/** The time of points without a timestamp. */
export const NOW = 1_000_000;

/** Metrics by their texts. A name of more than 255 characters is refused, as a store does. */
export class FakeStore {
  readonly handles = new Map<string, MetricHandle>();
  readonly written: NewPoint[] = [];
  writes = 0;

  async metric({ name, tags = {}, type }: Metric): Promise<MetricHandle> {
    if (name.length > 255) throw new MoonpackError("ERR_INVALID_METRIC", "the name is longer than 255 bytes");
    const key = metricText({ name, tags });
    const known = this.handles.get(key);
    if (known !== undefined && type !== undefined && known.type !== type)
      throw new MoonpackError("ERR_SERIES_TYPE", `the metric is ${known.type}`);
    const handle = known ?? { id: this.handles.size, name, tags, type: type ?? "float" };
    this.handles.set(key, handle);
    return handle;
  }

  async write(points: Iterable<NewPoint>): Promise<{ accepted: number; late: number; refused: number }> {
    this.writes++;
    const list = [...points];
    this.written.push(...list);
    return { accepted: list.length, late: 0, refused: 0 };
  }
}

/** Reads a text, passing over what is invalid. */
export async function readPoints(text: string | Uint8Array, reading: Reading): Promise<ReadPoints> {
  const {
    format,
    unit = format === "line" ? "ns" : "ms",
    isInt64 = false,
    tags,
    name,
    timeColumn,
    valueColumns,
  } = reading;
  const store = new FakeStore();
  const metrics = new ImportedMetrics(store, isInt64);
  const writer = new PointWriter(store, metrics, reading.batch);
  const errors: string[] = [];
  const refuse = (error: RecordError, line: number) =>
    void errors.push(`${line}${error.column === undefined ? "" : `:${error.column}`} ${error.code} ${error.message}`);
  const window = windowOf(Buffer.from(text as string), reading.chunk ?? Infinity, true);
  const options = {
    metrics,
    writer,
    unit: reading.guessesUnit ? undefined : unit,
    textTime: reading.textTime,
    csv: { tags, name, timeColumn, valueColumns, empty: reading.empty ?? [], delimiter: reading.delimiter },
    isInt64,
    timestamp: () => NOW,
  };
  class Failed extends Error {}
  const fail = (error: RecordError, line: number): never => {
    refuse(error, line);
    throw new Failed();
  };
  const watcher = { interruption: new Interruption(), skips: true, arrived() {}, refuse, fail };
  let ignored: Skipped = {};
  try {
    ignored = await readRecords(format, window, options, watcher);
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
  }
  await writer.settle();
  const points = store.written.map(({ metric, timestamp, value }) => {
    const text = Object.is(value, -0) ? "-0" : String(value);
    const { type } = metric as MetricHandle;
    return `${metricText(metric)} ${timestamp} ${text}${type === "int64" ? "i" : ""}`;
  });
  return { points, errors, ignored, written: store.written };
}
