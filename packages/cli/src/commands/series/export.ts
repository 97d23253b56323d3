import { type Command, Option } from "commander";
import type { ExportOptions } from "../../series/export.js";
import { EXPORT_FORMATS } from "../../series/point-formats.js";
import { SELECTOR_HELP } from "../../series/selector.js";
import { TIMES_HELP } from "../../series/times.js";
import { driverOption, EXIT_CODES, STORE, withTimes } from "./common.js";

/** Adds `moonpack series export`. */
export function addExport(series: Command): void {
  withTimes(
    series
      .command("export")
      .summary("write points of a store as text")
      .description(
        "Exports points as text that import reads back to the same metrics, times and values: metric by metric, by ascending time.",
      )
      .argument("<path>", STORE)
      .argument("[selector]", "which metrics; none: all"),
  )
    .addOption(
      new Option("-f, --format <format>", "format; default: from the file name; ndjson for standard output").choices(
        EXPORT_FORMATS,
      ),
    )
    .option("-o, --out <file>", "file to write, replaced only when complete; - for standard output", "-")
    .addOption(driverOption())
    .addHelpText("after", EXPORT_HELP)
    .action(async (path: string, selector: string | undefined, options: ExportOptions) => {
      const { exportPoints } = await import("../../series/export.js");
      await exportPoints(path, selector, options);
    });
}

const EXPORT_HELP = `
${SELECTOR_HELP}

${TIMES_HELP}

ndjson writes an int64 as a string, and "NaN", "Infinity" and "-Infinity". csv
has a column for each tag: read it back with --tags '*'. Their timestamps are
milliseconds. line writes nanoseconds, and NaN, Infinity and -Infinity, which
InfluxDB refuses. annotated-csv is InfluxDB's. prometheus, openmetrics and
victoriametrics have floats only: an int64 is written as a float, or refused if
a float cannot hold it.
A file whose name ends in .gz is compressed: points.csv.gz.

${EXIT_CODES}

Examples:
  moonpack series export metrics > points.ndjson
  moonpack series export metrics 'cpu.load{host="a1"}' --from -1d --out load.csv
  moonpack series export metrics --format line --from 2026-01-01 --to 2026-02-01
  moonpack series export metrics up --out up.om.gz
  moonpack series export metrics | moonpack series import copy --format ndjson
`;
