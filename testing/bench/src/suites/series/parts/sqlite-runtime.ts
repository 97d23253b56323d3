/** The Node of comparisons with SQLite, which needs a later line of Node than the library. */
import { findRuntime } from "@moonpack/tools/runtimes";
import { runScript } from "../../../measure/child.js";

/** Lines of Node that have SQLite, the preferred one first. */
const NODES_WITH_SQLITE = [24, 22];

/** The Node of all that are compared, ours included. */
export interface Runtime<Job> {
  readonly version: string;
  readonly hasSqlite: boolean;
  run<Result>(job: Job): Promise<Result>;
}

/** Returns a Node with SQLite, if one is installed; else this one. `child` is the script of its processes. */
export async function findRuntimeWithSqlite<Job>(child: URL): Promise<Runtime<Job>> {
  const runtime = (executable: string, version: string, hasSqlite: boolean): Runtime<Job> => ({
    version,
    hasSqlite,
    run: (job) => runScript(child, [JSON.stringify(job)], ["--no-warnings"], executable),
  });
  for (const major of NODES_WITH_SQLITE) {
    const found = await findRuntime(`node-${major}`);
    if (found !== undefined) return runtime(found.executable, found.version, true);
  }
  return runtime(process.execPath, process.versions.node, process.getBuiltinModule?.("node:sqlite") !== undefined);
}
