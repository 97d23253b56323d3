import type { Command } from "commander";
import { addChart } from "./series/chart.js";
import { addExport } from "./series/export.js";
import { addImport } from "./series/import.js";
import { addList } from "./series/list.js";
import { addCheck, addMigrate, addStats } from "./series/maintain.js";
import { addQuery } from "./series/query.js";

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
  addList(series);
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
  moonpack series list metrics
  moonpack series query metrics 'cpu.load{host="a1"}' --from -1h
  moonpack series chart metrics cpu.load --from -1d
  moonpack series export metrics --out points.csv

moonpack series COMMAND --help lists the options, with examples.
`;
