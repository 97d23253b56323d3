import { progress } from "../../../progress.js";
import type { NumberTable } from "../../../report/numbers.js";
import { spreadRow } from "../../../report/spread-row.js";
import type { Operation } from "../../../types.js";
import { candidates, isAvailable } from "../candidates.js";
import type { GroupTimes } from "../figures.js";
import { type AloneResult, LATENCY_MESSAGES } from "../jobs/alone.js";
import { latenciesOf } from "../latencies.js";
import { planOf } from "../sequence.js";
import { rivalColumns, speeds } from "./mix.js";
import { type Part, type PartRun, runJob, spreadOf, VERBS } from "./part.js";

/** Processes of each candidate in a whole run. */
const SEEDS = 7;

/** Every candidate in its own processes, through the sequences of the mix. */
export const alonePart: Part = {
  id: "alone",
  async run(run) {
    const tables: NumberTable[] = [];
    for (const operation of run.operations) if (run.chooses("alone")) tables.push(...(await measure(run, operation)));
    return tables;
  },
};

async function measure({ quick, folder, processes: wanted }: PartRun, operation: Operation): Promise<NumberTable[]> {
  const processes = quick ? wanted : Math.max(SEEDS, wanted);
  const racing = candidates.filter(isAvailable);
  const latencies = new Map<string, string[]>(racing.map(({ id }) => [id, []]));
  const times: Record<string, GroupTimes>[] = [];
  for (let seed = 1; seed <= processes; seed++) {
    const ofSeed: Record<string, GroupTimes> = {};
    for (let position = 0; position < racing.length; position++) {
      const candidate = racing[(position + seed * 5) % racing.length]!.id;
      progress(`service: ${operation}, ${candidate} alone, ${seed} of ${processes}`);
      const result = await runJob<AloneResult>({ kind: "alone", folder, operation, candidate, seed, quick });
      ofSeed[candidate] = result.times;
      latencies.get(candidate)!.push(result.latencies);
    }
    times.push(ofSeed);
  }
  return [
    {
      id: `${operation}-alone`,
      title: `${VERBS[operation]}: every library in its own process`,
      text: `How many times faster with the same messages, but without others in the process; the median of ${processes} processes each.`,
      unit: "ratio",
      columns: rivalColumns,
      rows: planOf(quick).sections.map(({ id, title, ...range }) => spreadRow(id, title, speeds(times, range))),
    },
    {
      id: `${operation}-latency`,
      title: `${VERBS[operation]}: latency`,
      text: `Microseconds of single messages among the first ${LATENCY_MESSAGES.toLocaleString("en-US")} in a process without other libraries, from HDR histograms; the median of ${processes} processes, with the least and the greatest. Groups of 32 in which the process was interrupted are left out.`,
      unit: "count",
      columns: [
        { id: "p50", title: "p50" },
        { id: "p99", title: "p99" },
        { id: "max", title: "max" },
      ],
      rows: racing.map(({ id, title }) => {
        const figures = latencies.get(id)!.map(latenciesOf);
        return spreadRow(id, title, {
          p50: spreadOf(figures.map(({ p50 }) => p50)),
          p99: spreadOf(figures.map(({ p99 }) => p99)),
          max: spreadOf(figures.map(({ max }) => max)),
        });
      }),
    },
  ];
}
