import { progress } from "../../../progress.js";
import { spreadRow } from "../../../report/spread-row.js";
import { syncMilliseconds } from "../folder.js";
import { ways } from "../jobs/ways.js";
import type { WriteResult } from "../jobs/write.js";
import { NODES, TICKS_A_MINUTE } from "../load.js";
import { inFolder, MB, type Part, present, runJob, spreadOf } from "./part.js";

const DURABILITIES = ["batch", "sync"] as const;

/** The ways to write, each with each durability. */
export const writePart: Part = {
  id: "write",
  async run({ processes, folder, scale }) {
    const { metrics, minutes, rowMinutes, singleTicks } = scale;
    const cases = ways.flatMap((way) => DURABILITIES.map((durability) => ({ way, durability })));
    const results = cases.map((): WriteResult[] => []);
    const syncs: number[] = [];
    for (let repetition = 0; repetition < processes; repetition++) {
      syncs.push(syncMilliseconds(folder));
      for (let position = 0; position < cases.length; position++) {
        const index = (position + repetition * 3) % cases.length;
        const { way, durability } = cases[index]!;
        progress(`series: ${way.id}, ${durability}, ${repetition + 1} of ${processes}`);
        const ticks =
          way.id === "scrape"
            ? minutes * TICKS_A_MINUTE
            : way.id === "single"
              ? singleTicks
              : rowMinutes * TICKS_A_MINUTE;
        const job = { kind: "write", way: way.id, durability, metrics, ticks } as const;
        results[index]!.push(await inFolder(folder, (path) => runJob<WriteResult>({ ...job, folder: path })));
      }
    }
    return [
      {
        id: "write",
        title: "Writing the article's load",
        text:
          `${NODES} nodes report ${metrics.toLocaleString("en-US")} metrics every 3 s: uniform integers from 0 to 1000. Simulated time goes by as ` +
          `fast as points are written: ${minutes} minutes for scrapes, ${rowMinutes} for columns and rows, ${singleTicks} reports for single points. The log, ` +
          "sealing and the final flush count, and so does making the values and objects. Metrics are registered before. `batch`: the system has the points when a call " +
          "resolves; `sync`: they are on the medium. A call resolves before the next one of a node or lane begins. " +
          `The disk had 4 KB on the medium in ${syncs.map((ms) => ms.toFixed(2)).join(", ")} ms (the median of 25 for each process). ` +
          `The median of ${processes} processes with the least and the greatest. Points of ${Math.min(100, metrics)} metrics are read back and compared. ` +
          "Peak: resident memory in MB.",
        unit: "count",
        columns: [
          { id: "rate", title: "points/s" },
          { id: "peak", title: "peak MB" },
        ],
        rows: cases.map(({ way, durability }, index) =>
          spreadRow(`${way.id}-${durability}`, `${way.title}, \`${durability}\``, {
            rate: spreadOf(results[index]!.map(({ pointsPerSecond }) => pointsPerSecond)),
            peak: spreadOf(present(results[index]!.map(({ peak }) => peak)).map((peak) => peak / MB)),
          }),
        ),
      },
    ];
  },
};
