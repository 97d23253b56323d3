/** What a process of any runtime does for the suite: the job is its argument, the answer a line of JSON. */
import { readFileSync } from "node:fs";
import process from "node:process";
import { isDeepStrictEqual } from "node:util";
import { cases, type Load, readBytes } from "./cases.js";
import { fileOf, packZstd } from "./forms.js";

/** `check`: does each case give the document? `time`: milliseconds of each load. `memory`: of one load. */
export type LoadJob =
  | { readonly kind: "check" | "zstd"; readonly folder: string }
  | {
      readonly kind: "time";
      readonly folder: string;
      readonly id: string;
      readonly warmUp: number;
      readonly rounds: number;
    }
  | { readonly kind: "memory"; readonly folder: string; readonly id: string };

/** Bytes after one load, in a process that does nothing else. */
export interface LoadMemory {
  /** The highest that resident memory has been. */
  readonly peak: number;
  /** The heap's growth, with the result held. */
  readonly heap: number;
}

async function readyCase(id: string, folder: string): Promise<Load | undefined> {
  return cases.find((each) => each.id === id)!.ready(folder);
}

/** Ids of the cases that this runtime can run; throws when one gives another document. */
async function check(folder: string): Promise<string[]> {
  const document: unknown = JSON.parse(readFileSync(fileOf(folder, "json"), "utf8"));
  const able: string[] = [];
  for (const { id, gives } of cases) {
    const load = await readyCase(id, folder);
    if (load === undefined) continue;
    const result = await load();
    if (gives === "document" && !isDeepStrictEqual(result, document)) throw new Error(`${id}: another document`);
    able.push(id);
  }
  return able;
}

async function time(job: Extract<LoadJob, { kind: "time" }>): Promise<number[]> {
  const load = (await readyCase(job.id, job.folder))!;
  for (let i = 0; i < job.warmUp; i++) await load();
  const times: number[] = [];
  for (let i = 0; i < job.rounds; i++) {
    const start = performance.now();
    await load();
    times.push(performance.now() - start);
  }
  return times;
}

async function memory(job: Extract<LoadJob, { kind: "memory" }>): Promise<LoadMemory> {
  const load = (await readyCase(job.id, job.folder))!;
  const before = process.memoryUsage().heapUsed;
  const result = await load();
  const heap = process.memoryUsage().heapUsed - before;
  const status = readFileSync("/proc/self/status", "utf8");
  const peak = Number(/VmHWM:\s+(\d+)/.exec(status)![1]) * 1024;
  if (result === undefined) throw new Error(`${job.id}: nothing was loaded`);
  return { peak, heap };
}

function work(job: LoadJob): unknown {
  if (job.kind === "time") return time(job);
  if (job.kind === "memory") return memory(job);
  return job.kind === "check" ? check(job.folder) : packZstd(job.folder, readBytes);
}

console.log(JSON.stringify(await work(JSON.parse(process.argv[2]!) as LoadJob)));
