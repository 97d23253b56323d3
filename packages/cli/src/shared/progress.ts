import { isatty, WriteStream } from "node:tty";
import type { SingleBar } from "cli-progress";
import { tellSupervisor } from "./supervisor.js";
import { isQuiet } from "./verbosity.js";

const QUIET_MS = 500;
const MB = 1e6;
/** The bar that is on the screen, so that it can be removed before the process ends. */
let shown: SingleBar | undefined;
/** The library that draws bars, once it is loaded. */
let library: typeof import("cli-progress") | undefined;

/** Loads what draws bars, if stderr is a terminal. A job that never waits must wait for it, or shows no bar. */
export async function loadBars(): Promise<void> {
  if (isatty(2)) library ??= await import("cli-progress");
}

/** Removes the progress line from the terminal. Safe to call at any time. */
export function hideProgress(): void {
  if (shown === undefined) return;
  shown.stop();
  shown = undefined;
  tellSupervisor({ kind: "bar", isShown: false });
}

/** Shows on a terminal how far a long job is. Shows nothing in the first half second, with `--quiet`, or if stderr is not a terminal. */
export class Progress {
  readonly #label: string;
  readonly #total: number | undefined;
  readonly #unit: string;
  readonly #begun = performance.now();
  readonly #isSeen = isatty(2) && !isQuiet();

  /** `total` counts bytes, or whatever `unit` names; undefined when it is unknown, as for a pipe. */
  constructor(label: string, total: number | undefined, unit = "MB") {
    this.#label = label;
    this.#total = total;
    this.#unit = unit;
    void loadBars();
  }

  /** Reports how many bytes, or units, are done; `amount` says it in other words. Cheap enough to call for every batch. */
  update(done: number, amount?: string): void {
    if (!this.#isSeen || library === undefined) return;
    const elapsed = performance.now() - this.#begun;
    if (elapsed < QUIET_MS) return;
    if (shown === undefined) {
      const format = `${this.#label}  ${this.#total === undefined ? "" : "{bar} {percentage}%  "}{amount}`;
      const options = { format, clearOnComplete: true, barsize: 24, gracefulExit: false, stream: new WriteStream(2) };
      tellSupervisor({ kind: "bar", isShown: true });
      shown = new library.SingleBar(options, library.Presets.shades_classic);
      shown.start(this.#total ?? 1, 0, { amount: "" });
    }
    shown.update(this.#total === undefined ? 0 : done, { amount: amount ?? this.#amount(done, elapsed) });
  }

  /** Ends the job: the line disappears. */
  stop(): void {
    hideProgress();
  }

  #amount(done: number, elapsed: number): string {
    if (this.#unit !== "MB") return `${done} of ${this.#total} ${this.#unit}`;
    const of = this.#total === undefined ? "" : ` of ${inMegabytes(this.#total)}`;
    return `${inMegabytes(done)}${of} MB  ${inMegabytes((done / elapsed) * 1000)} MB/s`;
  }
}

function inMegabytes(bytes: number): string {
  return (bytes / MB).toFixed(bytes < 10 * MB ? 1 : 0);
}
