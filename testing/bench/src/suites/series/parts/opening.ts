import { progress } from "../../../progress.js";
import { spreadRow } from "../../../report/spread-row.js";
import type { DriverName } from "../jobs/drivers.js";
import type { OpenResult } from "../jobs/opening.js";
import { EVERY, HOUR, TICKS_AN_HOUR } from "../load.js";
import { inFolder, type Part, runJob, spreadOf } from "./part.js";

/** Opening and closing, by the size of the store. */
export const openingPart: Part = {
  id: "opening",
  async run({ folder, scale: { openMetrics, openDays, opens } }) {
    const small = { metrics: 1000, ticks: TICKS_AN_HOUR, every: EVERY };
    const large = { metrics: openMetrics, ticks: 24 * openDays, every: HOUR };
    const number = (value: number) => value.toLocaleString("en-US");
    const largeTitle = `${number(openMetrics)} metrics, ${openDays} days, a point an hour`;
    const cases: readonly {
      readonly id: string;
      readonly title: string;
      readonly store: DriverName;
      readonly size: typeof small;
    }[] = [
      { id: "small", title: "1,000 metrics, an hour, a point every 3 s", store: "files", size: small },
      { id: "large", title: largeTitle, store: "files", size: large },
      { id: "small-rocksdb", title: "1,000 metrics, an hour, rocksdb()", store: "rocksdb", size: small },
    ];
    const rows = [];
    for (const { id, title, store, size } of cases) {
      const results = await inFolder(folder, async (path) => {
        progress(`series: a store of ${title}`);
        await runJob<null>({ kind: "fill-opened", store, folder: path, ...size });
        const all: OpenResult[] = [];
        for (let i = 0; i < opens; i++) {
          progress(`series: opening ${title}, ${i + 1} of ${opens}`);
          all.push(await runJob<OpenResult>({ kind: "open", store, folder: path, ...size }));
        }
        return all;
      });
      rows.push(
        spreadRow(id, title, {
          open: spreadOf(results.map(({ open }) => open)),
          first: spreadOf(results.map(({ first }) => first)),
          close: spreadOf(results.map(({ close }) => close)),
        }),
      );
    }
    return [
      {
        id: "opening",
        title: "Opening and closing",
        text:
          "Stores of files() unless a row says otherwise. A new process opens the store, asks for the newest value of a metric by its name, writes a point of each metric, and closes, which seals these points. " +
          `The median of ${opens} processes with the least and the greatest. The system has the files in its cache.`,
        unit: "count",
        columns: [
          { id: "open", title: "open, ms" },
          { id: "first", title: "first value, ms" },
          { id: "close", title: "close, ms" },
        ],
        rows,
      },
    ];
  },
};
