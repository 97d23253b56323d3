import type { Progress as RunState } from "@moonpack/load";
import { Progress } from "../shared/progress.js";
import { grouped } from "../shared/table.js";

const WHOLE = 1000;

/** Shows the progress of a run in a terminal: a bar for each warm-up and round. */
export class RunProgress {
  #shown: { readonly phase: string; readonly bar: Progress } | undefined;

  /** Shows a state. */
  update({ phase: kind, round, rounds, done, perSecond, errors }: RunState): void {
    const phase = kind === "round" ? `round ${round} of ${rounds}` : kind;
    if (this.#shown?.phase !== phase) {
      this.stop();
      this.#shown = { phase, bar: new Progress(phase, WHOLE, "") };
    }
    const failed = errors === 0 ? "" : `  ${grouped(errors)} errors`;
    this.#shown.bar.update(Math.round(done * WHOLE), `${grouped(Math.round(perSecond))} operations/s${failed}`);
  }

  /** Removes the bar. */
  stop(): void {
    this.#shown?.bar.stop();
    this.#shown = undefined;
  }
}
