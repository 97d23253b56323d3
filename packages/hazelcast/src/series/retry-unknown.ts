/** Retries for idempotent calls whose outcome is unknown. */
import { setTimeout as pause } from "node:timers/promises";
import { isIndeterminate } from "./errors.js";

/** Maximum number of attempts. */
const MAX_ATTEMPTS = 5;
/** Milliseconds between two attempts. */
const RETRY_MS = 200;

/**
 * Repeats a call while its outcome is unknown, for example because a member has left the cluster. After success the primary and the
 * backups have the written entries.
 */
export async function retryWhileOutcomeUnknown<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!isIndeterminate(error) || attempt === MAX_ATTEMPTS) throw error;
      await pause(RETRY_MS);
    }
  }
}
