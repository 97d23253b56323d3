import { progress } from "../../../progress.js";
import { spreadRow } from "../../../report/spread-row.js";
import type { StallResult } from "../jobs/stall.js";
import { NODES, TICKS_A_MINUTE } from "../load.js";
import { inFolder, MB, type Part, present, runJob, spreadOf } from "./part.js";

const DURABILITIES = ["batch", "sync"] as const;

/** Pauses of the event loop. */
export const stallPart: Part = {
  id: "stall",
  async run({ processes, folder, scale: { metrics, minutes, pointsPerSecond } }) {
    const results = DURABILITIES.map((): StallResult[] => []);
    for (let repetition = 0; repetition < processes; repetition++) {
      for (let position = 0; position < DURABILITIES.length; position++) {
        const index = (position + repetition) % DURABILITIES.length;
        const durability = DURABILITIES[index]!;
        progress(`series: stalls, ${durability}, ${repetition + 1} of ${processes}`);
        const job = { kind: "stall", durability, metrics, ticks: minutes * TICKS_A_MINUTE, pointsPerSecond } as const;
        results[index]!.push(await inFolder(folder, (path) => runJob<StallResult>({ ...job, folder: path })));
      }
    }
    const number = (value: number) => value.toLocaleString("en-US");
    return [
      {
        id: "stall",
        title: "The event loop while points are written",
        text:
          `The same load over ${minutes} simulated minutes, at a pace of ${number(pointsPerSecond)} points/s (or what is reached): a report of one node, ` +
          `${number(metrics / NODES)} points, in a turn of the event loop. An hour ends after the second minute, and is rolled up half a minute later; at the end all is flushed and ` +
          "compacted. Longest: the longest turn by the clock (p100), without the writer's own calls: sealing, roll-up, sync, garbage collection, and what other processes took. " +
          `A call: what \`writeScrape\` does before it returns, at most, for ${number(metrics / NODES)} points and for all ${number(metrics)} in one set. ` +
          `The median of ${processes} processes with the least and the greatest. Smaller is better. Peak: resident memory in MB.`,
        unit: "count",
        columns: [
          { id: "longest", title: "longest turn, ms" },
          { id: "over", title: "turns over 20 ms" },
          { id: "call", title: "a node's call, ms" },
          { id: "whole", title: "a call for all, ms" },
          { id: "rate", title: "points/s" },
          { id: "peak", title: "peak MB" },
        ],
        rows: DURABILITIES.map((durability, index) => {
          const of = (cell: Exclude<keyof StallResult, "peak">) =>
            spreadOf(results[index]!.map((result) => result[cell]));
          return spreadRow(durability, `\`${durability}\``, {
            longest: of("longest"),
            over: of("over"),
            call: of("call"),
            whole: of("wholeCall"),
            rate: of("pointsPerSecond"),
            peak: spreadOf(present(results[index]!.map(({ peak }) => peak)).map((peak) => peak / MB)),
          });
        }),
      },
    ];
  },
};
