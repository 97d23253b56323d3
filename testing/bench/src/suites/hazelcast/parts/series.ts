import { summarize } from "../../../measure/statistics.js";
import { progress } from "../../../progress.js";
import type { NumberTable } from "../../../report/numbers.js";
import { spreadRow } from "../../../report/spread-row.js";
import { NODES } from "../../series/load.js";
import type { SeriesReadResult } from "../jobs/series-read.js";
import type { SeriesWriteResult } from "../jobs/series-write.js";
import type { Scale } from "../scale.js";
import { type Part, type PartRun, ratiosOf, runJob } from "./part.js";

/** Time series through the cluster, and as a key a point. */
export const seriesPart: Part = {
  id: "series",
  async run(run) {
    const written: SeriesWriteResult[] = [];
    const read: SeriesReadResult[] = [];
    for (let repetition = 0; repetition < run.processes; repetition++) {
      progress(`hazelcast: series, ${repetition + 1} of ${run.processes}`);
      written.push(await runJob(writeJob(run)));
      read.push(await runJob(readJob(run)));
    }
    return [writeTable(written, run.scale), readTable(read), timesTable(read)];
  },
};

function writeJob({ place, scale }: PartRun) {
  const { writeRounds: rounds, metrics, minutes, keyPoints, keysPoints } = scale;
  return { kind: "series-write", place, rounds, metrics, minutes, keyPoints, keysPoints } as const;
}

function readJob({ place, scale }: PartRun) {
  const { hourMetrics: metrics, reads, readRounds: rounds } = scale;
  return { kind: "series-read", place, metrics, reads, rounds } as const;
}

function writeTable(results: readonly SeriesWriteResult[], { metrics, minutes }: Scale): NumberTable {
  const rates = (way: keyof SeriesWriteResult) => summarize(results.map((result) => result[way]));
  const against = (way: keyof SeriesWriteResult) =>
    summarize(results.map((result) => ratiosOf(result[way], result.set)));
  return {
    id: "series-write",
    title: "Series: writing",
    text:
      `${NODES} nodes report ${metrics.toLocaleString("en-US")} metrics every 3 s: uniform integers from 0 to 1000, over ${minutes} minutes that go by as fast as points are written. ` +
      "Series: `@moonpack/series` with its log on this machine (`batch`), until all pages are acknowledged by the cluster. Its metrics are on the cluster before; in the second row they are new, and their entries in the index are written, too. A key a point: keys are texts of metric and time, values numbers; " +
      `by \`set\` with 64 in flight, and by \`setAll\` of what a node reports at a time, ${NODES} in flight, which acknowledges ${metrics / NODES} points together. ` +
      "The ways take turns; ratios are taken within a turn. Some points are read back and compared.",
    unit: "count",
    columns: [
      { id: "rate", title: "points/s" },
      { id: "ratio", title: "/ `set`", unit: "ratio" },
    ],
    rows: [
      spreadRow("series", "series", { rate: rates("series"), ratio: against("series") }),
      spreadRow("new", `series, ${metrics.toLocaleString("en-US")} new metrics`, {
        rate: rates("new"),
        ratio: against("new"),
      }),
      spreadRow("set", "a key a point, `set`", { rate: rates("set") }),
      spreadRow("setAll", "a key a point, `setAll`", { rate: rates("setAll"), ratio: against("setAll") }),
    ],
  };
}

function readTable(results: readonly SeriesReadResult[]): NumberTable {
  const rates = (way: "series" | "keys") => summarize(results.map(({ points }) => points[way]));
  return {
    id: "series-read",
    title: "Series: reading",
    text: "Hours of random metrics, 1,200 points each, 8 in flight. Series: 60 minute pages. A key a point: one `getAll` of 1,200 keys. Points are compared.",
    unit: "count",
    columns: [
      { id: "rate", title: "points/s" },
      { id: "ratio", title: "/ a key a point", unit: "ratio" },
    ],
    rows: [
      spreadRow("series", "series", {
        rate: rates("series"),
        ratio: summarize(results.map(({ points }) => ratiosOf(points.series, points.keys))),
      }),
      spreadRow("keys", "a key a point", { rate: rates("keys") }),
    ],
  };
}

function timesTable(results: readonly SeriesReadResult[]): NumberTable {
  const micros = (span: "hour" | "minute", way: "series" | "keys") =>
    summarize(results.map((result) => result[span][way]));
  const calls = (span: "hour" | "minute") => Math.max(...results.map((result) => result.calls[span]));
  return {
    id: "series-times",
    title: "Series: times of reads",
    text: "One read after the other: milliseconds, the median of each round, their median with quartiles. Calls: calls of maps for a read of series, the most of all reads. Each is one round trip.",
    unit: "ratio",
    columns: [
      { id: "series", title: "series, ms" },
      { id: "keys", title: "a key a point, ms" },
      { id: "calls", title: "calls", unit: "count" },
    ],
    rows: [
      spreadRow("hour", "an hour: 60 pages", {
        series: micros("hour", "series"),
        keys: micros("hour", "keys"),
        calls: calls("hour"),
      }),
      spreadRow("minute", "a minute: one page", {
        series: micros("minute", "series"),
        keys: micros("minute", "keys"),
        calls: calls("minute"),
      }),
    ],
  };
}
