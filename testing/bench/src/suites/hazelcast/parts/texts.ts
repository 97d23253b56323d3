import { progress } from "../../../progress.js";
import type { NumberTable } from "../../../report/numbers.js";
import { spreadRow } from "../../../report/spread-row.js";
import type { Round, Turns } from "../jobs/rounds.js";
import { figure, type Part, ratio, runJob } from "./part.js";

const SIZES = [
  { id: "3", title: "3 B", bytes: 3, keys: 10_000 },
  { id: "1k", title: "1 KB", bytes: 1024, keys: 1000 },
  { id: "100k", title: "100 KB", bytes: 102_400, keys: 100 },
] as const;
const SCENARIOS = ["set", "get"] as const;
const rate = ({ perSecond }: Round): number => perSecond;

/** The table of the article on the client's benchmark runner. */
export const textsPart: Part = {
  id: "texts",
  async run({ place, processes, scale: { rounds, roundMs, warmupMs } }) {
    const cases = SCENARIOS.flatMap((scenario) => SIZES.map((size) => ({ scenario, size, results: [] as Turns[] })));
    for (let repetition = 0; repetition < processes; repetition++) {
      for (const { scenario, size, results } of cases) {
        progress(`hazelcast: ${scenario} ${size.title} of text, ${repetition + 1} of ${processes}`);
        const { bytes, keys } = size;
        results.push(await runJob({ kind: "texts", place, bytes, scenario, keys, rounds, roundMs, warmupMs }));
      }
    }
    return [speedTable(cases)];
  },
};

type Case = {
  readonly scenario: "get" | "set";
  readonly size: (typeof SIZES)[number];
  readonly results: readonly Turns[];
};

function speedTable(cases: readonly Case[]): NumberTable {
  return {
    id: "texts",
    title: "Texts: the article's table",
    text:
      "Operations a second. Off, on: the client's own pipelining (`hazelcast.client.autopipelining.enabled`), which is on by default. Ours: all messages of a turn of the event loop are " +
      "one write, by the PipelinedWriter of `moonpack/node`. The client has no interface for that, so the benchmark replaces the writer in the client's private " +
      "connections; no program should. Its cost includes a Buffer for each message, which the client's own writer does without up to 64 KiB. " +
      "@moonpack/hazelcast leaves texts to the client. Ratios are taken within a round; medians with quartiles.",
    unit: "count",
    columns: [
      { id: "off", title: "off" },
      { id: "on", title: "on" },
      { id: "turns", title: "ours" },
      { id: "onRatio", title: "on / off", unit: "ratio" },
      { id: "turnsRatio", title: "ours / on", unit: "ratio" },
    ],
    rows: cases.map(({ scenario, size, results }) =>
      spreadRow(`${scenario}-${size.id}`, `${scenario} ${size.title}`, {
        off: figure(results, "off", rate),
        on: figure(results, "on", rate),
        turns: figure(results, "turns", rate),
        onRatio: ratio(results, "on", "off", rate),
        turnsRatio: ratio(results, "turns", "on", rate),
      }),
    ),
  };
}
