/** The borders of windows. All times are milliseconds. */

/** Divides time into windows. */
export interface WindowGrid {
  /** The length of a window, or about that: local windows differ. */
  readonly length: number;
  /** Returns the start of the window that contains a time. */
  startOf(time: number): number;
  /** Returns the end of the window that starts at a time: the start of the next one. */
  endOf(start: number): number;
}

/** Windows of one length. */
export class FixedGrid implements WindowGrid {
  readonly length: number;
  /** The start of any window, modulo the length. */
  readonly origin: number;

  constructor(length: number, origin: number) {
    const rest = origin % length;
    this.length = length;
    // Without -0.
    this.origin = rest < 0 ? rest + length : rest + 0;
  }

  startOf(time: number): number {
    return this.origin + Math.floor((time - this.origin) / this.length) * this.length;
  }

  endOf(start: number): number {
    return start + this.length;
  }
}
