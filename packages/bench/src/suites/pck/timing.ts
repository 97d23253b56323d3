import { type Contestant, interleave, type Pace } from "../../measure/interleave.js";
import type { Operation } from "../../types.js";
import { ArrivingCopies } from "../protobuf/inputs.js";
import type { Codec } from "./players/player.js";
import { type Ready, ready } from "./ready.js";
import { verify } from "./verify.js";
import { findWorkload } from "./workloads/index.js";
import type { Story } from "./workloads/workload.js";

/** Everybody's race on one kind of message in one direction. */
export interface TimingJob {
  readonly operation: Operation;
  readonly workload: string;
  readonly quick: boolean;
  /** Rotates the order of processes. */
  readonly repetition: number;
}

/** What a process measured: nanoseconds of a call, by player, for each round. */
export type TimingAnswer = Readonly<Record<string, readonly number[]>>;

const PACE: Pace = { warmUpRounds: 7, rounds: 15, sampleMs: 20 };
const QUICK_PACE: Pace = { warmUpRounds: 3, rounds: 5, sampleMs: 3 };

/** What each runtime reads and loads in its own way. */
export interface Given {
  readonly stories: readonly Story[];
  /** The module that was emitted for the workload, if it can be loaded. */
  readonly emitted?: Codec;
}

/** Checks everybody, then measures. Free of Node's modules, but for the parser of Protobuf's schemas. */
export function measureTimes(job: TimingJob, { stories, emitted }: Given): TimingAnswer {
  const workload = findWorkload(job.workload);
  const everybody = ready(workload, job.operation, workload.values(stories), emitted);
  verify(everybody, workload);
  const contestants = everybody.map((each) => contestant(each, job.operation));
  return Object.fromEntries(interleave(contestants, job.quick ? QUICK_PACE : PACE, job.repetition * 5));
}

function contestant({ player, codec, messages }: Ready, operation: Operation): Contestant {
  // Copies: what shared memory holds is gone with the next call.
  const payloads = messages.map((message) => Uint8Array.from(codec.encode(message)));
  const bytes = payloads.reduce((sum, { length }) => sum + length, 0) / payloads.length;
  const { id } = player;
  // The codec's very functions: closures around them would be one call site for all players.
  if (operation === "encode") {
    return { id, bytes, call: codec.encode as Contestant["call"], prepare: inTurn(messages, (message) => message) };
  }
  const copies = new ArrivingCopies();
  return {
    id,
    bytes,
    call: codec.decode as Contestant["call"],
    prepare: inTurn(payloads, (each) => copies.copy(each)),
  };
}

/** Takes `items` in turn, each through `make`, into an array that is used again for the next batch. */
function inTurn<Item>(items: readonly Item[], make: (item: Item) => unknown): Contestant["prepare"] {
  const batch: unknown[] = [];
  let next = 0;
  return (count) => {
    batch.length = count;
    for (let index = 0; index < count; index++) {
      batch[index] = make(items[next]!);
      next = next + 1 === items.length ? 0 : next + 1;
    }
    return batch;
  };
}
