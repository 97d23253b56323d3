// Google's conformance_test_runner: its path, and what is needed to build it.
import { existsSync } from "node:fs";
import { join } from "node:path";

/** The upstream version of the suite. The expected failures depend on it. */
export const VERSION = "3.21.12";

/** The runner's place, built or not: `{ folder, executable, protos }` in the user's cache folder. */
export async function runnerPlace() {
  // Not imported statically: `npm test` imports this file before packages are installed.
  const { default: envPaths } = await import("env-paths");
  const folder = join(envPaths("moonpack", { suffix: "" }).cache, "conformance", VERSION);
  return { folder, executable: join(folder, "conformance_test_runner"), protos: join(folder, "protos") };
}

/** The runner; undefined if it has not been built. */
export async function findRunner() {
  const place = await runnerPlace();
  return existsSync(place.executable) ? place : undefined;
}

/** The missing runner, with the command that builds it; undefined if it is built. */
export async function missingRunner() {
  if ((await findRunner()) !== undefined) return undefined;
  return "g++ and apt sources, or the cached runner (npm run test:conformance builds it)";
}
