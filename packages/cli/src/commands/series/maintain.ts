/** The commands that look after a store: `stats`, `check` and `migrate`. */
import type { Command } from "commander";
import type { MigrateOptions } from "../../series/migrate.js";
import type { StatsOptions } from "../../series/stats.js";
import { driverOption, STORE } from "./common.js";

/** Adds `moonpack series stats`. */
export function addStats(series: Command): void {
  series
    .command("stats")
    .summary("print figures of a store")
    .description(
      "Prints how many metrics and points a store has, their first and last time, and how much space it takes.",
    )
    .argument("<path>", STORE)
    .option("--check", "also read every page, as moonpack series check does", false)
    .option("--json", "print one JSON object, for programs", false)
    .addOption(driverOption())
    .addHelpText("after", STATS_HELP)
    .action(async (path: string, options: StatsOptions & { readonly check: boolean }) => {
      const { printStats } = await import("../../series/stats.js");
      await printStats(path, options);
    });
}

const STATS_HELP = `
Exit codes: 0 done; 1 a damaged or locked store; 2 bad usage.

Examples:
  moonpack series stats metrics
  moonpack series stats metrics --check --json
`;

/** Adds `moonpack series check`. */
export function addCheck(series: Command): void {
  series
    .command("check")
    .summary("read every page of a store and list damage")
    .description("Reads every page and index entry of a store, and lists those that are damaged, with their keys.")
    .argument("<path>", STORE)
    .option("--json", "print one JSON object per line, for programs", false)
    .addOption(driverOption())
    .addHelpText("after", CHECK_HELP)
    .action(async (path: string, options: StatsOptions) => {
      const { printCheck } = await import("../../series/stats.js");
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

/** Adds `moonpack series migrate`. */
export function addMigrate(series: Command): void {
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
      const { migrateStore } = await import("../../series/migrate.js");
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
