import { type Timing, timeCalmly } from "../../measure/calm.js";
import { SocketInputs } from "../../measure/inputs.js";
import { compileLoop, type Sink } from "../../measure/loop.js";
import type { Candidate, Operation, Payload } from "../../types.js";
import type { Random } from "../../workloads/random.js";
import type { StoredDocuments } from "./documents.js";
import type { GroupTimes } from "./figures.js";
import { GROUP } from "./sequence.js";

/** A codec at work in this process, with the inputs that it gets. */
export interface Worker {
  readonly id: string;
  call(input: unknown): unknown;
  /** The inputs for these documents: new copies of bytes, or values that were just built. */
  prepare(documents: readonly number[]): unknown[];
}

/** Copies of payloads, as sockets deliver them. */
export interface Inputs {
  copy(payload: Payload): Payload;
}

/** Creates a cold codec of a candidate. Undefined if the candidate lacks this direction. */
export function workerOf(
  candidate: Candidate,
  operation: Operation,
  stored: StoredDocuments,
  inputs: Inputs = new SocketInputs("buffer"),
): Worker | undefined {
  const codec = candidate.create();
  const { id, format } = candidate;
  if (operation === "encode") {
    const prepare = (documents: readonly number[]) => documents.map((document) => stored.value(document));
    return codec.encode && { id, call: codec.encode, prepare };
  }
  return (
    codec.decode && {
      id,
      // The candidate's own function: a closure around it would be one call site for all candidates.
      call: codec.decode as (payload: unknown) => unknown,
      prepare: (documents) => documents.map((document) => inputs.copy(stored.payload(document, format))),
    }
  );
}

/** Runs each group of messages in every worker, in an order that is shuffled for each group. */
export class ShuffledRuns {
  readonly #runners: readonly { readonly worker: Worker; readonly loop: ReturnType<typeof compileLoop> }[];
  readonly #random: Random;
  readonly #time: (work: () => void) => Timing;
  readonly #sink: Sink = { value: undefined };

  constructor(workers: readonly Worker[], random: Random, time = timeCalmly) {
    this.#runners = workers.map((worker) => ({ worker, loop: compileLoop() }));
    this.#random = random;
    this.#time = time;
  }

  /** Passes these messages to every worker. Garbage is not collected between the runs: it is a part of the work. */
  measure(messages: readonly number[]): Record<string, GroupTimes> {
    const times = Object.fromEntries(
      this.#runners.map(({ worker }) => [worker.id, { micros: [] as number[], interrupted: [] as number[] }]),
    );
    for (let from = 0; from < messages.length; from += GROUP) {
      const group = messages.slice(from, from + GROUP);
      for (const { worker, loop } of this.#random.shuffle(this.#runners)) {
        const inputs = worker.prepare(group);
        const timing = this.#time(() => loop(worker.call, inputs, inputs.length, this.#sink));
        this.#sink.value = undefined;
        const { micros, interrupted } = times[worker.id]!;
        if (timing.interrupted) interrupted.push(micros.length);
        micros.push(Math.round(timing.milliseconds * 1e4) / 10);
      }
    }
    return times;
  }
}
