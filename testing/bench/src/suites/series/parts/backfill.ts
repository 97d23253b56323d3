import { progress } from "../../../progress.js";
import { spreadRow } from "../../../report/spread-row.js";
import type { BackfillJob, BackfillResult } from "../jobs/backfill.js";
import { CHILD, inFolder, MB, type Part, present, spreadOf } from "./part.js";
import { findRuntimeWithSqlite } from "./sqlite-runtime.js";

/** A row. */
interface Case extends Pick<BackfillJob, "store" | "maxHeadBytes"> {
  readonly id: string;
  readonly title: string;
}

const SMALL_HEAD = 32 * 2 ** 20;

const CASES: readonly Case[] = [
  { id: "files", store: "files", title: "@moonpack/series, files()" },
  { id: "files-small", store: "files", title: "files(), `maxHeadBytes` of 32 MiB", maxHeadBytes: SMALL_HEAD },
  { id: "rocksdb", store: "rocksdb", title: "@moonpack/series, rocksdb()" },
  { id: "duckdb", store: "duckdb", title: "DuckDB, its appender" },
  { id: "sqlite", store: "sqlite", title: "SQLite (node:sqlite), a row a point" },
];

/** The history of sensors, beside other databases. */
export const backfillPart: Part = {
  id: "backfill",
  async run({ processes, folder, versions, scale: { backfillSensors, backfillDays, backfillEvery } }) {
    const runtime = await findRuntimeWithSqlite<BackfillJob>(CHILD);
    const cases = CASES.filter(({ store }) => store !== "sqlite" || runtime.hasSqlite);
    const size = { sensors: backfillSensors, days: backfillDays, every: backfillEvery };
    const results = new Map<string, BackfillResult[]>(cases.map(({ id }) => [id, []]));
    for (let repetition = 0; repetition < processes; repetition++) {
      for (let position = 0; position < cases.length; position++) {
        const { id, title, ...of } = cases[(position + repetition) % cases.length]!;
        progress(`series: backfill, ${title}, ${repetition + 1} of ${processes}`);
        const job = { kind: "backfill", ...of, ...size } as const;
        results.get(id)!.push(await inFolder(folder, (path) => runtime.run<BackfillResult>({ ...job, folder: path })));
      }
    }
    versions.set("node of the backfill", runtime.version);
    return [
      {
        id: "backfill",
        title: "The history of sensors",
        text:
          `${backfillSensors} sensors with a point every ${backfillEvery / 1000} s for ${backfillDays} days, uniform integers: sensor by sensor, a day a call or transaction, in processes of Node ${runtime.version}. ` +
          "Until all is sealed, or checkpointed. Then the points are counted and summed. Peak: resident memory in MB, before the count. Bytes a point: all files of the folder after closing, without compaction; a store was opened once more, which deletes replaced files. " +
          `The median of ${processes} processes with the least and the greatest.`,
        unit: "count",
        columns: [
          { id: "rate", title: "points/s" },
          { id: "peak", title: "peak MB" },
          { id: "bytes", title: "bytes a point", unit: "ratio" },
        ],
        rows: cases.map(({ id, title }) => {
          const all = results.get(id)!;
          return spreadRow(id, title, {
            rate: spreadOf(all.map(({ pointsPerSecond }) => pointsPerSecond)),
            peak: spreadOf(present(all.map(({ peak }) => peak)).map((peak) => peak / MB)),
            bytes: spreadOf(all.map(({ bytesPerPoint }) => bytesPerPoint)),
          });
        }),
      },
    ];
  },
};
