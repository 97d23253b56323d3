import type { Fill } from "@moonpack/series";
import { type Command, Option } from "commander";
import type { PromqlOptions } from "../../prometheus/query.js";
import { AGGREGATES, aggregatesArgument } from "../../series/aggregates.js";
import type { QueryOptions } from "../../series/query.js";
import { SELECTOR_HELP } from "../../series/selector.js";
import { durationArgument, TIMES_HELP } from "../../series/times.js";
import { windowArgument, zonedTimeArgument } from "../../series/zoned-times.js";
import { countArgument } from "../../shared/count.js";
import { UsageError } from "../../shared/failure.js";
import { driverOption, EXIT_CODES, STORE, withTimes } from "./common.js";

const FILLS: readonly Fill[] = ["none", "null", "previous", "linear"];

/** Adds `moonpack series query`. */
export function addQuery(series: Command): void {
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
        const { queryPoints } = await import("../../series/query.js");
        await queryPoints(path, selectorOf(selector, options), options);
      } else {
        checkPromql(selector, options);
        const { queryPromql } = await import("../../prometheus/query.js");
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
