/** The number of cases of tests that try many: all of them in one runtime, a share in every other runtime. */
import { SHARE } from "./share.ts";

/** True if this run tries all cases. */
export const isWhole = SHARE >= 1;

/** The share of `n` random rounds, or of a count expected from them. At least 1. */
export function share(n: number): number {
  return Math.max(1, Math.floor(n * SHARE));
}

/** Every nth case from the first on, and always the last one. All cases if this run tries all. */
export function thinned<T>(cases: readonly T[]): readonly T[] {
  const step = Math.ceil(1 / SHARE);
  return isWhole ? cases : cases.filter((_, i) => i % step === 0 || i === cases.length - 1);
}

/** The step of a loop over offsets: `whole` if this run tries all, else larger. Odd, to reach odd and even offsets. */
export function stride(whole: number): number {
  return isWhole ? whole : (whole * Math.ceil(1 / SHARE)) | 1;
}
