import { median } from "simple-statistics";
import { progress } from "../../../progress.js";
import type { NumberRow } from "../../../report/numbers.js";
import { spreadRow } from "../../../report/spread-row.js";
import type { FillPagesJob, ReadPagesResult } from "../jobs/page-sizes.js";
import { inFolder, type Part, runJob, spreadOf } from "./part.js";

/** Numbers of metrics that share a page. */
const SLOTS = [4, 8, 16];
/** A day of hour pages, and two hours of minute pages, which are not rolled up before. */
const RANGES = [
  { id: "hours", title: "a day, pages of an hour", span: 60, pages: 24 },
  { id: "minutes", title: "two hours, pages of a minute", span: 1, pages: 120 },
] as const;
const KB = 1000;

/** How many metrics should share a page. */
export const pageSizesPart: Part = {
  id: "page-sizes",
  async run({ scale, folder }) {
    const { pageMetrics, coldScans, coldProcesses } = scale;
    const rows: NumberRow[] = [];
    for (const { id, title, span, pages } of RANGES) {
      await inFolder(folder, async (parent) => {
        const stores = SLOTS.map((slots) => ({
          folder: `${parent}/${slots}`,
          span,
          slots,
          metrics: span === 60 ? pageMetrics.hours : pageMetrics.minutes,
          pages,
        }));
        const bytes: number[] = [];
        for (const store of stores) {
          progress(`series: ${title} with ${store.slots} metrics`);
          bytes.push(await runJob<number>({ kind: "fill-pages", ...store } satisfies FillPagesJob));
        }
        const results = stores.map((): ReadPagesResult[] => []);
        // All sizes in turns: the disk is not equally fast at all times.
        for (let process = 0; process < coldProcesses; process++) {
          for (const [index, store] of stores.entries()) {
            progress(`series: ${title} with ${store.slots} metrics, cold, ${process + 1} of ${coldProcesses}`);
            const job = { kind: "read-pages", ...store, first: 2 * process * coldScans, count: coldScans } as const;
            results[index]!.push(await runJob<ReadPagesResult>(job));
          }
        }
        for (const [index, { slots }] of stores.entries())
          rows.push(row(id, title, slots, bytes[index]!, results[index]!));
      });
    }
    return [
      {
        id: "page-sizes",
        title: "How many metrics share a page",
        text:
          `The format has 16 metrics in pages of a minute and 4 in pages of an hour. Here stores have nothing but pages, with other numbers of metrics: uniform integers, ${pageMetrics.hours} metrics over a day, ${pageMetrics.minutes} over two hours. ` +
          `A new process opens such a store and reads ${coldScans} metrics of different pages, each with all its points, one after the other, at most 128 pages a call. Then the files are removed from the system's cache (posix_fadvise, by dd), and it reads ${coldScans} others, which are timed. ` +
          `For each process the median read; of ${coldProcesses} processes the median with the least and the greatest.`,
        unit: "count",
        columns: [
          { id: "milliseconds", title: "ms, cold" },
          { id: "disk", title: "KB from disk" },
          { id: "bytes", title: "bytes a point", unit: "ratio" },
        ],
        rows,
      },
    ];
  },
};

function row(id: string, title: string, slots: number, bytes: number, results: readonly ReadPagesResult[]): NumberRow {
  const times = results.filter(({ milliseconds }) => milliseconds.length > 0);
  return spreadRow(`${id}-${slots}`, `${title}, ${slots} metrics`, {
    milliseconds: spreadOf(times.map(({ milliseconds }) => median([...milliseconds]))),
    disk: spreadOf(results.flatMap(({ diskBytes }) => (diskBytes === null ? [] : [diskBytes / KB]))),
    bytes,
  });
}
