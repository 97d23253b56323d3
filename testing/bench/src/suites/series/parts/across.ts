import { progress } from "../../../progress.js";
import { spreadRow } from "../../../report/spread-row.js";
import { type AcrossJob, type AcrossResult, QUESTIONS, type Question } from "../jobs/across.js";
import { inFolder, type Part, runJob, spreadOf } from "./part.js";

const STORES: readonly { readonly id: AcrossJob["store"]; readonly title: string }[] = [
  { id: "files", title: "@moonpack/series, files()" },
  { id: "rocksdb", title: "@moonpack/series, rocksdb()" },
  { id: "duckdb", title: "DuckDB, a row a point" },
];

const TITLES: Readonly<Record<Question, string>> = {
  minutes: "average by minute, all, ms",
  hours: "average by hour, all, ms",
  lastHour: "last hour of 1,000 by minute, ms",
  newest: "newest of 1,000, ms",
  scattered: "newest of 1,000 that are scattered, ms",
  newestAll: "newest of all, ms",
};

/** Questions across metrics, beside DuckDB. */
export const acrossPart: Part = {
  id: "across",
  async run({ processes, folder, scale: { acrossMetrics: metrics, acrossTicks: ticks, acrossRounds: rounds } }) {
    const results = new Map<AcrossJob["store"], AcrossResult[]>(STORES.map(({ id }) => [id, []]));
    for (let repetition = 0; repetition < processes; repetition++) {
      for (let position = 0; position < STORES.length; position++) {
        const { id, title } = STORES[(position + repetition) % STORES.length]!;
        progress(`series: across metrics, ${title}, ${repetition + 1} of ${processes}`);
        const job = { kind: "across", store: id, metrics, ticks, rounds } as const;
        results.get(id)!.push(await inFolder(folder, (path) => runJob<AcrossResult>({ ...job, folder: path })));
      }
    }
    const all = [...results.values()].flat();
    for (const { found } of all)
      for (const question of QUESTIONS)
        if (found[question] !== all[0]!.found[question]) throw new Error(`stores differ in ${question}`);
    return [
      {
        id: "across",
        title: "Questions across metrics",
        text:
          `${metrics.toLocaleString("en-US")} metrics with ${ticks} points each, uniform integers, in one scrape every 3 s; the stores were closed and opened. ` +
          `Each question is asked ${rounds} times in a process, the least counts. Answers are a row for each metric and window, read in columns; their sums are compared. ` +
          `The median of ${processes} processes with the least and the greatest.`,
        unit: "count",
        columns: [
          ...QUESTIONS.map((id) => ({ id, title: TITLES[id] })),
          { id: "write", title: "points/s written" },
          { id: "bytes", title: "bytes a point" },
        ],
        rows: STORES.map(({ id, title }) => {
          const of = (figure: (result: AcrossResult) => number) => spreadOf(results.get(id)!.map(figure));
          return spreadRow(id, title, {
            ...Object.fromEntries(
              QUESTIONS.map((question) => [question, of(({ milliseconds }) => milliseconds[question])]),
            ),
            write: of(({ pointsPerSecond }) => pointsPerSecond),
            ...(id !== "duckdb" && { bytes: of(({ bytesPerPoint }) => bytesPerPoint!) }),
          });
        }),
      },
    ];
  },
};
