/** Retries for idempotent calls whose outcome is unknown. */
import { setTimeout as pause } from "node:timers/promises";
import { isIndeterminate } from "./errors.js";

/** The maximum number of attempts, and the milliseconds between two attempts. */
const ATTEMPTS = 5;
const RETRY_MS = 200;

/**
 * Repeats a call while its outcome is unknown, as when a member leaves the cluster. After success the primary and the backups have the
 * written entries.
 */
export async function certain<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!isIndeterminate(error) || attempt === ATTEMPTS) throw error;
      await pause(RETRY_MS);
    }
  }
}
