import type { Progress as RunState } from "@moonpack/load";
import { note } from "../shared/messages.js";
import { Progress } from "../shared/progress.js";
import { grouped } from "../shared/table.js";

const WHOLE = 1000;

/** Says how long a run takes, and shows its progress in a terminal: a bar for each warm-up and round. */
export class RunProgress {
  #shown: { readonly phase: string; readonly bar: Progress } | undefined;
  #isAnnounced = false;

  /** Shows a state. */
  update(state: RunState): void {
    const { phase: kind, round, rounds, done, perSecond, errors } = state;
    // Once the target is set up: a target that cannot be reached takes no time.
    if (!this.#isAnnounced && kind !== "setup") {
      this.#isAnnounced = true;
      note(lengthText(state));
    }
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

/** Returns how long the run takes. */
function lengthText({ plannedMs, rounds, phase }: RunState): string {
  const parts = `${phase === "warm-up" ? "a warm-up and " : ""}${rounds} ${rounds === 1 ? "round" : "rounds"}`;
  const length = plannedMs === null ? parts : `${timeText(plannedMs)}: ${parts}`;
  return `takes ${length}; Ctrl-C ends it with the figures so far`;
}

/** Returns a time to the second: 53 s, 5 min 3 s. */
function timeText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const parts = [hours > 0 ? `${hours} h` : "", minutes > 0 ? `${minutes} min` : "", rest > 0 ? `${rest} s` : ""];
  return parts.filter((part) => part !== "").join(" ");
}
