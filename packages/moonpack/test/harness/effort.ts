/** Work that is for the number of its cases: each suite does all of it in one runtime, and its share in every other. */
import { SHARE } from "./share.ts";

/** Is all of it done here? */
export const isWhole = SHARE >= 1;

/** So many of `n`, at least one: rounds of something random, or what is expected of them. */
export function share(n: number): number {
  return Math.max(1, Math.floor(n * SHARE));
}

/** One of so many cases, from the first on, the last of them too; all when all is done. */
export function thinned<T>(cases: readonly T[]): readonly T[] {
  const step = Math.ceil(1 / SHARE);
  return isWhole ? cases : cases.filter((_, i) => i % step === 0 || i === cases.length - 1);
}

/** The step of a loop over places: `whole` when all is done, wider else; odd, so that it meets places of every kind. */
export function stride(whole: number): number {
  return isWhole ? whole : (whole * Math.ceil(1 / SHARE)) | 1;
}
