/** `moonpack series list`: the metrics of a store. */
import pc from "picocolors";
import { Output } from "../shared/output.js";
import { userPath } from "../shared/paths.js";
import { printableJson } from "../shared/printable.js";
import { grouped, renderTable } from "../shared/table.js";
import { type Extent, extentOfMetric } from "./extents.js";
import { metricText } from "./metric-text.js";
import { noMetric } from "./selection.js";
import { parseSelector } from "./selector.js";
import { type DriverName, withSeries } from "./store.js";
import { isoText } from "./times.js";

/** Options of `moonpack series list`, as the command line gives them. */
export interface ListOptions {
  readonly json: boolean;
  readonly limit?: number;
  readonly driver?: DriverName;
}

/** The most rows of a table, which is held in memory. */
const SHOWN_ROWS = 1000;
const COLUMNS = [
  { title: "metric" },
  { title: "type" },
  { title: "points", numeric: true },
  { title: "first" },
  { title: "last" },
];

/** Prints the metrics that a selector selects, or all, each with the number of its points and its first and last time. */
export async function listMetrics(path: string, selector: string | undefined, options: ListOptions): Promise<void> {
  const match = selector === undefined ? {} : parseSelector(selector);
  const { json, driver, limit = json ? Infinity : SHOWN_ROWS } = options;
  await withSeries({ path: userPath(path), driver }, { readOnly: true }, async (series) => {
    const output = Output.open("-");
    const rows: string[][] = [];
    let count = 0;
    for await (const metric of series.metrics(match)) {
      if (++count > limit) continue;
      const { name, tags, type } = metric;
      const extent = await extentOfMetric(series, metric);
      if (json) output.writeJson(`${printableJson(JSON.stringify({ name, tags, type, ...extent }))}\n`);
      else rows.push([metricText(metric), type, ...extentCells(extent)]);
      if (output.isFull) await output.drain();
    }
    if (count === 0 && selector !== undefined) throw await noMetric(series, selector);
    if (!json) {
      output.writeText(count === 0 ? pc.dim("no metrics\n") : `${renderTable(COLUMNS, rows)}\n`);
      if (count > limit)
        output.writeText(pc.dim(`.. ${grouped(count - limit)} more; use --limit N, or --json for all\n`));
    }
    await output.finish();
  });
}

function extentCells({ points, first, last }: Extent): string[] {
  return [grouped(points), ...[first, last].map((time) => (time === undefined ? "" : isoText(time)))];
}
