import { median } from "simple-statistics";
import { progress } from "../../../progress.js";
import type { NumberRow, NumberTable } from "../../../report/numbers.js";
import { spreadRow } from "../../../report/spread-row.js";
import type { ReadResult } from "../jobs/reads.js";
import type { ScanJob } from "../jobs/scan.js";
import { TICKS_A_MINUTE, TICKS_AN_HOUR } from "../load.js";
import { type Part, type PartRun, present, runJob, spreadOf } from "./part.js";

const number = (value: number) => value.toLocaleString("en-US");

/** Reads of minutes, hours and days. */
export const readsPart: Part = {
  id: "reads",
  async run(run) {
    const { stores } = run;
    await Promise.all([stores.files(), stores.minutes(), stores.hours(), stores.day()]);
    const { storeMinutes, metrics, hourMetrics, hours, dayMetrics, dayHours, coldProcesses } = run.scale;
    const tables: NumberTable[] = [
      {
        id: "reads",
        title: "Reading minutes and hours",
        text:
          `Random metrics and times, 64 queries in flight, read with \`batches()\`. Minutes: 20 points each, of ${number(metrics)} metrics and ${storeMinutes} minutes. Hours: 1,200 points each, of ${number(hourMetrics)} metrics and ${hours} hours that are rolled up. The driver is rocksdb() unless a row says files(). ` +
          "Uniform integers. Every 16th result is compared whole, of the others the number of points, the first and the last. " +
          `Warm: in one process, after a warm-up; the median of ${run.processes} processes with the least and the greatest. Cold: ${COLD(coldProcesses)}`,
        unit: "count",
        columns: [
          { id: "rate", title: "reads/s" },
          { id: "points", title: "points/s" },
          { id: "disk", title: "bytes from disk a read" },
        ],
        rows: await readRows(run),
      },
      {
        id: "scans",
        title: "Reading a day of one metric",
        text:
          `One metric after the other of ${dayMetrics} with ${dayHours} hours of a point every 3 s, ${number(dayHours * TICKS_AN_HOUR)} points each, all rolled up. The points with \`batches()\`; or the average of each minute, points that are read counted. ` +
          `The median of ${run.processes} processes with the least and the greatest. Cold: each scan is of a metric in other pages; ${COLD(coldProcesses)}`,
        unit: "count",
        columns: [
          { id: "points", title: "points/s" },
          { id: "rate", title: "days/s" },
          { id: "disk", title: "bytes from disk a day" },
        ],
        rows: await scanRows(run),
      },
    ];
    return tables;
  },
};

const COLD = (processes: number) =>
  `a new process opens the store and warms up with two fifths of the metrics, then the files are removed from the system's cache (posix_fadvise, by dd), and it reads others, whose pages are in no cache; ${processes} processes. From the system's cache: likewise, but the files are read whole instead of removed. What is below the system, such as a host's cache, stays.`;

/** Reads of a warm process: for each process the reads of the median round. */
async function readRows(run: PartRun): Promise<NumberRow[]> {
  const { scale, stores } = run;
  const rows: NumberRow[] = [];
  const spans = [
    {
      id: "files-minute",
      title: "a minute, files()",
      span: TICKS_A_MINUTE,
      make: () => stores.files(),
      reads: scale.minuteReads,
      cold: scale.coldReads,
    },
    {
      id: "minute",
      title: "a minute",
      span: TICKS_A_MINUTE,
      make: () => stores.minutes(),
      reads: scale.minuteReads,
      cold: scale.coldReads,
    },
    {
      id: "hour",
      title: "an hour",
      span: TICKS_AN_HOUR,
      make: () => stores.hours(),
      reads: scale.hourReads,
      cold: scale.coldHourReads,
    },
  ];
  for (const { id, title, span, make, reads, cold } of spans) {
    const stored = await make();
    const { store, folder, metrics, ticks } = stored;
    const job = { kind: "read", store, folder, metrics, ticks, span } as const;
    const warm: ReadResult[] = [];
    for (let process = 0; process < run.processes; process++) {
      progress(`series: ${title}, warm, ${process + 1} of ${run.processes}`);
      const rounds = { reads, warmUp: Math.ceil(scale.readRounds / 3), rounds: scale.readRounds };
      warm.push(await runJob<ReadResult>({ ...job, ...rounds, from: "memory", seed: process }));
    }
    rows.push(row(`${id}-warm`, `${title}, warm`, reads, span, warm));
    for (const from of ["system", "disk"] as const) {
      const name = `${title}, ${FROM[from]}`;
      const results = await coldResults(run, name, (seed) =>
        runJob<ReadResult>({ ...job, reads: cold, warmUp: COLD_WARM_UP, rounds: 1, from, seed }),
      );
      rows.push(row(`${id}-${from === "disk" ? "cold" : from}`, name, cold, span, results));
    }
  }
  return rows;
}

/** Runs processes that each read what their own memory does not have. */
async function coldResults(
  { scale }: PartRun,
  title: string,
  read: (seed: number) => Promise<ReadResult>,
): Promise<ReadResult[]> {
  const results: ReadResult[] = [];
  for (let process = 0; process < scale.coldProcesses; process++) {
    progress(`series: ${title}, ${process + 1} of ${scale.coldProcesses}`);
    results.push(await read(process));
  }
  return results;
}

const FROM = { system: "from the system's cache", disk: "cold" };

/** Rounds in which a cold reader warms up. */
const COLD_WARM_UP = 8;

async function scanRows(run: PartRun): Promise<NumberRow[]> {
  const { scale, stores } = run;
  const stored = await stores.day();
  const { folder, metrics, ticks } = stored;
  const job = (of: ScanJob["of"]) => ({ kind: "scan", folder, metrics, ticks, of }) as const;
  const rows: NumberRow[] = [];
  for (const [id, title, of] of [
    ["day", "all points", "points"],
    ["averages", "the average of each minute", "averages"],
  ] as const) {
    const { scans } = scale;
    const warm: ReadResult[] = [];
    for (let process = 0; process < run.processes; process++) {
      progress(`series: a day, ${title}, ${process + 1} of ${run.processes}`);
      const rounds = { scans, warmUp: 2, rounds: scale.readRounds };
      warm.push(await runJob<ReadResult>({ ...job(of), ...rounds, isCold: false }));
    }
    rows.push(row(id, title, scans, ticks, warm));
  }
  // The pages of a quarter of the metrics in each round, so that the last one is of pages that are in no cache.
  const scans = Math.floor(metrics / 16 / 4);
  const cold = await coldResults(run, "a day, cold", () =>
    runJob<ReadResult>({ ...job("points"), scans, warmUp: 3, rounds: 1, isCold: true }),
  );
  rows.push(row("day-cold", "all points, cold", scans, ticks, cold));
  return rows;
}

/** A row of rates. Rounds of one process have one rate: their median. */
function row(id: string, title: string, reads: number, points: number, results: readonly ReadResult[]): NumberRow {
  const rates = results.flatMap(({ rounds }) => (rounds.length === 0 ? [] : [(reads / median([...rounds])) * 1000]));
  return spreadRow(id, title, {
    rate: spreadOf(rates),
    points: spreadOf(rates.map((rate) => rate * points)),
    disk: spreadOf(present(results.map(({ diskBytes }) => diskBytes))),
  });
}
