import { progress } from "../../../progress.js";
import type { NumberTable } from "../../../report/numbers.js";
import { spreadRow } from "../../../report/spread-row.js";
import type { Sizes } from "../jobs/fill.js";
import { inFlight, TICKS_A_MINUTE, TICKS_AN_HOUR } from "../load.js";
import { type Kind, kinds } from "../values.js";
import { inFolder, type Part, runJob } from "./part.js";

const number = (value: number) => value.toLocaleString("en-US");

/** Kinds whose stores are made at a time. */
const AT_A_TIME = 3;

/** Bytes a point of each kind of values, in minutes and in hours. */
export const sizesPart: Part = {
  id: "sizes",
  async run({ folder, scale, stores }) {
    const { metrics, minutes, storeMinutes, hourMetrics, hours, kindMetrics, kindHourMetrics, kindHours } = scale;
    const [first, ...others] = kinds;
    const [minuteStore, hourStore] = await Promise.all([stores.minutes(), stores.hours()]);
    const minuteSizes = new Map([[first!.id, minuteStore.sizes]]);
    const hourSizes = new Map([[first!.id, hourStore.sizes]]);
    // Nothing is timed here.
    await inFlight(AT_A_TIME, others.length, async (index) => {
      const { id } = others[index]!;
      progress(`series: sizes, ${id}`);
      const size = (job: { metrics: number; ticks: number; rollUp: boolean }) =>
        inFolder(folder, (path) => runJob<Sizes>({ kind: "fill", store: "rocksdb", folder: path, values: id, ...job }));
      minuteSizes.set(id, await size({ metrics: kindMetrics, ticks: minutes * TICKS_A_MINUTE, rollUp: false }));
      hourSizes.set(id, await size({ metrics: kindHourMetrics, ticks: kindHours * TICKS_AN_HOUR, rollUp: true }));
    });
    const way =
      "Pages: the pages alone, without keys. Whole: all files of the folder (the database, its log and ours) after `flush`, `compact` and `close`. " +
      "A point has 16 bytes in memory.";
    return [
      table("sizes-minutes", "Bytes a point in minutes", minuteSizes, "minutes", [
        `After ${storeMinutes} minutes of ${number(metrics)} metrics with uniform integers, ${minutes} of ${number(kindMetrics)} with other values: a point every 3 s, 20 in a page for each metric.`,
        "The names and tags of the metrics are a part of the whole, and few points share them.",
        way,
        "1.246 is the entropy of the uniform integers.",
        WEATHER,
      ]),
      table("sizes-hours", "Bytes a point in hours", hourSizes, "hours", [
        `After ${hours} simulated hours of ${number(hourMetrics)} metrics with uniform integers, ${kindHours} of ${number(kindHourMetrics)} with other values, with default options: minutes were sealed and hours rolled up as ` +
          "time went by. At the end, time advances by three hours, so that every hour is due.",
        way,
      ]),
    ];
  },
};

const WEATHER =
  "Weather: daily observations of Seattle and New York and hourly normals of Seattle, 11 series that NOAA published, in the public domain as works of the US government (from vega-datasets 3.2.1); replayed as a point every 3 s, " +
  "each metric from its own place on.";

function table(
  id: string,
  title: string,
  sizes: ReadonlyMap<string, Sizes>,
  column: "minutes" | "hours",
  text: readonly string[],
): NumberTable {
  return {
    id,
    title,
    text: text.join(" "),
    unit: "ratio",
    columns: [
      { id: "pages", title: "pages" },
      { id: "whole", title: "whole" },
    ],
    rows: kinds.map((kind: Kind) => {
      const size = sizes.get(kind.id)!;
      return spreadRow(kind.id, kind.title, { pages: size[column], whole: size.whole });
    }),
  };
}
