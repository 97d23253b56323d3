import { createRequire } from "node:module";
import { MessageChannel, Worker } from "node:worker_threads";
import { commandOf } from "./commands/index.js";
import { bugReport } from "./shared/bug.js";
import { Leftovers } from "./shared/leftovers.js";
import { SIGNALS } from "./shared/signals.js";
import type { Notice, SignalNotice } from "./shared/supervisor.js";

/*
 * The command runs in a worker, so that this thread can always receive signals. A thread that parses a large text, runs a
 * schema's module or waits for the other end of a named pipe receives none until it is done.
 */

/**
 * Time for the worker to end. A worker that runs JavaScript ends sooner; one that is blocked in a system call does not end.
 * In that case the signal's default action ends the process, and the shell shows the same exit code.
 */
const GRACE_MS = 100;

/** V8 lets the young generation grow to 48 MB by default. Values of a streamed conversion die young, so 3 MB suffice. */
const YOUNG_MB = 3;
/** The targets and modules of `load`, and queries of a server, have as much memory as in any process of Node. */
const limits = ["load", "prometheus"].includes(commandOf(process.argv.slice(2)) ?? "")
  ? {}
  : { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } };

const { port1: port, port2: supervisor } = new MessageChannel();
const leftovers = new Leftovers(port);
const worker = new Worker(createRequire(import.meta.url).resolve("#worker"), {
  argv: process.argv.slice(2),
  workerData: { supervisor },
  transferList: [supervisor],
  // The worker must not close descriptors that belong to the shell.
  trackUnmanagedFds: false,
  ...limits,
});
worker.on("exit", (code) => {
  leftovers.remove();
  process.exitCode = code;
});
worker.on("error", (error) => void process.stderr.write(bugReport(error)));
/** The command ends by itself on the first signal. */
let isInterruptible = false;
port.on("message", (notice: Notice) => {
  if (notice.kind === "interruptible") isInterruptible = notice.isOn;
});
for (const [signal, code] of SIGNALS) process.once(signal, () => interrupt(signal, code));

/** Passes the first signal on to a command that ends by itself. Any other signal ends the process. */
function interrupt(signal: NodeJS.Signals, code: number): void {
  if (!isInterruptible) return void end(signal, code);
  isInterruptible = false;
  process.once(signal, () => void end(signal, code));
  port.postMessage({ kind: "signal", code } satisfies SignalNotice);
}

/** Removes unfinished files and ends the process. */
async function end(signal: NodeJS.Signals, code: number): Promise<void> {
  leftovers.remove(signal);
  const stuck = setTimeout(() => {
    leftovers.remove();
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }, GRACE_MS);
  await worker.terminate();
  clearTimeout(stuck);
  // Files that the worker created in the meantime.
  leftovers.remove();
  process.exit(code);
}
