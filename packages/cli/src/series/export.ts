/** `moonpack series export`: writes points as text. */
import { extname } from "node:path";
import type { Match, Series } from "@moonpack/series";
import { UsageError } from "../shared/failure.js";
import { Output } from "../shared/output.js";
import { outputPath, userPath } from "../shared/paths.js";
import { Progress } from "../shared/progress.js";
import {
  csvFormatter,
  EXPORT_FORMATS,
  type ExportFormat,
  lineFormatter,
  ndjsonFormatter,
  type PointFormatter,
} from "./export-formats.js";
import { extensionsOf, pointFormatOf } from "./import-formats.js";
import { noMetric, rangeOf, type TimeRange } from "./selection.js";
import { parseSelector } from "./selector.js";
import { type DriverName, withSeries } from "./store.js";

/** Options of `moonpack series export`, as the command line gives them. */
export interface ExportOptions extends TimeRange {
  readonly format?: ExportFormat;
  readonly out: string;
  readonly driver?: DriverName;
}

/** Exports the points of the metrics that match a selector. Without a selector, exports all metrics. */
export async function exportPoints(path: string, selector: string | undefined, options: ExportOptions): Promise<void> {
  const match = selector === undefined ? {} : parseSelector(selector);
  const range = rangeOf(options);
  const out = outputPath(options.out);
  const format = options.format ?? formatOfOutput(out);
  await withSeries({ path: userPath(path), driver: options.driver }, { readOnly: true }, async (series) => {
    const output = Output.open(out);
    const progress = new Progress("exporting", undefined);
    try {
      const formatter = await formatterOf(format, series, match);
      output.writeText(formatter.head);
      const metrics = await writePoints(series, { ...match, ...range }, formatter, output, progress);
      if (metrics === 0 && selector !== undefined) throw await noMetric(series, selector);
      await output.finish();
    } catch (error) {
      output.discard();
      throw error;
    } finally {
      progress.stop();
    }
  });
}

/** Returns the format of the file's extension; NDJSON for names without one. */
function formatOfOutput(out: string): ExportFormat {
  const named = pointFormatOf(out);
  const format = EXPORT_FORMATS.find((format) => format === named);
  if (format !== undefined) return format;
  if (out === "-" || extname(out) === "") return "ndjson";
  const [known, choices] = [extensionsOf(EXPORT_FORMATS), EXPORT_FORMATS.join(", ")];
  const what = named === undefined ? `the format of ${out} is unknown` : `${named} can only be imported`;
  throw new UsageError(`${what} (known extensions: ${known}): add --format ${choices}`);
}

async function formatterOf(format: ExportFormat, series: Series, match: Match): Promise<PointFormatter> {
  if (format === "ndjson") return ndjsonFormatter();
  return format === "csv" ? csvFormatter(series.metrics(match)) : lineFormatter();
}

/** Writes all points, metric by metric. Returns the number of metrics. */
async function writePoints(
  series: Series,
  selection: Match & TimeRange,
  formatter: PointFormatter,
  output: Output,
  progress: Progress,
): Promise<number> {
  let metrics = 0;
  let written = 0;
  for await (const { metric, points } of series.select(selection)) {
    metrics++;
    const text = formatter.of(metric);
    for await (const { length, timestamps, values } of points.batches()) {
      for (let i = 0; i < length; i++) {
        const line = text(timestamps[i]!, values[i]!);
        output.writeText(line);
        written += line.length;
      }
      if (!output.isFull) continue;
      await output.drain();
      // On a terminal, the points themselves show the progress.
      if (!process.stdout.isTTY) progress.update(written);
    }
  }
  return metrics;
}
