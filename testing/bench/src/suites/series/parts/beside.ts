import { progress } from "../../../progress.js";
import { spreadRow } from "../../../report/spread-row.js";
import type { BesideJob, BesideResult } from "../jobs/beside.js";
import { inFolder, type Part, present, runJob, spreadOf } from "./part.js";

const READERS = [0, 1, 4];

/** Readers beside the writer. */
export const besidePart: Part = {
  id: "beside",
  async run({ processes, folder, scale: { besideMetrics: metrics, besideSeconds: seconds } }) {
    const rows = [];
    for (const readers of READERS) {
      const results: BesideResult[] = [];
      for (let repetition = 0; repetition < processes; repetition++) {
        progress(`series: ${readers} readers beside the writer, ${repetition + 1} of ${processes}`);
        const job = { kind: "beside", metrics, seconds, readers } as const;
        results.push(
          await inFolder(folder, (path) => runJob<BesideResult>({ ...job, folder: path } satisfies BesideJob)),
        );
      }
      const title = readers === 0 ? "no reader" : readers === 1 ? "one reader" : `${readers} readers`;
      rows.push(
        spreadRow(`readers-${readers}`, title, {
          rate: spreadOf(results.map(({ pointsPerSecond }) => pointsPerSecond)),
          reads: spreadOf(present(results.map(({ readsPerSecond }) => readsPerSecond))),
          lag: spreadOf(present(results.map(({ lag }) => lag))),
          greatest: spreadOf(present(results.map(({ greatestLag }) => greatestLag))),
        }),
      );
    }
    return [
      {
        id: "beside",
        title: "Readers beside the writer",
        text:
          `A process writes a report of ${metrics.toLocaleString("en-US")} metrics every 100 ms, in real time, to a store of files(). Others open it with \`readOnly\`, each reads 20 points of a random metric by its name, one after the other, for ${seconds} s, and compares them. ` +
          "Points/s: of the time in which the writer wrote. Reads/s: of all readers. Age: of the newest point that a reader sees, of which up to 100 ms are the time between two reports. " +
          `The median of ${processes} processes with the least and the greatest.`,
        unit: "count",
        columns: [
          { id: "rate", title: "points/s" },
          { id: "reads", title: "reads/s" },
          { id: "lag", title: "age, ms" },
          { id: "greatest", title: "greatest age, ms" },
        ],
        rows,
      },
    ];
  },
};
