import { runInChild } from "../../measure/child.js";
import { type Summary, speedRatios, summarize } from "../../measure/statistics.js";
import { progress } from "../../progress.js";
import type { NumberColumn, NumberRow, NumberTable } from "../../report/numbers.js";
import { spreadRow } from "../../report/spread-row.js";
import type { RunOptions } from "../../suite.js";
import type { Operation } from "../../types.js";
import type { Candidate } from "./candidates/candidate.js";
import { candidates, candidatesOf } from "./candidates/index.js";
import type { TimingJob, TimingResult } from "./timing.js";
import type { Workload } from "./workloads/workload.js";

/** The candidate that the others are compared with. */
const [reference] = candidates;
const CLOSURES = "moonpack-closures";
const JSON_ID = "json";

/** V8 drops code that has not run during six full collections, which the long messages of other candidates would cause. */
const KEEP_CODE = ["--no-flush-bytecode"];

/** Measures each kind of message in one direction, each in new processes. Returns the tables. */
export async function runRaces(
  operation: Operation,
  workloads: readonly Workload[],
  { processes, quick }: RunOptions,
): Promise<NumberTable[]> {
  const measured = new Map<Workload, TimingResult[]>();
  for (const workload of workloads) {
    const measurements: TimingResult[] = [];
    for (let repetition = 0; repetition < processes; repetition++) {
      progress(`pck: ${operation} ${workload.id}, ${repetition + 1} of ${processes}`);
      const job: TimingJob = { operation, workload: workload.id, quick, repetition };
      measurements.push(await runInChild<TimingResult>("pck", job, KEEP_CODE));
    }
    measured.set(workload, measurements);
  }
  return [othersTable(operation, measured), oursTable(operation, measured)];
}

type Measured = ReadonlyMap<Workload, readonly TimingResult[]>;

/** How many times faster than `baseline` a candidate was, round by round; undefined if one of them did not take part. */
function speed(measurements: readonly TimingResult[], id: string, baseline: string): Summary | undefined {
  if (measurements.some((times) => times[id] === undefined || times[baseline] === undefined)) return undefined;
  return summarize(measurements.map((times) => speedRatios(times[id]!, times[baseline]!)));
}

function verb(operation: Operation): string {
  return operation === "encode" ? "Encoding" : "Decoding";
}

function asColumns(list: readonly Candidate[]): NumberColumn[] {
  return list.map(({ id, title }) => ({ id, title }));
}

const SPEED = "as a multiple of theirs: bigger is better; with quartiles of all rounds.";
const AGAINST: Readonly<Record<Operation, string>> = {
  encode:
    `Speed of our \`encodeShared\` ${SPEED} It returns a view of memory that it reuses, and so do avsc with a kept Buffer and ` +
    "seqproto with a view. All others return results with their own memory.",
  decode: `Speed of our \`decode\` ${SPEED}`,
};

function othersTable(operation: Operation, measured: Measured): NumberTable {
  const rivals = candidatesOf(operation).filter(({ ours }) => !ours);
  return {
    id: `${operation}-others`,
    title: `${verb(operation)}: compared with others`,
    text: AGAINST[operation],
    unit: "ratio",
    columns: asColumns(rivals),
    rows: [...measured].map(([{ id, title }, measurements]) =>
      spreadRow(
        id,
        title,
        Object.fromEntries(rivals.map((rival) => [rival.id, speed(measurements, reference!.id, rival.id)])),
      ),
    ),
  };
}

function oursTable(operation: Operation, measured: Measured): NumberTable {
  const rows = [...measured].map(([{ id, title }, measurements]) =>
    spreadRow(id, title, {
      closures: speed(measurements, CLOSURES, reference!.id),
      json: speed(measurements, CLOSURES, JSON_ID),
      emitted: speed(measurements, "moonpack-emitted", reference!.id),
      ...(operation === "encode" ? { encode: speed(measurements, "moonpack-encode", reference!.id) } : {}),
    }),
  );
  const columns = [
    { id: "closures", title: "without / with generated code" },
    { id: "json", title: "without generated code / JSON" },
    { id: "emitted", title: "emitted / generated in process" },
    ...(operation === "encode" ? [{ id: "encode", title: "`encode` / `encodeShared`" }] : []),
  ];
  return {
    id: `${operation}-ours`,
    title: `${verb(operation)}: ways of using moonpack`,
    text: "Speed as a multiple of the other's: bigger is better; with quartiles of all rounds.",
    unit: "ratio",
    columns,
    rows: [...rows, worstRow(rows, columns)],
  };
}

/** The least number of each column. */
function worstRow(rows: readonly NumberRow[], columns: readonly NumberColumn[]): NumberRow {
  const least = ({ id }: NumberColumn) => [id, Math.min(...rows.map(({ values }) => values[id]!))] as const;
  return { id: "worst", title: "the least", values: Object.fromEntries(columns.map(least)) };
}
