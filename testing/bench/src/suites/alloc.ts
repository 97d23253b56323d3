import { median } from "simple-statistics";
import { candidates } from "../candidates/index.js";
import { runInChild } from "../measure/child.js";
import { heldBytes } from "../measure/heap.js";
import type { Contestant } from "../measure/interleave.js";
import { compileLoop, type Sink } from "../measure/loop.js";
import { progress } from "../progress.js";
import { enter } from "../race/entry.js";
import { type NumbersResult, type NumberTable, numbersPage } from "../report/numbers.js";
import { resultHead } from "../results.js";
import type { Suite } from "../suite.js";
import type { Operation } from "../types.js";
import { workloads } from "../workloads/index.js";

const MEASURED = ["tiny", "service-100", "service-300", "small-mixed"];

/** A young generation so large that no batch needs a collection: `heldBytes` then grows by the allocated bytes. */
const NO_COLLECTIONS = ["--min-semi-space-size=256", "--max-semi-space-size=256"];
const WARM_UP_CALLS = 30_000;
const BATCHES = 15;
const BATCH_CALLS = 2_000;

const TEXTS: Record<Operation, string> = {
  encode: "Bytes allocated per message, on the heap and outside of it, including the result and its share of slabs.",
  decode: "Bytes allocated per message, including the decoded value.",
};

interface AllocJob {
  readonly workload: string;
  readonly operation: Operation;
}

/** Allocated bytes per operation, which the garbage collector must later free. */
export const alloc: Suite<NumbersResult> = {
  name: "alloc",
  title: "MessagePack: allocated bytes per operation",
  async run(options) {
    const columns = workloads
      .filter(({ id }) => MEASURED.includes(id) && (options.filter?.test(id) ?? true))
      .map(({ id, title }) => ({ id, title }));
    const tables: NumberTable[] = [];
    for (const operation of ["encode", "decode"] as const) {
      if ((options.only ?? operation) !== operation) continue;
      const measured: Record<string, Record<string, number>> = {};
      for (const { id: workload } of columns) {
        progress(`alloc: ${operation} ${workload}`);
        const job: AllocJob = { workload, operation };
        measured[workload] = await runInChild<Record<string, number>>("alloc", job, NO_COLLECTIONS);
      }
      const rows = candidates
        .map(({ id, title }) => ({
          id,
          title,
          values: Object.fromEntries(columns.flatMap(({ id: column }) => numberEntry(column, measured[column]?.[id]))),
        }))
        .filter(({ values }) => Object.keys(values).length > 0);
      tables.push({ id: operation, title: operation, text: TEXTS[operation], unit: "bytes", columns, rows });
    }
    progress("");
    return {
      ...resultHead(
        "alloc",
        false,
        candidates.flatMap((candidate) => candidate.package ?? []),
      ),
      tables,
    };
  },
  work: (job) => measureAllocation(job as AllocJob),
  page: (result) => numbersPage(alloc.title, result),
};

function numberEntry(column: string, value: number | undefined): [string, number][] {
  return value === undefined ? [] : [[column, value]];
}

function measureAllocation({ workload, operation }: AllocJob): Record<string, number> {
  const values = workloads.find(({ id }) => id === workload)!.values(true);
  return Object.fromEntries(
    candidates.flatMap((candidate) => {
      const contestant = enter(candidate, operation, values, "uint8array")?.contestant;
      return contestant === undefined ? [] : [[candidate.id, bytesPerCall(contestant)]];
    }),
  );
}

/** The median of several batches, so that a late compilation or a new slab does not count. */
function bytesPerCall(contestant: Contestant): number {
  const loop = compileLoop();
  const sink: Sink = { value: undefined };
  for (let calls = 0; calls < WARM_UP_CALLS; calls += BATCH_CALLS) {
    loop(contestant.call, contestant.prepare(BATCH_CALLS), BATCH_CALLS, sink);
  }
  const batches: number[] = [];
  for (let batch = 0; batch < BATCHES; batch++) {
    const inputs = contestant.prepare(BATCH_CALLS);
    // Memory outside of the heap that the first collection frees is counted as freed only when the second one starts.
    globalThis.gc?.();
    globalThis.gc?.();
    const before = heldBytes();
    loop(contestant.call, inputs, BATCH_CALLS, sink);
    batches.push((heldBytes() - before) / BATCH_CALLS);
  }
  return Math.round(median(batches));
}
