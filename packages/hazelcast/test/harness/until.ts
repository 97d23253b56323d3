/** Waiting for what another process does. */
import { setTimeout as pause } from "node:timers/promises";

/** Waits until it holds. The test's own time limit ends the wait if it never does. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(5);
}
