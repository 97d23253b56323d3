// Google's conformance_test_runner: where it lies, and what is missing when it does not.
import { existsSync } from "node:fs";
import { join } from "node:path";

/** The upstream version whose suite this is; what fails depends on it. */
export const VERSION = "3.21.12";

/** Where the runner is, or would be: `{ folder, executable, protos }`, in the user's cache folder. */
export async function runnerPlace() {
  // Not at import: `npm test` imports this before packages are installed.
  const { default: envPaths } = await import("env-paths");
  const folder = join(envPaths("moonpack", { suffix: "" }).cache, "conformance", VERSION);
  return { folder, executable: join(folder, "conformance_test_runner"), protos: join(folder, "protos") };
}

/** The runner, undefined when it has not been built. */
export async function findRunner() {
  const place = await runnerPlace();
  return existsSync(place.executable) ? place : undefined;
}

/** What is missing, in the words of a test that cannot run; undefined when the runner is there. */
export async function missingRunner() {
  if ((await findRunner()) !== undefined) return undefined;
  return "g++ and apt sources, or the cached runner (npm run test:conformance builds it)";
}
