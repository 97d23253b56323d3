import { progress } from "../../../progress.js";
import { spreadRow } from "../../../report/spread-row.js";
import type { SelectJob, SelectResult } from "../jobs/select.js";
import { inFolder, type Part, runJob, spreadOf } from "./part.js";

/** The selections, with how many are read to their end. */
const CASES: readonly { readonly id: SelectJob["by"]; readonly title: string; readonly whole: number }[] = [
  { id: "host", title: "a host: `{ host }`", whole: 3 },
  { id: "zone", title: "a zone: `{ zone }`", whole: 2 },
  { id: "both", title: "a metric of a zone: name and `{ zone }`", whole: 3 },
  { id: "expression", title: "a metric of every tenth host: name and `{ host: /host-\\d*7/ }`", whole: 2 },
];

/** Selections by tags among many metrics. */
export const selectPart: Part = {
  id: "select",
  run({ processes, folder, scale: { hosts, selections } }) {
    return inFolder(folder, async (path) => {
      progress(`series: a store of ${hosts * 100} metrics`);
      await runJob<null>({ kind: "fill-hosts", store: "files", folder: path, hosts });
      const results = CASES.map((): SelectResult[] => []);
      for (let repetition = 0; repetition < processes; repetition++) {
        for (let position = 0; position < CASES.length; position++) {
          const index = (position + repetition) % CASES.length;
          const { id, whole } = CASES[index]!;
          progress(`series: select, ${id}, ${repetition + 1} of ${processes}`);
          const job: SelectJob = { kind: "select", store: "files", folder: path, hosts, by: id, selections, whole };
          results[index]!.push(await runJob<SelectResult>(job));
        }
      }
      return [
        {
          id: "select",
          title: "Selecting by tags",
          text:
            `${(hosts * 100).toLocaleString("en-US")} metrics of ${hosts.toLocaleString("en-US")} hosts in 70 zones, with one point each, in a store of files() that was just opened. First: milliseconds to the first point, the median of ${selections} selections of different ` +
            `values; slowest: the slowest of them, which is mostly the first of the process. All: to the point of the last metric. The median of ${processes} processes with the least and the greatest. Every point is compared.`,
          unit: "count",
          columns: [
            { id: "hits", title: "metrics" },
            { id: "first", title: "first, ms" },
            { id: "slowest", title: "slowest, ms" },
            { id: "last", title: "all, ms" },
          ],
          rows: CASES.map(({ id, title }, index) => {
            const of = (figure: (result: SelectResult) => number) => spreadOf(results[index]!.map(figure));
            return spreadRow(id, title, {
              hits: results[index]![0]!.hits[0],
              first: of(({ first }) => middle(first)),
              slowest: of(({ first }) => Math.max(...first)),
              last: of(({ all }) => middle(all)),
            });
          }),
        },
      ];
    });
  },
};

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}
