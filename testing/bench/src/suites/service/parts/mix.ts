import { CLASSES } from "../../../corpus/kind.js";
import { progress } from "../../../progress.js";
import type { NumberColumn, NumberTable } from "../../../report/numbers.js";
import { spreadRow } from "../../../report/spread-row.js";
import type { Candidate, Operation } from "../../../types.js";
import { ours, rivals } from "../candidates.js";
import { type GroupTimes, interruptedShare, microsOf, speedOf } from "../figures.js";
import { FRAGMENTS } from "../fragments.js";
import { classRange, type MixResult } from "../jobs/mix.js";
import { planOf } from "../sequence.js";
import { canDo, type Part, type PartRun, runJob, type Spread, spreadOf, VERBS } from "./part.js";

/** Processes of a whole run: the most frequent kinds, and with them the ratios, differ from seed to seed. */
const SEEDS = 11;

/** Our candidates with all others, interleaved. */
export const mixPart: Part = {
  id: "mix",
  async run(run) {
    const tables: NumberTable[] = [];
    for (const operation of run.operations) {
      for (const candidate of ours) {
        if (!run.chooses(`mix-${candidate.id}`) || !canDo(candidate, operation)) continue;
        tables.push(...(await measure(run, operation, candidate)));
      }
    }
    return tables;
  },
};

async function measure(run: PartRun, operation: Operation, candidate: Candidate): Promise<NumberTable[]> {
  const { quick, folder } = run;
  const results: MixResult[] = [];
  const seeds = quick ? run.processes : Math.max(SEEDS, run.processes);
  for (let seed = 1; seed <= seeds; seed++) {
    progress(`service: ${operation}, ${candidate.id} among others, ${seed} of ${seeds}`);
    results.push(await runJob<MixResult>({ kind: "mix", folder, operation, candidate: candidate.id, seed, quick }));
  }
  const suffix = candidate.id.replace(/^moonpack/, "");
  const sections = sectionsTable(
    `${operation}${suffix}`,
    `${VERBS[operation]}: ${candidate.title}`,
    candidate,
    results,
    quick,
  );
  // Classes and times of our other candidates differ less from the first one's than seeds differ.
  if (candidate !== ours[0]) return [sections];
  return [
    sections,
    classesTable(`${operation}-classes`, operation, candidate, results, quick),
    timesTable(`${operation}-times`, operation, candidate, results, quick),
  ];
}

/** The columns of all others. */
export const rivalColumns: readonly NumberColumn[] = rivals.map(({ id, title }) => ({ id, title }));

/** How many times faster one candidate was than the others, in each process. */
export function speeds(
  processes: readonly Readonly<Record<string, GroupTimes>>[],
  candidate: string,
  range: { readonly from: number; readonly to: number },
  others: readonly Candidate[] = rivals,
): Record<string, Spread | number> {
  return Object.fromEntries(
    others.flatMap(({ id }) => {
      const found = processes.filter((times) => times[id] !== undefined && times[candidate] !== undefined);
      if (found.length === 0) return [];
      return [[id, spreadOf(found.map((times) => speedOf(times[candidate]!, times[id]!, range)))]];
    }),
  );
}

function sectionsTable(
  id: string,
  title: string,
  candidate: Candidate,
  results: readonly MixResult[],
  quick: boolean,
): NumberTable {
  const mixes = results.map(({ mix }) => mix);
  const share = Math.max(...mixes.flatMap((mix) => Object.values(mix).map(interruptedShare)));
  return {
    id,
    title,
    text:
      `How many times faster than each other library, in the same process; ${counted(results.length)}, with the ` +
      `least and the greatest in brackets. At most ${Math.ceil(share * 100)} % of the groups of a library were interrupted and do not count.`,
    unit: "ratio",
    columns: rivalColumns,
    rows: planOf(quick).sections.map((section) =>
      spreadRow(section.id, section.title, speeds(mixes, candidate.id, section)),
    ),
  };
}

function counted(seeds: number): string {
  return seeds === 1 ? "one seed" : `the median of ${seeds} seeds, each in its own process`;
}

/** Classes by themselves, with the least of their medians. */
function classesTable(
  id: string,
  operation: Operation,
  candidate: Candidate,
  results: readonly MixResult[],
  quick: boolean,
): NumberTable {
  const rowOf = (name: string, shown = name) =>
    spreadRow(
      name,
      shown,
      speeds(
        results.map(({ classes }) => classes[name]!),
        candidate.id,
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
    id,
    title: `${VERBS[operation]}: ${candidate.title}, each class by itself`,
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

function timesTable(
  id: string,
  operation: Operation,
  candidate: Candidate,
  results: readonly MixResult[],
  quick: boolean,
): NumberTable {
  return {
    id,
    title: `${VERBS[operation]}: ${candidate.title}, times`,
    text: "Microseconds per message in these processes.",
    unit: "count",
    columns: planOf(quick).sections.map((section) => ({ id: section.id, title: section.title })),
    rows: [candidate, ...rivals].flatMap((each) => {
      const mixes = results.flatMap(({ mix }) => mix[each.id] ?? []);
      if (mixes.length === 0) return [];
      const cells = planOf(quick).sections.map((section) => [
        section.id,
        spreadOf(mixes.map((times) => microsOf(times, section))),
      ]);
      return [spreadRow(each.id, each.title, Object.fromEntries(cells))];
    }),
  };
}
