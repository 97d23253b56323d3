/** Options and texts that the commands of `moonpack series` share. */
import { type Command, Option } from "commander";
import { DRIVERS } from "../../series/store.js";
import { timeArgument } from "../../series/times.js";

export const STORE = "the store's folder";
export const EXIT_CODES = `Exit codes: 0 done; 1 a damaged or locked store, no metric that matches, or a
file that cannot be read or written; 2 bad usage.`;

/** Returns the option that chooses a driver. */
export function driverOption(description = "driver of the store (default: the one it was created with)"): Option {
  return new Option("--driver <name>", description).choices(DRIVERS);
}

/** Returns the options that choose a part of time. */
export function withTimes(
  command: Command,
  argument: (option: string) => (text: string) => unknown = timeArgument,
): Command {
  return command
    .option("--from <time>", "the first time (default: the beginning)", argument("--from"))
    .option("--to <time>", "the time before which to end (default: the end)", argument("--to"));
}
