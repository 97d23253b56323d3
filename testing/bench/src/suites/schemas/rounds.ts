import { median } from "simple-statistics";
import { Companion } from "../../measure/companion.js";
import type { Operation } from "../../types.js";
import type { Turn, TurnTime } from "./cases.js";
import type { Reply, Request, SchemaJob } from "./child.js";

const CHILD = new URL("./child.js", import.meta.url);

/** A process that measures, and gets ready in the meantime. */
export type Bench = Companion<Request, Reply>;

/** Starts a process. */
export function startBench(job: SchemaJob): Bench {
  return new Companion<Request, Reply>(CHILD, [JSON.stringify(job)]);
}

/** Ends processes. */
export async function endAll(benches: readonly Bench[]): Promise<void> {
  for (const bench of benches) await bench.end();
}

/** A process with the turns that it takes. */
export interface Runner {
  readonly bench: Bench;
  /** The schemas of the messages of each turn, by its number. */
  schemas(turn: number): readonly number[];
}

/** How long to measure. */
export interface Pace {
  /** Milliseconds of work of each process before measuring. */
  readonly warmUpMs: number;
  readonly rounds: number;
}

/** Gives a process turns until it has worked for so long. Returns how many. */
export async function warmUp({ bench, schemas }: Runner, operation: Operation, { warmUpMs }: Pace): Promise<number> {
  let turn = 0;
  for (let micros = 0; micros < warmUpMs * 1000; turn++) {
    micros += (await takeTurn(bench, { operation, schemas: schemas(turn) })).micros;
  }
  return turn;
}

/** Microseconds per message of each process in each round. The processes take turns, in an order that rotates. */
export async function takeRounds(
  runners: readonly Runner[],
  operation: Operation,
  { rounds }: Pace,
): Promise<number[][]> {
  const all: number[][] = [];
  for (let round = 0; round < rounds; round++) {
    const times: number[] = [];
    for (let position = 0; position < runners.length; position++) {
      const index = (position + round) % runners.length;
      const { bench, schemas } = runners[index]!;
      const messages = schemas(round);
      times[index] = (await takeTurn(bench, { operation, schemas: messages })).micros / messages.length;
    }
    all.push(times);
  }
  return all;
}

async function takeTurn(bench: Bench, turn: Turn): Promise<TurnTime> {
  return (await bench.ask(turn)) as TurnTime;
}

/** How many times faster than the process `other` the process `index` was: the median of all rounds. */
export function speedOf(rounds: readonly (readonly number[])[], index: number, other: number): number {
  return median(rounds.map((times) => times[other]! / times[index]!));
}
