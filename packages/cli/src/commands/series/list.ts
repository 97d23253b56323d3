import type { Command } from "commander";
import type { ListOptions } from "../../series/list.js";
import { SELECTOR_HELP } from "../../series/selector.js";
import { countArgument } from "../../shared/count.js";
import { driverOption, EXIT_CODES, STORE } from "./common.js";

/** Adds `moonpack series list`. */
export function addList(series: Command): void {
  series
    .command("list")
    .summary("list the metrics of a store")
    .description("Lists metrics, each with its type, the number of its points, and their first and last time.")
    .argument("<path>", STORE)
    .argument("[selector]", "which metrics; none: all")
    .option("--limit <n>", "most metrics (default: no limit; in a table 1,000)", countArgument("--limit"))
    .option("--json", "print one JSON object per line, for programs", false)
    .addOption(driverOption())
    .addHelpText("after", LIST_HELP)
    .action(async (path: string, selector: string | undefined, options: ListOptions) => {
      const { listMetrics } = await import("../../series/list.js");
      await listMetrics(path, selector, options);
    });
}

const LIST_HELP = `
${SELECTOR_HELP}

Times are UTC; with --json they are milliseconds.

${EXIT_CODES}

Examples:
  moonpack series list metrics
  moonpack series list metrics '{host="a1"}'
  moonpack series list metrics 'cpu.load{host=~"a.*"}' --json | jq .points
`;
