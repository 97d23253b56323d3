import { median } from "simple-statistics";
import { runInChild } from "../../measure/child.js";
import { medianInterval } from "../../measure/interval.js";
import { speedRatios, summarize } from "../../measure/statistics.js";
import { progress } from "../../progress.js";
import type { NumberColumn, NumbersResult, NumberTable } from "../../report/numbers.js";
import { spreadRow } from "../../report/spread-row.js";
import { formatRatio } from "../../report/table.js";
import type { RunOptions } from "../../suite.js";
import type { Operation } from "../../types.js";
import { type Candidate, candidates } from "./candidates.js";
import type { TimingJob, TimingResult } from "./timing.js";

type Size = TimingJob["size"];

/** A table: one message in one direction. */
export interface RaceTable {
  readonly id: string;
  readonly operation: Operation;
  readonly size: Size;
}

/** All tables of times. */
export const raceTables: readonly RaceTable[] = (["small", "large"] as const).flatMap((size) =>
  (["encode", "decode"] as const).map((operation) => ({ id: `${operation}-${size}`, operation, size })),
);

/** Least number of processes for which a 95 % interval of a median can exclude extremes. */
const DECODE_PROCESSES = 9;

/** V8 drops code that has not run during six full collections, which the long messages of other candidates would cause. */
const KEEP_CODE = ["--no-flush-bytecode"];

/** Measures one table, in new processes. */
export async function runRace({ id, operation, size }: RaceTable, options: RunOptions): Promise<NumberTable> {
  const { quick } = options;
  const processes = operation === "encode" || quick ? options.processes : Math.max(DECODE_PROCESSES, options.processes);
  const measurements: TimingResult[] = [];
  for (let repetition = 0; repetition < processes; repetition++) {
    progress(`protobuf: ${id}, ${repetition + 1} of ${processes}`);
    const job: TimingJob = { operation, size, quick, repetition };
    measurements.push(await runInChild<TimingResult>("protobuf", job, KEEP_CODE));
  }
  const { bytes } = measurements[0]!;
  return {
    id,
    title: `${operation === "encode" ? "Encoding" : "Decoding"} ${size === "small" ? "a small message" : "a large message"}`,
    text: `${text(size, bytes)} ${operation === "encode" ? SPREAD : INTERVAL}`,
    unit: "ratio",
    columns: columns(operation, size),
    rows: candidates.map((candidate) => row(candidate, operation, size, measurements)),
  };
}

function text(size: Size, bytes: number): string {
  const count = bytes.toLocaleString("en-US");
  return size === "small"
    ? `The message of protobuf.js's own benchmark, ${count} B.`
    : `A drawing of nested layers with many small messages in each, ${count} B.`;
}

const SPEED =
  "Times are medians with quartiles. Speed: ours in protobuf.js's generated code as a multiple of that version's own Writer " +
  "or Reader: bigger is better;";
const SPREAD = `${SPEED} with quartiles of all rounds.`;
const INTERVAL = `${SPEED} the median of the processes' medians with its 95 % interval, whose lower end must be above 1.`;

function columns(operation: Operation, size: Size): NumberColumn[] {
  return [
    { id: "time", title: size === "small" ? "ns" : "ms", unit: "count" },
    { id: "speed", title: "speed" },
    ...(operation === "decode" ? [{ id: "low", title: "speed, lower end" }] : []),
  ];
}

function row({ id, title, rival }: Candidate, operation: Operation, size: Size, measurements: readonly TimingResult[]) {
  const scale = size === "small" ? 1 : 1e-6;
  const time = summarize(measurements.map(({ times }) => times[id]!.map((nanoseconds) => nanoseconds * scale)));
  if (rival === undefined) return spreadRow(id, title, { time });
  const ratios = measurements.map(({ times }) => speedRatios(times[id]!, times[rival]!));
  if (operation === "encode") return spreadRow(id, title, { time, speed: summarize(ratios) });
  const speed = medianInterval(ratios.map((rounds) => median(rounds)));
  return spreadRow(id, title, { time, speed, low: speed.low });
}

/** Share of a committed speed below which it counts as lost: a loss of less than 15 % is noise. */
const KEPT_SHARE = 0.85;

/** One line for each speed that has fallen below the committed one. Quick runs report no lines. */
export function speedLosses(result: NumbersResult, committed: NumbersResult): string[] {
  if (result.quick || committed.quick) return [];
  return raceTables.flatMap(({ id }) => {
    const before = committed.tables.find((table) => table.id === id)?.rows ?? [];
    const now = result.tables.find((table) => table.id === id)?.rows ?? [];
    return before.flatMap((row) => {
      const was = row.values.speed;
      const is = now.find((other) => other.id === row.id)?.values.speed;
      if (was === undefined || is === undefined || is >= was * KEPT_SHARE) return [];
      return [`SLOWER: ${id}, ${row.title}: speed ${formatRatio(is)}, committed ${formatRatio(was)}`];
    });
  });
}
