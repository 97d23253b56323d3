/** The process of any runtime: the job is its argument, the result a line of JSON. */
import { existsSync, readFileSync } from "node:fs";
import process from "node:process";
import { cases, type Load } from "./cases.js";
import { checkCases } from "./check.js";

/** `check`: compares the documents of all cases. `time`: milliseconds of each load. `memory`: memory of one load. */
export type LoadJob =
  | { readonly kind: "check"; readonly folder: string }
  | {
      readonly kind: "time";
      readonly folder: string;
      readonly id: string;
      readonly warmUp: number;
      readonly rounds: number;
    }
  | { readonly kind: "memory"; readonly folder: string; readonly id: string };

/** Memory of one load in a process that does nothing else, in bytes. */
export interface LoadMemory {
  /** Peak resident memory; null where the system does not report it for this process alone. */
  readonly peak: number | null;
  /** Heap that the result keeps. */
  readonly heap: number;
}

async function readyCase(id: string, folder: string): Promise<Load> {
  return cases.find((each) => each.id === id)!.ready(folder);
}

async function time(job: Extract<LoadJob, { kind: "time" }>): Promise<number[]> {
  const load = await readyCase(job.id, job.folder);
  for (let i = 0; i < job.warmUp; i++) await load();
  const times: number[] = [];
  for (let i = 0; i < job.rounds; i++) {
    const start = performance.now();
    await load();
    times.push(performance.now() - start);
  }
  return times;
}

/**
 * Garbage is not collected before the load: engines size their heap after a collection, which would give a peak that users do not
 * see. The heap is therefore compared with and without the result afterwards.
 */
async function memory(job: Extract<LoadJob, { kind: "memory" }>): Promise<LoadMemory> {
  const load = await readyCase(job.id, job.folder);
  const held: unknown[] = [];
  await hold(load, held);
  const peak = peakMemory();
  const full = await liveHeap();
  if (held.pop() === undefined) throw new Error(`${job.id}: nothing was loaded`);
  return { peak, heap: full - (await liveHeap()) };
}

/** A separate function: its frame, and every reference to the result in it, is gone before the heap is measured. */
async function hold(load: Load, held: unknown[]): Promise<void> {
  held.push(await load());
}

/** Linux reports it. `resourceUsage` does not help: there a process starts with the peak of its parent. */
function peakMemory(): number | null {
  if (!existsSync("/proc/self/status")) return null;
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"));
  return peak === null ? null : Number(peak[1]) * 1024;
}

const { Bun: bun, gc } = globalThis as { Bun?: { gc(wait: boolean): void }; gc?: () => void };

/**
 * Heap after all garbage is collected. Several passes, since the first may only queue objects that finalizers then
 * release.
 */
async function liveHeap(): Promise<number> {
  for (let pass = 0; pass < 3; pass++) {
    if (bun !== undefined) bun.gc(true);
    else gc!();
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return process.memoryUsage().heapUsed;
}

function work(job: LoadJob): unknown {
  if (job.kind === "time") return time(job);
  if (job.kind === "memory") return memory(job);
  return checkCases(job.folder);
}

console.log(JSON.stringify((await work(JSON.parse(process.argv[2]!) as LoadJob)) ?? null));
