import { CLASSES } from "../../../corpus/kind.js";
import { progress } from "../../../progress.js";
import type { NumberColumn, NumberTable } from "../../../report/numbers.js";
import { spreadRow } from "../../../report/spread-row.js";
import type { Candidate, Operation } from "../../../types.js";
import { ours, rivals } from "../candidates.js";
import { type GroupTimes, interruptedShare, speedOf } from "../figures.js";
import { FRAGMENTS } from "../fragments.js";
import { AGAIN, classRange, type MixResult } from "../jobs/mix.js";
import { planOf } from "../sequence.js";
import { type Part, type PartRun, runJob, type Spread, spreadOf, VERBS } from "./part.js";

/** Processes of a whole run: the most frequent kinds, and with them the ratios, differ from seed to seed. */
const SEEDS = 11;

/** Our functions and all others, by turns. */
export const mixPart: Part = {
  id: "mix",
  async run(run) {
    const tables: NumberTable[] = [];
    for (const operation of run.operations) if (run.chooses("mix")) tables.push(...(await measure(run, operation)));
    return tables;
  },
};

async function measure({ quick, folder, processes }: PartRun, operation: Operation): Promise<NumberTable[]> {
  const results: MixResult[] = [];
  const seeds = quick ? processes : Math.max(SEEDS, processes);
  for (let seed = 1; seed <= seeds; seed++) {
    progress(`service: ${operation}, all by turns, ${seed} of ${seeds}`);
    results.push(await runJob<MixResult>({ kind: "mix", folder, operation, seed, quick }));
  }
  return [sectionsTable(operation, results, quick), classesTable(operation, results, quick)];
}

/** The columns of all others. */
export const rivalColumns: readonly NumberColumn[] = rivals.map(({ id, title }) => ({ id, title }));

/** How many times faster ours was than the others, in each process. */
export function speeds(
  processes: readonly Readonly<Record<string, GroupTimes>>[],
  range: { readonly from: number; readonly to: number },
  others: readonly Candidate[] = rivals,
): Record<string, Spread | number> {
  return Object.fromEntries(
    others.flatMap(({ id }) => {
      const found = processes.filter((times) => times[id] !== undefined && times[ours.id] !== undefined);
      if (found.length === 0) return [];
      return [[id, spreadOf(found.map((times) => speedOf(times[ours.id]!, times[id]!, range)))]];
    }),
  );
}

function sectionsTable(operation: Operation, results: readonly MixResult[], quick: boolean): NumberTable {
  const mixes = results.map(({ mix }) => mix);
  const again = results.flatMap((result) => (result.again === undefined ? [] : [result.again]));
  const share = Math.max(...mixes.flatMap((mix) => Object.values(mix).map(interruptedShare)));
  return {
    id: operation,
    title: `${VERBS[operation]}: ${ours.title}`,
    text:
      `How many times faster than each other library, in the same process; ${counted(results.length)}, with the ` +
      `least and the greatest in brackets. At most ${Math.ceil(share * 100)} % of the groups of a library were interrupted and do not count.`,
    unit: "ratio",
    columns: rivalColumns,
    rows: [
      ...planOf(quick).sections.map((section) => spreadRow(section.id, section.title, speeds(mixes, section))),
      ...(again.length === 0
        ? []
        : [spreadRow("again", "the same values again, not just built", speeds(again, AGAIN))]),
    ],
  };
}

function counted(seeds: number): string {
  return seeds === 1 ? "one seed" : `the median of ${seeds} seeds, each in its own process`;
}

/** Classes by themselves, with the least of their medians. */
function classesTable(operation: Operation, results: readonly MixResult[], quick: boolean): NumberTable {
  const rowOf = (name: string, shown = name) =>
    spreadRow(
      name,
      shown,
      speeds(
        results.map(({ classes }) => classes[name]!),
        classRange(quick),
      ),
    );
  const rows = CLASSES.map((name) => rowOf(name));
  const worst = Object.fromEntries(
    rivals.flatMap(({ id: rival }) => {
      const values = rows.flatMap(({ values }) => values[rival] ?? []);
      return values.length === 0 ? [] : [[rival, Math.min(...values)]];
    }),
  );
  return {
    id: `${operation}-classes`,
    title: `${VERBS[operation]}: ${ours.title}, each class by itself`,
    text: "The same after the mix, in the same processes: messages of one class only. The last two rows are parts of documents.",
    unit: "ratio",
    columns: rivalColumns,
    rows: [
      ...rows,
      { id: "worst", title: "**worst class**", values: worst },
      ...Object.entries(FRAGMENTS).map(([name, shown]) => rowOf(name, shown)),
    ],
  };
}
