/** PromQL over a store, beside a Prometheus server with the same data. */
import { findRuntime } from "@moonpack/tools/runtimes";
import { runInChild } from "../../measure/child.js";
import { summarize } from "../../measure/statistics.js";
import { progress } from "../../progress.js";
import { type NumberRow, type NumbersResult, numbersPage } from "../../report/numbers.js";
import { spreadRow } from "../../report/spread-row.js";
import { resultHead } from "../../results.js";
import type { Suite } from "../../suite.js";
import { type Data, queriesOf } from "./data.js";
import { type Measured, measureOurs } from "./ours.js";
import { measureServer } from "./server.js";

interface Job {
  readonly data: Data;
  readonly rounds: number;
  /** The program of Prometheus; undefined for our side. */
  readonly executable?: string;
}

const SIZES = [
  { id: "1000", series: 1000, hours: 6 },
  { id: "10000", series: 10_000, hours: 6 },
  { id: "day", series: 10_000, hours: 24 },
];
const TITLES = { rate: "`sum by (job) (rate(x[5m]))`, 250 steps", instant: "`sum(x)` at one time" };

/** Queries of Prometheus. */
export const prometheus: Suite<NumbersResult> = {
  name: "prometheus",
  title: "PromQL",
  async run({ quick, filter }) {
    const found = await findRuntime("prometheus");
    if (found === undefined) progress("prometheus: without a server (node scripts/runtimes.mjs prometheus)\n");
    const times: NumberRow[] = [];
    const memory: NumberRow[] = [];
    for (const { id, ...size } of SIZES.filter(
      (one) => (filter?.test(one.id) ?? true) && (!quick || one.id === "1000"),
    )) {
      // Blocks of Prometheus begin at full two hours.
      const end = Math.floor(Date.now() / 7_200_000) * 7_200_000;
      const data = { ...size, hours: quick ? 1 : size.hours, end };
      const title = `${size.series.toLocaleString("en")} series, ${data.hours} h`;
      const job = { data, rounds: quick ? 3 : 11 };
      progress(`prometheus: ${title}, ours`);
      const ours = await runInChild<Measured>("prometheus", job);
      progress(`prometheus: ${title}, the server`);
      const server =
        found === undefined
          ? undefined
          : await runInChild<Measured>("prometheus", { ...job, executable: found.executable });
      for (const query of queriesOf(data)) {
        if (server !== undefined) checkEqual(ours.queries[query.id]!.result, server.queries[query.id]!.result);
        const cells = { ours: timesOf(ours, query.id), server: server && timesOf(server, query.id) };
        times.push(spreadRow(`${query.id}-${id}`, `${TITLES[query.id]}: ${title}`, cells));
      }
      memory.push(spreadRow(id, title, { ours: ours.megabytes, server: server?.megabytes }));
    }
    progress("");
    const columns = [
      { id: "ours", title: "@moonpack/prometheus" },
      { id: "server", title: `Prometheus ${found?.version ?? "(not installed)"}` },
    ];
    const text = "Over HTTP on loopback, from the request to the end of the answer.";
    return {
      ...resultHead("prometheus", quick, ["@moonpack/prometheus", "@moonpack/series"]),
      tables: [
        {
          id: "times",
          title: "Times in milliseconds",
          text: `${text} Medians with quartiles.`,
          unit: "count",
          columns,
          rows: times,
        },
        {
          id: "memory",
          title: "Memory in MB",
          text: "The greatest memory of the process. Ours has written the data before.",
          unit: "count",
          columns,
          rows: memory,
        },
      ],
    };
  },
  work: (job) => {
    const { data, rounds, executable } = job as Job;
    return executable === undefined ? measureOurs(data, rounds) : measureServer(executable, data, rounds);
  },
  page: (result) => numbersPage(prometheus.title, result),
};

function timesOf({ queries }: Measured, id: string) {
  return summarize([queries[id]!.times]);
}

interface Row {
  readonly metric: { readonly job?: string };
  readonly value?: readonly [number, string];
  readonly values?: readonly (readonly [number, string])[];
}

/** Throws unless both sides have the same series, times and values, apart from the last digits. */
function checkEqual(ours: unknown, theirs: unknown): void {
  const flat = (rows: unknown): (string | number)[] =>
    [...(rows as Row[])]
      .sort((a, b) => ((a.metric.job ?? "") < (b.metric.job ?? "") ? -1 : 1))
      .flatMap(({ metric, value, values = [value!] }) => [metric.job ?? "", ...values.flat().map(Number)]);
  const [a, b] = [flat(ours), flat(theirs)];
  const isSame = (x: string | number, y: string | number | undefined) =>
    x === y || Math.abs(Number(x) - Number(y)) <= 1e-9 * Math.abs(Number(x));
  const different = a.findIndex((x, i) => !isSame(x, b[i]));
  if (a.length !== b.length || different >= 0)
    throw new Error(`different answers: ${a.length} and ${b.length} items, ${a[different]} and ${b[different]}`);
}
