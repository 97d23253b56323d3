/** `moonpack series export`: writes points as text. */
import type { Match, Series } from "@moonpack/series";
import { gzipTarget } from "../shared/gzip-target.js";
import { Output } from "../shared/output.js";
import { outputPath, userPath } from "../shared/paths.js";
import { Progress } from "../shared/progress.js";
import { type BatchFormatter, csvFormatter, inBatches, lineFormatter, ndjsonFormatter } from "./export-formats.js";
import {
  EXPORT_FORMATS,
  type ExportFormat,
  isGzipName,
  plainExtension,
  pointFormatOf,
  unknownFormat,
} from "./point-formats.js";
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
    const output = Output.open(out, isGzipName(out) ? gzipTarget : undefined);
    const progress = new Progress("exporting", undefined);
    try {
      const formatter = await formatterOf(format, series, match);
      output.writeText(formatter.head);
      const metrics = await writePoints(series, { ...match, ...range }, formatter, output, progress);
      if (metrics === 0 && selector !== undefined) throw await noMetric(series, selector);
      output.writeText(formatter.foot);
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
  const format = pointFormatOf(out);
  if (format !== undefined && format !== "tsdb-dump") return format;
  if (out === "-" || plainExtension(out) === "") return "ndjson";
  throw unknownFormat(`the format of ${out}`, EXPORT_FORMATS);
}

async function formatterOf(format: ExportFormat, series: Series, match: Match): Promise<BatchFormatter> {
  if (format === "ndjson") return inBatches(ndjsonFormatter());
  if (format === "csv") return inBatches(await csvFormatter(series.metrics(match)));
  if (format === "line") return inBatches(lineFormatter());
  if (format === "annotated-csv") return (await import("./export-annotated-csv.js")).annotatedCsvFormatter();
  const { prometheusFormatter, victoriaMetricsFormatter } = await import("./export-prometheus.js");
  return format === "victoriametrics" ? victoriaMetricsFormatter() : inBatches(prometheusFormatter(format));
}

/** Writes all points, metric by metric. Returns the number of metrics. */
async function writePoints(
  series: Series,
  selection: Match & TimeRange,
  formatter: BatchFormatter,
  output: Output,
  progress: Progress,
): Promise<number> {
  let metrics = 0;
  let written = 0;
  for await (const { metric, points } of series.select(selection)) {
    metrics++;
    const text = formatter.batchesOf(metric);
    for await (const batch of points.batches()) {
      const lines = text(batch);
      output.writeText(lines);
      written += lines.length;
      if (!output.isFull) continue;
      await output.drain();
      // On a terminal, the points themselves show the progress.
      if (!process.stdout.isTTY) progress.update(written);
    }
  }
  return metrics;
}
