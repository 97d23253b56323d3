import { writeFileSync } from "node:fs";
import { type Profiler, Session } from "node:inspector/promises";
import { candidates } from "./candidates/index.js";
import { compileLoop } from "./measure/loop.js";
import { enter } from "./race/entry.js";
import { scratchFile } from "./results.js";
import type { Operation } from "./types.js";
import { workloads } from "./workloads/index.js";

const WARM_UP_MS = 500;
const PROFILED_MS = 2000;
const BATCH = 64;
const TOP = 15;

/** The profiled workload, and the functions that took the most time. */
export interface ProfileReport {
  /** Opens in the developer tools of a browser or an editor. */
  readonly file: string;
  readonly top: readonly { readonly name: string; readonly share: number }[];
}

/** Records a CPU profile of one candidate on one workload. */
export async function profile(candidate: string, workload: string, operation: Operation): Promise<ProfileReport> {
  const found = candidates.find(({ id }) => id === candidate);
  const values = workloads.find(({ id }) => id === workload)?.values(false);
  const entry = found && values && enter(found, operation, values, "uint8array");
  if (entry?.contestant === undefined)
    throw new Error(`${candidate} does not ${operation} ${workload}: ${entry?.refusal}`);
  const { contestant } = entry;
  const loop = compileLoop();
  const runFor = (milliseconds: number) => {
    const end = performance.now() + milliseconds;
    while (performance.now() < end) loop(contestant.call, contestant.prepare(BATCH), BATCH, { value: undefined });
  };
  runFor(WARM_UP_MS);
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: 200 });
  await session.post("Profiler.start");
  runFor(PROFILED_MS);
  const { profile: recorded } = await session.post("Profiler.stop");
  session.disconnect();
  const file = scratchFile(`${operation}-${workload}-${candidate}.cpuprofile`);
  writeFileSync(file, JSON.stringify(recorded));
  return { file, top: topFunctions(recorded) };
}

/** Functions by self time. */
function topFunctions({ nodes, samples = [] }: Profiler.Profile): ProfileReport["top"] {
  const names = new Map(
    nodes.map(({ id, callFrame }) => {
      const place = callFrame.url.split("/").pop();
      return [id, `${callFrame.functionName || "(anonymous)"}${place ? ` ${place}:${callFrame.lineNumber + 1}` : ""}`];
    }),
  );
  const hits = new Map<string, number>();
  for (const sample of samples) {
    const name = names.get(sample) ?? "(unknown)";
    hits.set(name, (hits.get(name) ?? 0) + 1);
  }
  return [...hits]
    .sort(([, a], [, b]) => b - a)
    .slice(0, TOP)
    .map(([name, count]) => ({ name, share: count / samples.length }));
}
