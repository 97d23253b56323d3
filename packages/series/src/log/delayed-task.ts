/**
 * A task that runs once after a delay. Scheduling it again while it is pending changes nothing. It does not keep the process alive, so
 * it may never run.
 */
export class DelayedTask {
  readonly #run: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isCancelled = false;

  constructor(run: () => void) {
    this.#run = run;
  }

  /** Runs the task after a delay, unless it is pending already. */
  schedule(milliseconds: number): void {
    if (this.#timer !== undefined || this.#isCancelled) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#run();
    }, milliseconds).unref();
  }

  /** Cancels the task for good. */
  cancel(): void {
    this.#isCancelled = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
