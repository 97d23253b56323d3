import { median } from "simple-statistics";
import { speedRatios, summarize } from "../../measure/statistics.js";
import { progress } from "../../progress.js";
import type { NumberRow, NumberTable } from "../../report/numbers.js";
import { spreadRow } from "../../report/spread-row.js";
import type { Operation } from "../../types.js";
import { type GoSample, parseSample } from "./sample.js";
import type { GoBenchmarks } from "./toolchain.js";

/** A kind of message; `name` is its name in Go's benchmarks. */
interface GoWorkload {
  readonly id: string;
  readonly name: string;
  readonly title: string;
}

/** Kinds of messages, which the suite pck has too. */
export const workloads: readonly GoWorkload[] = [
  { id: "player", name: "Player", title: "Player" },
  { id: "hn", name: "HackerNews", title: "Hacker News, 500 stories" },
];

const OURS = "moonpack";
const CODECS = [
  { id: OURS, title: "moonpack" },
  { id: "msgp", title: "tinylib/msgp" },
  { id: "protobuf", title: "google.golang.org/protobuf" },
  { id: "json", title: "encoding/json" },
];

/** A kind of message in one direction: its times are compared. */
export interface GoRace {
  readonly workload: GoWorkload;
  readonly operation: Operation;
}

/** The length and number of measurements. */
export interface GoPace {
  readonly rounds: number;
  readonly milliseconds: number;
}

/** By codec, one sample for each round. */
export type GoTimes = Readonly<Record<string, readonly GoSample[]>>;

/**
 * Measures all codecs in each round; those that are compared run one after the other, starting with another one each
 * time.
 */
export async function runRaces(
  races: readonly GoRace[],
  benchmarks: Pick<GoBenchmarks, "run">,
  { rounds, milliseconds }: GoPace,
): Promise<NumberTable[]> {
  const times = races.map(() => Object.fromEntries(CODECS.map(({ id }) => [id, [] as GoSample[]])));
  for (let round = 0; round < rounds; round++) {
    progress(`go: round ${round + 1} of ${rounds}`);
    for (const [index, { workload, operation }] of races.entries()) {
      for (let turn = 0; turn < CODECS.length; turn++) {
        const { id } = CODECS[(turn + round) % CODECS.length]!;
        times[index]![id]!.push(parseSample(await benchmarks.run([workload.name, operation, id], milliseconds)));
      }
    }
  }
  return races.map((race, index) => raceTable(race, times[index]!));
}

/** The table of one kind of message in one direction. */
export function raceTable({ workload, operation }: GoRace, times: GoTimes): NumberTable {
  const rounds = times[OURS]!.length;
  return {
    id: `${workload.id}-${operation}`,
    title: `${workload.title}: ${operation === "encode" ? "encoding" : "decoding"}`,
    text:
      "Speed of ours as a multiple of theirs: bigger is better. Nanoseconds, bytes and allocations of a call: smaller is better. " +
      `Medians of ${rounds} rounds, speed and time with quartiles.`,
    unit: "count",
    columns: [
      { id: "speed", title: "ours / theirs", unit: "ratio" },
      { id: "time", title: "ns/op" },
      { id: "bytes", title: "B/op" },
      { id: "allocations", title: "allocs/op" },
      { id: "message", title: "bytes of the message" },
    ],
    rows: CODECS.map(({ id, title }) => codecRow(id, title, times[id]!, times[OURS]!)),
  };
}

function codecRow(id: string, title: string, samples: readonly GoSample[], ours: readonly GoSample[]): NumberRow {
  const nanoseconds = (list: readonly GoSample[]) => list.map(({ time }) => time);
  const speed = id === OURS ? undefined : summarize([speedRatios(nanoseconds(ours), nanoseconds(samples))]);
  const row = spreadRow(id, title, { speed, time: summarize([nanoseconds(samples)]) });
  // Counted, not timed: every digit is significant.
  const counted = (count: (sample: GoSample) => number) => median(samples.map(count));
  const counts = {
    bytes: counted(({ bytes }) => bytes),
    allocations: counted(({ allocations }) => allocations),
    message: counted(({ message }) => message),
  };
  return { ...row, values: { ...row.values, ...counts } };
}
