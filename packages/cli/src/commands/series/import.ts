import { type Command, Option } from "commander";
import { delimiterArgument } from "../../series/csv-columns.js";
import type { ImportOptions } from "../../series/import-options.js";
import { POINT_FORMATS } from "../../series/point-formats.js";
import { timeFormatArgument } from "../../series/time-format.js";
import { timeZoneArgument } from "../../series/time-zone.js";
import { durationArgument, TIME_UNITS, timeArgument } from "../../series/times.js";
import { driverOption, STORE } from "./common.js";

/** Adds `moonpack series import`. */
export function addImport(series: Command): void {
  series
    .command("import")
    .summary("write points from files or a pipe to a store")
    .description(
      "Imports points of any age from files or a pipe of any size. A missing store is created. A later value for the same metric " +
        "and time replaces the earlier one, so importing the same points twice changes nothing.",
    )
    .argument("<path>", STORE)
    .argument("[files...]", "files to read; - or none: standard input")
    .addOption(
      new Option("-f, --format <format>", "format; default: from the file name, or a pipe's first lines").choices(
        POINT_FORMATS,
      ),
    )
    .option("--tags <names>", "CSV: the columns that are tags, a,b; '*' for all others")
    .option("--name <name>", "CSV: the name of the metrics, for files without such a column")
    .option("--time-column <title>", "CSV: the column of timestamps")
    .option("--value-columns <titles>", "CSV: the columns that are metrics, a,b; '*' for all others")
    .option("--delimiter <character>", "CSV: what is between cells (default: a comma); tab", delimiterArgument)
    .option("--empty <texts>", "CSV: texts of cells without a value, NA,null")
    .addOption(new Option("--unit <unit>", "unit of timestamps (default: ns for line, else ms)").choices(TIME_UNITS))
    .option(
      "--time-format <format>",
      "form of timestamps in csv and ndjson: %d.%m.%Y %H:%M",
      timeFormatArgument("--time-format"),
    )
    .option("--time-zone <zone>", "zone of texts without one (default: UTC)", timeZoneArgument("--time-zone"))
    .option("--int64", "all values are 64-bit integers, kept exactly", false)
    .option("--timestamp <time>", "time of points without one (default: now)", timeArgument("--timestamp"))
    .option("--skip-invalid", "report invalid lines and continue, instead of stopping at the first", false)
    .option(
      "--max-ahead <duration>",
      "refuse points this far ahead of now (default: 1d)",
      durationArgument("--max-ahead"),
    )
    .addOption(driverOption("driver of a new store (default: files)"))
    .addHelpText("after", IMPORT_HELP)
    .action(async (path: string, files: string[], options: ImportOptions) => {
      const { importPoints } = await import("../../series/import.js");
      await importPoints(path, files, options);
    });
}

const IMPORT_HELP = `
Formats, and their file extensions:
  ndjson (.ndjson .jsonl)
      {"name": "cpu.load", "tags": {"host": "a1"}, "timestamp": .., "value": ..}
      A value in quotes is an int64, or "NaN", "Infinity", "-Infinity".
  csv (.csv)
      A header with the columns name (or metric), timestamp (or time), value,
      and tags; a column type may say float or int64; tag:x is the tag x.
      --value-columns a,b: each is a metric, NAME.a and NAME.b, or a and b
      without a name; empty cells are skipped and counted.
      InfluxDB's annotated CSV (#group, #datatype, #default) gives the metrics
      of its line protocol. annotated-csv reads nothing else.
  line (.lp .line): InfluxDB's line protocol
      A field is the metric measurement.field. 8i and 8u are int64, true and
      false are 1 and 0, strings are skipped and counted. A tag __name__ is the
      whole name instead.
  prometheus (.prom), openmetrics (.om): the text format 0.0.4, OpenMetrics 1.0
      Buckets and quantiles are metrics with the tags le and quantile. Exemplars
      are skipped and counted. prometheus also reads OpenMetrics, if the first
      64 KB show it. Times of OpenMetrics are seconds.
  victoriametrics: the JSON lines of /api/v1/export
  tsdb-dump: what promtool tsdb dump prints; native histograms are skipped and
      counted. What promtool tsdb dump-openmetrics prints is openmetrics.

A file compressed by gzip is read in any format: points.csv.gz.
A timestamp is a number in --unit, or ISO 8601. Times are truncated to
milliseconds. If all times would be in 1970, the import asks for --unit.
--time-format has the letters of strftime: %Y %y %m %b %d %e %H %I %p %M %S %f
%z %s %a %F %T.
--time-zone is a name such as Europe/Berlin, or an offset such as +02.
At an invalid line the import stops; the lines before it are imported.
Ctrl-C ends the import; points that are in the store stay.

Exit codes: 0 done; 1 an invalid line, points too far ahead of the clock, a
damaged or locked store, or a file that cannot be read; 2 bad usage.

Examples:
  moonpack series import metrics a.csv b.csv --tags host,dc
  moonpack series import metrics weather.csv --name weather --tags city \\
    --time-column date --value-columns temperature,wind --empty NA
  moonpack series import metrics log.csv.gz --value-columns '*' \\
    --time-format '%d.%m.%Y %H:%M' --time-zone Europe/Berlin
  telegraf --test | moonpack series import metrics --format line
  curl -s localhost:9100/metrics | moonpack series import metrics
  promtool tsdb dump data | moonpack series import metrics
  moonpack series import metrics old.csv --unit s --tags '*' --skip-invalid
`;
