import type { Settings } from "./options.js";
import { stepOf } from "./ramp.js";

/** Returns the length of a run of one target in milliseconds; null if the target determines how long rounds take. */
export function plannedMsOf({ operations, durationMs, warmupMs, rounds, rate }: Settings): number | null {
  if (operations === undefined) return warmupMs + rounds * durationMs;
  if (rate === undefined) return null;
  let total = warmupMs;
  for (let round = 1; round <= rounds; round++) total += (operations * 1000) / stepOf(rate, round, rounds);
  return total;
}
