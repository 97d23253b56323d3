import type { Fill } from "@moonpack/series";
import { type Command, Option } from "commander";
import type { PromqlOptions } from "../prometheus/query.js";
import { AGGREGATES, aggregateArgument, aggregatesArgument } from "../series/aggregates.js";
import type { ChartOptions } from "../series/chart.js";
import { delimiterArgument } from "../series/csv-columns.js";
import type { ExportOptions } from "../series/export.js";
import type { ImportOptions } from "../series/import-options.js";
import type { MigrateOptions } from "../series/migrate.js";
import { EXPORT_FORMATS, POINT_FORMATS } from "../series/point-formats.js";
import type { QueryOptions } from "../series/query.js";
import { SELECTOR_HELP } from "../series/selector.js";
import type { StatsOptions } from "../series/stats.js";
import { DRIVERS } from "../series/store.js";
import { timeFormatArgument } from "../series/time-format.js";
import { timeZoneArgument } from "../series/time-zone.js";
import { durationArgument, TIME_UNITS, TIMES_HELP, timeArgument } from "../series/times.js";
import { windowArgument, zonedTimeArgument } from "../series/zoned-times.js";
import { countArgument } from "../shared/count.js";
import { UsageError } from "../shared/failure.js";

/*
 * The code of a command is loaded when it runs: the engine, its database and the libraries for CSV and charts take longer to
 * load than the rest of the command line.
 */

/** Adds `moonpack series` and its commands to the program. */
export function addSeries(program: Command): void {
  const series = program
    .command("series")
    .description(
      "Works on a store of time series (@moonpack/series): a folder with metrics, which have a name and tags, and their points. " +
        "One process at a time can write to a store; others can read it at the same time.",
    )
    .addHelpText("after", HELP);
  addImport(series);
  addExport(series);
  addQuery(series);
  addChart(series);
  addStats(series);
  addCheck(series);
  addMigrate(series);
}

const HELP = `
Exit codes: 0 done; 1 bad data, a damaged or locked store, or a file that cannot
be read or written; 2 bad usage.

Examples:
  moonpack series import metrics points.ndjson
  moonpack series query metrics 'cpu.load{host="a1"}' --from -1h
  moonpack series chart metrics cpu.load --from -1d
  moonpack series export metrics --out points.csv

moonpack series COMMAND --help lists the options, with examples.
`;

const FILLS: readonly Fill[] = ["none", "null", "previous", "linear"];
const STORE = "the store's folder";
const EXIT_CODES = `Exit codes: 0 done; 1 a damaged or locked store, no metric that matches, or a
file that cannot be read or written; 2 bad usage.`;

function driverOption(description = "driver of the store (default: the one it was created with)"): Option {
  return new Option("--driver <name>", description).choices(DRIVERS);
}

/** Returns the options that choose a part of time. */
function withTimes(command: Command, argument: (option: string) => (text: string) => unknown = timeArgument): Command {
  return command
    .option("--from <time>", "the first time (default: the beginning)", argument("--from"))
    .option("--to <time>", "the time before which to end (default: the end)", argument("--to"));
}

