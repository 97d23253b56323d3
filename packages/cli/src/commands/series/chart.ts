import type { Command } from "commander";
import { AGGREGATES, aggregateArgument } from "../../series/aggregates.js";
import type { ChartOptions } from "../../series/chart.js";
import { SELECTOR_HELP } from "../../series/selector.js";
import { TIMES_HELP } from "../../series/times.js";
import { driverOption, EXIT_CODES, STORE, withTimes } from "./common.js";

/** Adds `moonpack series chart`. */
export function addChart(series: Command): void {
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
      const { chartPoints } = await import("../../series/chart.js");
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
