import { findNode } from "../../../measure/nodes.js";
import { progress } from "../../../progress.js";
import type { NumberRow } from "../../../report/numbers.js";
import { spreadRow } from "../../../report/spread-row.js";
import type { Operation } from "../../../types.js";
import type { MixResult } from "../jobs/mix.js";
import { planOf, type SectionId } from "../sequence.js";
import { rivalColumns, speeds } from "./mix.js";
import { type Part, type PartRun, runJob, VERBS } from "./part.js";

/** Other versions than the one of all other measurements. */
const MAJORS = [22, 24];
const SECTIONS: readonly SectionId[] = ["first", "steady"];

/** The mix in later versions of Node. Quick runs leave it out. */
export const nodesPart: Part = {
  id: "nodes",
  async run(run) {
    if (run.quick || !run.chooses("nodes")) return [];
    const rows: NumberRow[] = [];
    for (const operation of run.operations) {
      for (const major of MAJORS) {
        const node = await findNode(major);
        if (node !== undefined) rows.push(...(await measureNode(run, operation, node.version, node.executable)));
      }
    }
    return [
      {
        id: "nodes",
        title: "Other versions of Node",
        text: `How many times faster the functions of the package are than each other library, as in the first tables; ${run.processes} processes each.`,
        unit: "ratio",
        columns: rivalColumns,
        rows,
      },
    ];
  },
};

async function measureNode(
  { folder, quick, processes }: PartRun,
  operation: Operation,
  version: string,
  executable: string,
): Promise<NumberRow[]> {
  const mixes: MixResult["mix"][] = [];
  for (let seed = 1; seed <= processes; seed++) {
    progress(`service: ${operation} in Node ${version}, ${seed} of ${processes}`);
    const job = { kind: "mix", folder, operation, seed, quick, mixOnly: true } as const;
    mixes.push((await runJob<MixResult>(job, executable)).mix);
  }
  return planOf(quick)
    .sections.filter(({ id }) => SECTIONS.includes(id))
    .map((section) =>
      spreadRow(
        `${operation}-${Number.parseInt(version, 10)}-${section.id}`,
        `${VERBS[operation]}, Node ${version}: ${section.title}`,
        speeds(mixes, section),
      ),
    );
}
