import { runInChild } from "../../measure/child.js";
import { type Summary, speedRatios, summarize } from "../../measure/statistics.js";
import type { NumberColumn, NumberRow, NumberTable } from "../../report/numbers.js";
import { progress } from "../../report/progress.js";
import { spreadRow } from "../../report/spread-row.js";
import type { RunOptions } from "../../suite.js";
import type { Operation } from "../../types.js";
import { players, playersOf } from "./players/index.js";
import type { Player } from "./players/player.js";
import type { TimingAnswer, TimingJob } from "./timing.js";
import type { Workload } from "./workloads/workload.js";

/** Who everybody is compared with. */
const [reference] = players;
const CLOSURES = "moonpack-closures";
const JSON_ID = "json";

/** V8 drops code that six full collections did not see run; it would when the others have long messages. */
const KEEP_CODE = ["--no-flush-bytecode"];

/** Measures each kind of message in one direction, in processes of their own, and answers the tables. */
export async function runRaces(
  operation: Operation,
  workloads: readonly Workload[],
  { processes, quick }: RunOptions,
): Promise<NumberTable[]> {
  const measured = new Map<Workload, TimingAnswer[]>();
  for (const workload of workloads) {
    const answers: TimingAnswer[] = [];
    for (let repetition = 0; repetition < processes; repetition++) {
      progress(`pck: ${operation} ${workload.id}, ${repetition + 1} of ${processes}`);
      const job: TimingJob = { operation, workload: workload.id, quick, repetition };
      answers.push(await runInChild<TimingAnswer>("pck", job, KEEP_CODE));
    }
    measured.set(workload, answers);
  }
  return [othersTable(operation, measured), oursTable(operation, measured), timesTable(operation, measured)];
}

type Measured = ReadonlyMap<Workload, readonly TimingAnswer[]>;

/** How many times as fast as `baseline` somebody was, round by round; undefined if one of them did not take part. */
function speed(answers: readonly TimingAnswer[], id: string, baseline: string): Summary | undefined {
  if (answers.some((times) => times[id] === undefined || times[baseline] === undefined)) return undefined;
  return summarize(answers.map((times) => speedRatios(times[id]!, times[baseline]!)));
}

function verb(operation: Operation): string {
  return operation === "encode" ? "Encoding" : "Decoding";
}

function asColumns(list: readonly Player[]): NumberColumn[] {
  return list.map(({ id, title }) => ({ id, title }));
}

const SPEED = "as a multiple of theirs: bigger is better; with quartiles of all rounds.";
const AGAINST: Readonly<Record<Operation, string>> = {
  encode:
    `Speed of our \`encodeShared\` ${SPEED} It answers a view of memory that is used again; so do avsc with a kept Buffer and ` +
    "seqproto with a view, all others answer results of their own.",
  decode: `Speed of our \`decode\` ${SPEED}`,
};

function othersTable(operation: Operation, measured: Measured): NumberTable {
  const rivals = playersOf(operation).filter(({ ours }) => !ours);
  return {
    id: `${operation}-others`,
    title: `${verb(operation)}: against others`,
    text: AGAINST[operation],
    unit: "ratio",
    columns: asColumns(rivals),
    rows: [...measured].map(([{ id, title }, answers]) =>
      spreadRow(
        id,
        title,
        Object.fromEntries(rivals.map((rival) => [rival.id, speed(answers, reference!.id, rival.id)])),
      ),
    ),
  };
}

function oursTable(operation: Operation, measured: Measured): NumberTable {
  const rows = [...measured].map(([{ id, title }, answers]) =>
    spreadRow(id, title, {
      closures: speed(answers, CLOSURES, reference!.id),
      json: speed(answers, CLOSURES, JSON_ID),
      emitted: speed(answers, "moonpack-emitted", reference!.id),
      ...(operation === "encode" ? { encode: speed(answers, "moonpack-encode", reference!.id) } : {}),
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
    title: `${verb(operation)}: ours among each other`,
    text: "Speed as a multiple of the other's: bigger is better; with quartiles of all rounds.",
    unit: "ratio",
    columns,
    rows: [...rows, worstRow(rows, columns)],
  };
}

/** The least number of each column: what holds everywhere. */
function worstRow(rows: readonly NumberRow[], columns: readonly NumberColumn[]): NumberRow {
  const least = ({ id }: NumberColumn) => [id, Math.min(...rows.map(({ values }) => values[id]!))] as const;
  return { id: "worst", title: "the least", values: Object.fromEntries(columns.map(least)) };
}

function timesTable(operation: Operation, measured: Measured): NumberTable {
  const everybody = playersOf(operation);
  return {
    id: `${operation}-times`,
    title: `${verb(operation)}: times`,
    text: "Nanoseconds for a message: smaller is better; medians with quartiles of all rounds.",
    unit: "count",
    columns: asColumns(everybody),
    rows: [...measured].map(([workload, answers]) =>
      spreadRow(
        workload.id,
        workload.title,
        Object.fromEntries(
          everybody
            .filter(({ id }) => answers.every((times) => id in times))
            .map(({ id }) => [id, summarize(answers.map((times) => times[id]!))]),
        ),
      ),
    ),
  };
}
