/** The cost of the runner itself: its target does nothing. */
import { type LoadOptions, load, type Summary, type Target } from "@moonpack/load";
import { summarize } from "../../measure/statistics.js";
import { progress } from "../../progress.js";
import { spreadRow } from "../../report/spread-row.js";
import { type Part, runPart } from "./part.js";

const CASES: readonly { readonly id: string; readonly title: string; readonly options: LoadOptions }[] = [
  { id: "1", title: "1 in flight", options: { concurrency: 1 } },
  { id: "64", title: "64 in flight", options: { concurrency: 64 } },
  { id: "1000", title: "1,000 in flight", options: { concurrency: 1000 } },
  {
    id: "mixed",
    title: "64 in flight, 80 % get, 20 % set, Zipf",
    options: { scenario: { gets: 80 }, distribution: "zipf" },
  },
  { id: "rate", title: "20,000 a second", options: { rate: 20_000 } },
];

/** The figures of a process, for each round. */
interface CostResult {
  readonly perSecond: readonly number[];
  readonly cpuMicros: readonly number[];
  readonly late: Summary["late"];
}

const ROUNDS = 5;

/** The runner's own cost. */
export const cost: Part = {
  id: "cost",
  async run({ quick, processes }) {
    const rows = [];
    for (const { id, title, options } of CASES) {
      const results: CostResult[] = [];
      for (let repetition = 0; repetition < processes; repetition++) {
        progress(`runner: its cost, ${title}, ${repetition + 1} of ${processes}`);
        const length = quick ? { duration: 200, warmup: 300 } : { duration: 1000, warmup: 1000 };
        results.push(await runPart<CostResult>("cost", { ...options, ...length, rounds: ROUNDS }));
      }
      const late = (percentile: "p50" | "p99") => {
        const times = results.flatMap((result) => (result.late === null ? [] : [[result.late[percentile] * 1000]]));
        return times.length === 0 ? undefined : summarize(times);
      };
      rows.push(
        spreadRow(id, title, {
          perSecond: summarize(results.map(({ perSecond }) => perSecond)),
          cpu: summarize(results.map(({ cpuMicros }) => cpuMicros.map((micros) => micros * 1000))),
          late50: late("p50"),
          late99: late("p99"),
        }),
      );
    }
    return [
      {
        id: "cost",
        title: "A target that does nothing",
        text:
          "`async get() {}` in the runner's own process: keys, clock, histogram and promises are all that is left. CPU counts all threads, without the " +
          `time in which the runner only waits. Medians of ${ROUNDS} rounds in each of several processes, with quartiles.`,
        unit: "count",
        columns: [
          { id: "perSecond", title: "operations/s" },
          { id: "cpu", title: "CPU ns an operation" },
          { id: "late50", title: "starts late, p50 µs" },
          { id: "late99", title: "p99 µs" },
        ],
        rows,
      },
    ];
  },
  async work(job) {
    const target: Target = { name: "nothing", async get() {}, async set() {} };
    const { rounds, summary } = await load(target, job as LoadOptions);
    return {
      perSecond: rounds.map(({ perSecond }) => perSecond),
      cpuMicros: rounds.map(({ cpuMicros }) => cpuMicros),
      late: summary!.late,
    } satisfies CostResult;
  },
};
