/**
 * Something to do once, after a time: while it is due, it need not be asked for again. It does not keep the process alive, which may
 * end before.
 */
export class Later {
  readonly #act: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isEnded = false;

  constructor(act: () => void) {
    this.#act = act;
  }

  /** Does it after so many milliseconds, unless it is due already. */
  start(milliseconds: number): void {
    if (this.#timer !== undefined || this.#isEnded) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#act();
    }, milliseconds).unref();
  }

  /** Does it never again. */
  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
