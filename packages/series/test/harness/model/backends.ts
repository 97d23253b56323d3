/** Stores that a model is run on, and what is left of them after a crash. */
import type { Series, SeriesOptions } from "../../../src/api.ts";

/** How many iterations of the event loop a call of the driver waits. */
export type Delay = () => number;

/** A place where a store is, or was. */
export interface Backend {
  /** False where all is lost with the store. */
  readonly keeps: boolean;
  /** False where a loss of power cannot be simulated. */
  readonly losesPower: boolean;
  /** False for databases, which keep no summaries: runs are without the option. */
  readonly summarizes: boolean;
  open(options: SeriesOptions, delay: Delay): Promise<Series>;
  /** Returns the state for the next process after a kill at this moment. */
  kill(): Promise<Backend>;
  /** Returns the state for the next process after a power failure at this moment. */
  powerLoss(chance: () => number): Backend;
  /** Opens a backup that was made in a folder. */
  openBackup(path: string, options: SeriesOptions): Promise<Series>;
}
