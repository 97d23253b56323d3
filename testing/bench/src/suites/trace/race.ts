/** Servers that are compared: they take turns, so that a change of the machine affects all of them equally. */
import { median } from "simple-statistics";
import { progress } from "../../progress.js";
import type { Scale } from "./scale.js";
import { ServerProcess, type Turn } from "./server-process.js";
import type { ServerJob } from "./servers/child.js";

/** One of the servers. */
export interface Racer {
  readonly id: string;
  readonly job: ServerJob;
}

/** A race of servers in one version of Node. */
export interface ServerRace {
  readonly title: string;
  readonly racers: readonly Racer[];
  readonly executable: string;
  readonly path: string;
  readonly connections: number;
}

/** Times of each racer, by its id: the turns of each repetition. */
export type Turns = ReadonlyMap<string, readonly (readonly Turn[])[]>;

/** In each repetition, all servers are new processes. Rounds have a turn of each, in an order that rotates. */
export async function raceServers(race: ServerRace, scale: Scale): Promise<Turns> {
  const turns = new Map(race.racers.map(({ id }) => [id, [] as Turn[][]]));
  for (let repetition = 0; repetition < scale.repetitions; repetition++) {
    progress(`trace: ${race.title}, ${repetition + 1} of ${scale.repetitions}`);
    const own = await repeatOnce(race, scale, repetition);
    for (const [id, taken] of own) turns.get(id)!.push(taken);
  }
  return turns;
}

async function repeatOnce(
  { racers, executable, path, connections }: ServerRace,
  { warmUpRounds, rounds, amount }: Scale,
  repetition: number,
): Promise<Map<string, Turn[]>> {
  const order = racers.map((_, position) => racers[(position + repetition) % racers.length]!);
  const servers: { id: string; server: ServerProcess }[] = [];
  try {
    for (const { id, job } of order) servers.push({ id, server: await ServerProcess.start(job, executable, path) });
    const turns = new Map(racers.map(({ id }) => [id, [] as Turn[]]));
    for (let round = -warmUpRounds; round < rounds; round++) {
      for (let position = 0; position < servers.length; position++) {
        const { id, server } = servers[(position + round + warmUpRounds) % servers.length]!;
        const turn = await server.turn(amount, connections);
        if (round >= 0) turns.get(id)!.push(turn);
      }
    }
    return turns;
  } finally {
    await Promise.all(servers.map(({ server }) => server.end()));
  }
}

/** For each repetition: the median, over its rounds, of a racer's processor time as a multiple of another one's. */
export function timeRatios(turns: Turns, racer: string, other: string): number[] {
  return turns.get(racer)!.map((own, repetition) => {
    const others = turns.get(other)![repetition]!;
    return median(own.map(({ processor }, round) => processor / others[round]!.processor));
  });
}

/** The same for requests per second. */
export function rateRatios(turns: Turns, racer: string, other: string): number[] {
  return turns.get(racer)!.map((own, repetition) => {
    const others = turns.get(other)![repetition]!;
    return median(own.map(({ rate }, round) => rate / others[round]!.rate));
  });
}

/** For each repetition, the median of a figure over its rounds. */
export function medians(turns: Turns, racer: string, figure: keyof Turn): number[] {
  return turns.get(racer)!.map((own) => median(own.map((turn) => turn[figure])));
}
