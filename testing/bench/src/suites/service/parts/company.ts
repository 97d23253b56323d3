import { progress } from "../../../progress.js";
import type { NumberRow } from "../../../report/numbers.js";
import { spreadRow } from "../../../report/spread-row.js";
import type { Operation, Workload } from "../../../types.js";
import { workloads } from "../../../workloads/index.js";
import { type Part, type PartRun, runJob, type Spread, spreadOf, VERBS } from "./part.js";

/** A quick run has these. */
const QUICK = ["small-mixed", "shapes", "tiny"];

/** The isolated workloads after the mix has run through the same process. */
export const companyPart: Part = {
  id: "company",
  async run(run) {
    const chosen = workloads.filter(({ id }) => run.chooses(`company-${id}`) && (!run.quick || QUICK.includes(id)));
    if (chosen.length === 0) return [];
    const rows: NumberRow[] = [];
    for (const workload of chosen) rows.push(await measure(run, workload));
    return [
      {
        id: "company",
        title: "Isolated workloads in company",
        text:
          "The speed of `decode` and `encode` on each workload of the [race](msgpack.md) in a process in which the mix has run before, as a " +
          `fraction of the speed in a process that has seen nothing else. ${run.processes} pairs of processes, with the least and the greatest.`,
        unit: "ratio",
        columns: run.operations.map((operation) => ({ id: operation, title: VERBS[operation].toLowerCase() })),
        rows,
      },
    ];
  },
};

async function measure(run: PartRun, { id, title }: Workload): Promise<NumberRow> {
  const cells: Partial<Record<Operation, Spread | number>> = {};
  for (const operation of run.operations) {
    const fractions: number[] = [];
    for (let seed = 1; seed <= run.processes; seed++) {
      progress(`service: ${operation} ${id} in company, ${seed} of ${run.processes}`);
      const job = { kind: "company", folder: run.folder, operation, workload: id, seed, quick: run.quick } as const;
      // The pair's order alternates, since the machine may be slower later.
      const times: Record<"true" | "false", number> = { true: 0, false: 0 };
      for (const inCompany of seed % 2 === 0 ? [true, false] : [false, true]) {
        times[`${inCompany}`] = await runJob<number>({ ...job, inCompany });
      }
      fractions.push(times.false / times.true);
    }
    cells[operation] = spreadOf(fractions);
  }
  return spreadRow(id, title, cells);
}
