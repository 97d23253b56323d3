import { progress } from "../../../progress.js";
import { candidates } from "../candidates.js";
import { type PartRun, runJob } from "./part.js";

const QUICK_DOCUMENTS = 3;

/** Compares the results of every candidate with the documents, before anything is timed. Throws if a value differs. */
export async function checkCandidates({ folder, quick, operations }: PartRun): Promise<void> {
  for (const operation of operations) {
    for (const candidate of candidates) {
      progress(`service: is what ${candidate.id} ${operation}s equal?`);
      const most = quick ? QUICK_DOCUMENTS : Number.MAX_SAFE_INTEGER;
      await runJob({ kind: "check", folder, operation, candidate: candidate.id, most });
    }
  }
}
