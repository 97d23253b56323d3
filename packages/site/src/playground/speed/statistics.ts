// Statistics of a race's times: medians and quartiles, and ratios within the rounds.
import { quantileSorted } from "d3-array";
import type { CodecId } from "./codecs.ts";

/** A median with the first and the third quartile. */
export interface Spread {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** A codec in one direction. */
export interface Figures {
  readonly id: CodecId;
  /** Nanoseconds of a message. */
  readonly time: Spread;
  /** Speed as a multiple of the baseline's. Undefined for the baseline. */
  readonly ratio?: Spread;
}

/** The median and the quartiles of some numbers, at least one. */
export function spreadOf(numbers: readonly number[]): Spread {
  const sorted = [...numbers].sort((a, b) => a - b);
  const at = (share: number): number => quantileSorted(sorted, share)!;
  return { low: at(0.25), median: at(0.5), high: at(0.75) };
}

/** The figures of all codecs that were measured. Ratios are taken within each round, in which the machine was the same for all. */
export function figuresOf(times: ReadonlyMap<CodecId, readonly number[]>, baseline: CodecId): Figures[] {
  const base = times.get(baseline);
  return [...times].map(([id, own]) => ({
    id,
    time: spreadOf(own),
    ...(id === baseline || base === undefined
      ? {}
      : { ratio: spreadOf(own.map((time, round) => base[round]! / time)) }),
  }));
}
