/** Calls that may be repeated, and are until their outcome is known. */
import { setTimeout as pause } from "node:timers/promises";
import { isIndeterminate } from "./errors.js";

/** How often a call is tried whose outcome is unknown, and milliseconds between two attempts. */
const ATTEMPTS = 5;
const RETRY_MS = 200;

/** Repeats a call until it is certain that primary and backups have what it writes, as while a member is leaving. */
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
