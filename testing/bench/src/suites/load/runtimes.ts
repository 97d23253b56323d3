import { type Found, findRuntime } from "@moonpack/tools/runtimes";
import { runScript } from "../../measure/child.js";
import type { LoadJob } from "./child.js";

const CHILD = new URL("./child.js", import.meta.url);

/** A runtime that loads the files. */
export interface Runtime {
  readonly id: "bun" | "deno" | "node";
  readonly title: string;
  run<Result>(job: LoadJob): Promise<Result>;
}

/** Node, and Deno and Bun if they are installed. */
export async function findRuntimes(): Promise<Runtime[]> {
  const runtimes: Runtime[] = [
    runtime("node", { executable: process.execPath, version: process.versions.node }, ["--expose-gc"]),
  ];
  const deno = await findRuntime("deno");
  if (deno !== undefined)
    runtimes.push(runtime("deno", deno, ["run", "--quiet", "--no-lock", "--allow-all", "--v8-flags=--expose-gc"]));
  const bun = await findRuntime("bun");
  if (bun !== undefined) runtimes.push(runtime("bun", bun, ["run"]));
  return runtimes;
}

function runtime(id: Runtime["id"], { executable, version }: Found, args: readonly string[]): Runtime {
  const name = { node: "Node", deno: "Deno", bun: "Bun" }[id];
  return {
    id,
    title: `${name} ${version}`,
    run: (job) => runScript(CHILD, [JSON.stringify(job)], args, executable),
  };
}
