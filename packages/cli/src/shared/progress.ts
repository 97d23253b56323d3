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
  readonly #begun = performance.now();

  /** `total` in bytes; undefined when nobody knows, as for a pipe. */
  constructor(label: string, total: number | undefined) {
    this.#label = label;
    this.#total = total;
  }

  /** So many bytes are done. Cheap enough to call for every batch. */
  update(bytes: number): void {
    if (!process.stderr.isTTY) return;
    const elapsed = performance.now() - this.#begun;
    if (elapsed < QUIET_MS) return;
    if (shown === undefined) {
      const amount = this.#total === undefined ? "{megabytes} MB" : "{bar} {percentage}%  {megabytes} of {size} MB";
      shown = new SingleBar(
        {
          format: `${this.#label}  ${amount}  {rate} MB/s`,
          clearOnComplete: true,
          barsize: 24,
          gracefulExit: false,
          stream: process.stderr,
        },
        Presets.shades_classic,
      );
      shown.start(this.#total ?? bytes + 1, 0, { megabytes: "0", size: inMegabytes(this.#total ?? 0), rate: "0" });
    }
    shown.update(this.#total === undefined ? 0 : bytes, {
      megabytes: inMegabytes(bytes),
      rate: inMegabytes((bytes / elapsed) * 1000),
    });
  }

  /** The job is over: the line disappears. */
  stop(): void {
    hideProgress();
  }
}

function inMegabytes(bytes: number): string {
  return (bytes / MB).toFixed(bytes < 10 * MB ? 1 : 0);
}
