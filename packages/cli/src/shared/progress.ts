import { Presets, SingleBar } from "cli-progress";

const QUIET_MS = 500;
const MB = 1e6;
/** The bar on screen, so that whoever ends the process can take it away first. */
let shown: SingleBar | undefined;

/** Takes the progress line off the terminal. Safe to call at any time. */
export function hideProgress(): void {
  shown?.stop();
  shown = undefined;
}

/** Tells a terminal how far a long job is. Nothing is shown for the first half second, nor when stderr is no terminal. */
export class Progress {
  readonly #label: string;
  readonly #total: number | undefined;
  readonly #unit: string;
  readonly #begun = performance.now();

  /** `total` in bytes, or in what `unit` names; undefined when nobody knows, as for a pipe. */
  constructor(label: string, total: number | undefined, unit = "MB") {
    this.#label = label;
    this.#total = total;
    this.#unit = unit;
  }

  /** So many bytes, or units, are done. Cheap enough to call for every batch. */
  update(done: number): void {
    if (!process.stderr.isTTY) return;
    const elapsed = performance.now() - this.#begun;
    if (elapsed < QUIET_MS) return;
    if (shown === undefined) {
      const format = `${this.#label}  ${this.#total === undefined ? "" : "{bar} {percentage}%  "}{amount}`;
      const options = { format, clearOnComplete: true, barsize: 24, gracefulExit: false, stream: process.stderr };
      shown = new SingleBar(options, Presets.shades_classic);
      shown.start(this.#total ?? 1, 0, { amount: "" });
    }
    shown.update(this.#total === undefined ? 0 : done, { amount: this.#amount(done, elapsed) });
  }

  /** The job is over: the line disappears. */
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
