// The order of a race: samples of all codecs in each round, so that changes of the machine affect all of them.
import type { CodecId } from "./codecs.ts";
import { DIRECTIONS, type Direction } from "./sampling.ts";

/** Takes part in a race. */
export interface Runner {
  readonly id: CodecId;
  /** Takes a sample. Returns the nanoseconds of a message. */
  sample(direction: Direction, sampleMs: number): Promise<number>;
}

/** How long a race is. */
export interface Pace {
  readonly warmUp: number;
  readonly rounds: number;
  /** Milliseconds of a sample. */
  readonly sampleMs: number;
}

/** The nanoseconds of a message in each round. */
export type Times = Readonly<Record<Direction, ReadonlyMap<CodecId, readonly number[]>>>;

/**
 * Runs a race: in each round, each runner takes a sample of each direction, and another runner begins. `onRound` gets the times after
 * each round that counts. `onStep` hears of each sample. Throws the reason when the signal aborts.
 */
export async function race(
  runners: readonly Runner[],
  { warmUp, rounds, sampleMs }: Pace,
  { onRound, onStep }: { onRound(times: Times): void; onStep(done: number, all: number): void },
  signal: AbortSignal,
): Promise<void> {
  const lists = new Map(runners.map(({ id }) => [id, { encode: [] as number[], decode: [] as number[] }]));
  const all = (warmUp + rounds) * runners.length * DIRECTIONS.length;
  let done = 0;
  for (let round = 0; round < warmUp + rounds; round++) {
    for (let position = 0; position < runners.length; position++) {
      const runner = runners[(position + round) % runners.length]!;
      for (const direction of DIRECTIONS) {
        signal.throwIfAborted();
        const time = await runner.sample(direction, sampleMs);
        if (round >= warmUp) lists.get(runner.id)![direction].push(time);
        onStep(++done, all);
      }
    }
    if (round >= warmUp) onRound({ encode: copied("encode"), decode: copied("decode") });
  }

  function copied(direction: Direction): ReadonlyMap<CodecId, readonly number[]> {
    return new Map([...lists].map(([id, list]) => [id, [...list[direction]]]));
  }
}
