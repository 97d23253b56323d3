// Hostile bytes of the home page, and what our decoder answers.
import { DecodeError, decode } from "moonpack";

/** Bytes as a recipe: digits, how often, and digits behind them. */
export interface Bomb {
  readonly unit: string;
  readonly times: number;
  readonly tail: string;
}

/** What became of it. */
export interface Answer {
  /** The error's code; `a value` if there was none. */
  readonly code: string;
  readonly milliseconds: number;
}

/** The bytes of a recipe. */
export function bytesOf({ unit, times, tail }: Bomb): Uint8Array {
  const digits = `${unit.repeat(times)}${tail}`;
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}

/** Decodes the bytes of a recipe. */
export function answerTo(bomb: Bomb): Answer {
  const bytes = bytesOf(bomb);
  const start = performance.now();
  try {
    decode(bytes);
    return { code: "a value", milliseconds: performance.now() - start };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { code: error.code, milliseconds: performance.now() - start };
  }
}
