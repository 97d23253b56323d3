import { isBrief } from "./commands/brief.js";
import { onlyPrints } from "./commands/index.js";
import { removeUnfinished } from "./shared/cleanup.js";
import { SIGNALS } from "./shared/signals.js";

/**
 * Runs a command where it can be ended: in a worker, which takes 55 ms of CPU time to start, half of what a small conversion
 * takes; in this thread if it only prints a text or is brief.
 */
export async function start(args: readonly string[]): Promise<void> {
  if (!onlyPrints(args)) {
    if (!isBrief(args)) return void (await import("./supervised.js"));
    for (const [signal, code] of SIGNALS) process.once(signal, () => end(code));
  }
  const { run } = await import("./program.js");
  process.exitCode = await run(args);
}

function end(code: number): void {
  removeUnfinished();
  process.exit(code);
}
