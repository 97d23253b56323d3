import { median } from "simple-statistics";
import { collectAll, heldBytes } from "../../../measure/heap.js";
import type { Operation, Payload } from "../../../types.js";
import { candidateOf } from "../candidates.js";
import { drawSequence, planOf } from "../sequence.js";
import { workerOf } from "../shuffled-runs.js";
import { readDocuments } from "../stored.js";

/** The memory of results of the mix that are kept. */
export interface RetainedJob {
  readonly kind: "retained";
  readonly folder: string;
  readonly operation: Operation;
  readonly candidate: string;
  readonly seed: number;
}

/** Bytes held by a kept result; when encoding, also the bytes of the message. */
export interface RetainedResult {
  readonly held: number;
  readonly message: number;
}

const RESULTS = 2000;
const PASSES = 3;
/** Inputs are made for this many messages at a time. */
const BATCH = 100;

/** Keeps the results of the first messages. The first pass also creates compiled code, tables and slabs. */
export async function retained({ folder, operation, candidate, seed }: RetainedJob): Promise<RetainedResult> {
  const stored = readDocuments(folder);
  const { call, prepare } = workerOf(candidateOf(candidate), operation, stored)!;
  const sequence = drawSequence(stored.mixed, planOf(true), seed).slice(0, RESULTS);
  const results = new Array<unknown>(RESULTS);
  const passes: number[] = [];
  for (let pass = 0; pass <= PASSES; pass++) {
    results.fill(null);
    await collectAll();
    const before = heldBytes();
    for (let from = 0; from < RESULTS; from += BATCH) {
      const inputs = prepare(sequence.slice(from, from + BATCH));
      for (let i = 0; i < BATCH; i++) results[from + i] = call(inputs[i]);
    }
    await collectAll();
    if (pass > 0) passes.push((heldBytes() - before) / RESULTS);
  }
  const length = (result: unknown) => (operation === "encode" ? (result as Payload).length : 0);
  return { held: median(passes), message: results.reduce((sum: number, each) => sum + length(each), 0) / RESULTS };
}