function addImport(series: Command): void {
  series
    .command("import")
    .summary("write points from files or a pipe to a store")
    .description(
      "Imports points of any age from files or a pipe of any size. A missing store is created. A later value for the same metric " +
        "and time replaces the earlier one, so importing the same points twice changes nothing.",
    )
    .argument("<path>", STORE)
    .argument("[files...]", "files to read; - or none: standard input")
    .addOption(new Option("-f, --format <format>", "format; default: from the file name").choices(POINT_FORMATS))
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
      const { importPoints } = await import("../series/import.js");
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
      of its line protocol.
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
  curl -s localhost:9100/metrics |
    moonpack series import metrics --format prometheus
  promtool tsdb dump data | moonpack series import metrics --format tsdb-dump
  moonpack series import metrics old.csv --unit s --tags '*' --skip-invalid
`;

function addExport(series: Command): void {
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
      const { exportPoints } = await import("../series/export.js");
      await exportPoints(path, selector, options);
    });
}

const EXPORT_HELP = `
${SELECTOR_HELP}

${TIMES_HELP}

ndjson writes an int64 as a string, and "NaN", "Infinity" and "-Infinity". csv
has a column for each tag: read it back with --tags '*'. Their timestamps are
milliseconds. line writes nanoseconds, and NaN, Infinity and -Infinity, which
InfluxDB refuses. prometheus, openmetrics and victoriametrics have floats only:
an int64 is written as a float, or refused if a float cannot hold it.
A file whose name ends in .gz is compressed: points.csv.gz.

${EXIT_CODES}

Examples:
  moonpack series export metrics > points.ndjson
  moonpack series export metrics 'cpu.load{host="a1"}' --from -1d --out load.csv
  moonpack series export metrics --format line --from 2026-01-01 --to 2026-02-01
  moonpack series export metrics up --out up.om.gz
  moonpack series export metrics | moonpack series import copy --format ndjson
`;

function addQuery(series: Command): void {
  withTimes(
    series
      .command("query")
      .summary("print points, or aggregates of windows of time")
      .description(
        "Prints the points of each metric that matches, or with --window an aggregate for each window of time. With --promql it " +
          "evaluates a query of Prometheus instead: at --to, or with --from at each step from there to --to.",
      )
      .argument("<path>", STORE)
      .argument("[selector]", "which metrics; not with --promql"),
    zonedTimeArgument,
  )
    .option("-w, --window <duration>", "length of a window: 30s, 1h, 1d, 1mo, 1y", windowArgument)
    .option("-z, --time-zone <name>", "time zone of windows, such as Europe/Berlin")
    .addOption(new Option("--fill <how>", "windows without points (default: none)").choices(FILLS))
    .option("-a, --aggregate <names>", "what to compute for a window, a,b (default: avg)", aggregatesArgument)
    .option("--limit <n>", "most rows of each metric", countArgument("--limit"))
    .option("--reverse", "newest rows first", false)
    .option("--promql <query>", "evaluate a query in PromQL")
    .option("--step <duration>", "PromQL: between two steps (default: 1/60 of the time)", durationArgument("--step"))
    .option("--chart", "PromQL: draw a chart in the terminal", false)
    .option("--json", "print one JSON object per line, for programs", false)
    .addOption(driverOption())
    .addHelpText("after", QUERY_HELP)
    .action(async (path: string, selector: string | undefined, { promql, ...options }: AllQueryOptions) => {
      if (promql === undefined) {
        const { queryPoints } = await import("../series/query.js");
        await queryPoints(path, selectorOf(selector, options), options);
      } else {
        checkPromql(selector, options);
        const { queryPromql } = await import("../prometheus/query.js");
        await queryPromql(path, promql, options);
      }
    });
}

/** The options of both kinds of queries. */
type AllQueryOptions = QueryOptions & PromqlOptions & { readonly promql?: string };

function selectorOf(selector: string | undefined, { step, chart }: AllQueryOptions): string {
  if (step !== undefined || chart) throw new UsageError(`${chart ? "--chart" : "--step"} needs --promql`);
  if (selector === undefined) throw new UsageError("a selector is missing, or --promql with a query");
  return selector;
}

function checkPromql(selector: string | undefined, options: AllQueryOptions): void {
  if (selector !== undefined) throw new UsageError("--promql has selectors in its query: leave out the selector");
  const { window, timeZone, fill, aggregate, limit, reverse } = options;
  const others = {
    "--window": window,
    "--time-zone": timeZone,
    "--fill": fill,
    "--aggregate": aggregate,
    "--limit": limit,
    "--reverse": reverse || undefined,
  };
  for (const [option, value] of Object.entries(others))
    if (value !== undefined) throw new UsageError(`${option} is not for --promql`);
}

const QUERY_HELP = `
${SELECTOR_HELP}

${TIMES_HELP}

Aggregates: ${AGGREGATES}.
Windows start at multiples of their length since 1970, in UTC. With --time-zone
days, weeks (from Monday), months and years follow the calendar, and times
without a zone are local. --fill adds windows without points, with null, the
previous window's values, or values on the line to the next window (linear).
Tables stop after 1,000 rows; --json prints all, with times in milliseconds.

${EXIT_CODES}

Examples:
  moonpack series query metrics cpu.load --from -10m
  moonpack series query metrics 'cpu.load{host=~"a.*"}' --from -1h --window 1m \\
    --aggregate avg,p99
  moonpack series query metrics cpu.load --reverse --limit 1
  moonpack series query metrics cpu.load --window 1d --time-zone Europe/Berlin \\
    --from 2026-03-01 --to 2026-04-01 --fill null
  moonpack series query metrics '{host="a1"}' --json | jq .value
  moonpack series query metrics --promql 'sum by (host) (rate(requests[5m]))'
  moonpack series query metrics --promql 'avg(cpu_load)' --from -1d --chart
`;

function addChart(series: Command): void {
  withTimes(
    series
      .command("chart")
      .summary("draw a chart in the terminal or as SVG")
      .description(
        "Draws up to six metrics in the terminal, or up to eight as an SVG file. Each column shows the aggregate of its time.",
      )
      .argument("<path>", STORE)
      .argument("<selector>", "which metrics"),
  )
    .option("-a, --aggregate <name>", "what a column shows", aggregateArgument, "avg")
    .option("--svg <file>", "write an SVG file, replaced only when complete; - for standard output")
    .addOption(driverOption())
    .addHelpText("after", CHART_HELP)
    .action(async (path: string, selector: string, options: ChartOptions) => {
      const { chartPoints } = await import("../series/chart.js");
      await chartPoints(path, selector, options);
    });
}

const CHART_HELP = `
${SELECTOR_HELP}

${TIMES_HELP}

Aggregates: ${AGGREGATES}.
Times are UTC. Where a metric has no points for a while, its line has a gap.
Without colours each metric has a separate chart.

${EXIT_CODES}

Examples:
  moonpack series chart metrics cpu.load --from -1d
  moonpack series chart metrics '{__name__=~"cpu.*",host="a1"}' --aggregate max
  moonpack series chart metrics cpu.load --from -1w --svg load.svg
`;

function addStats(series: Command): void {
  series
    .command("stats")
    .summary("print figures of a store")
    .description("Prints how many metrics a store has and how much space it takes.")
    .argument("<path>", STORE)
    .option("--check", "also read every page, as moonpack series check does", false)
    .option("--json", "print one JSON object, for programs", false)
    .addOption(driverOption())
    .addHelpText("after", STATS_HELP)
    .action(async (path: string, options: StatsOptions & { readonly check: boolean }) => {
      const { printStats } = await import("../series/stats.js");
      await printStats(path, options);
    });
}

const STATS_HELP = `
Exit codes: 0 done; 1 a damaged or locked store; 2 bad usage.

Examples:
  moonpack series stats metrics
  moonpack series stats metrics --check --json
`;

function addCheck(series: Command): void {
  series
    .command("check")
    .summary("read every page of a store and list damage")
    .description("Reads every page and index entry of a store, and lists those that are damaged, with their keys.")
    .argument("<path>", STORE)
    .option("--json", "print one JSON object per line, for programs", false)
    .addOption(driverOption())
    .addHelpText("after", CHECK_HELP)
    .action(async (path: string, options: StatsOptions) => {
      const { printCheck } = await import("../series/stats.js");
      await printCheck(path, options);
    });
}

const CHECK_HELP = `
Exit codes: 0 everything can be read; 1 damage, or a store that cannot be
opened; 2 bad usage.

Examples:
  moonpack series check metrics
  moonpack series check metrics --json | jq .key
`;

function addMigrate(series: Command): void {
  series
    .command("migrate")
    .summary("copy a store in a database into a store of files")
    .description(
      "Copies a store of RocksDB or LevelDB into a new folder, as a store that owns its files: all metrics with their ids, and all " +
        "points. The old store does not change. At the end both are compared.",
    )
    .argument("<old>", "the old store's folder")
    .argument("<new>", "a folder that does not exist, or the folder of a migration that was interrupted")
    .addOption(driverOption("driver of the old store (default: the one it was created with)"))
    .addHelpText("after", MIGRATE_HELP)
    .action(async (old: string, to: string, options: MigrateOptions) => {
      const { migrateStore } = await import("../series/migrate.js");
      await migrateStore(old, to, options);
    });
}

const MIGRATE_HELP = `
Nothing may write to the old store until the migration ends. Ctrl-C interrupts
it, and the same command continues it. Until it ends the new folder cannot be
opened. A store in a database needs npm install @moonpack/series-kv.

Exit codes: 0 done; 1 a damaged or locked store, or a folder that is not new;
2 bad usage.

Examples:
  moonpack series migrate metrics metrics-new
  moonpack series migrate metrics metrics-new --driver classic-level
`;
