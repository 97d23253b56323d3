import { significant } from "../../../measure/statistics.js";
import { progress } from "../../../progress.js";
import type { NumberRow } from "../../../report/numbers.js";
import type { Operation } from "../../../types.js";
import { candidates, isAvailable } from "../candidates.js";
import type { RetainedResult } from "../jobs/retained.js";
import { type Part, type PartRun, runJob } from "./part.js";

const SEED = 1;
/** Decoded values are compared with the values of JSON.parse: the runtime creates each string and object. */
const REFERENCE = "json";

/** The memory of kept results. */
export const retainedPart: Part = {
  id: "retained",
  async run(run) {
    if (!run.chooses("retained")) return [];
    const values = new Map<string, Record<string, number>>(candidates.map(({ id }) => [id, {}]));
    for (const operation of run.operations) await measure(run, operation, values);
    return [
      {
        id: "retained",
        title: "Retained bytes",
        text:
          "Memory held by 2,000 kept results of the mix, each library in its own process. Values as a multiple of JSON.parse's; " +
          "messages as a multiple of their length.",
        unit: "ratio",
        columns: [
          ...(run.operations.includes("decode") ? [{ id: "decode", title: "decoded values" }] : []),
          ...(run.operations.includes("encode") ? [{ id: "encode", title: "encoded messages" }] : []),
        ],
        rows: candidates.flatMap(({ id, title }): NumberRow[] => {
          const found = values.get(id)!;
          return Object.keys(found).length === 0 ? [] : [{ id, title, values: found }];
        }),
      },
    ];
  },
};

async function measure(
  { folder }: PartRun,
  operation: Operation,
  values: ReadonlyMap<string, Record<string, number>>,
): Promise<void> {
  const results = new Map<string, RetainedResult>();
  for (const candidate of candidates) {
    if (!isAvailable(candidate)) continue;
    progress(`service: what kept results of ${candidate.id} hold, ${operation}`);
    results.set(
      candidate.id,
      await runJob<RetainedResult>({ kind: "retained", folder, operation, candidate: candidate.id, seed: SEED }),
    );
  }
  const reference = results.get(REFERENCE)!.held;
  for (const [id, { held, message }] of results) {
    values.get(id)![operation] = significant(held / (operation === "decode" ? reference : message));
  }
}
