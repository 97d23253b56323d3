/** The process of a race of functions: the job is its argument, the result a line of JSON. */
import { type Contestant, interleave } from "../../measure/interleave.js";
import { checkIds, idMakers, keptBytes } from "./jobs/ids.js";
import { checkLinesOf, inRequest, lineWriters } from "./jobs/lines.js";
import { type Behind, checkListeners, middlewares } from "./jobs/middleware.js";

/** A job of a process. */
export interface FunctionsJob {
  readonly race: Behind | "ids" | "lines" | "kept";
  readonly rounds: number;
  readonly sampleMs: number;
  /** The seed of the order. */
  readonly first: number;
  readonly kept: number;
}

/** Nanoseconds of each round, by contestant. */
export type FunctionsResult = Readonly<Record<string, readonly number[]>>;

const REQUEST_ID = "0b7d1a3e-5d0c-4b8e-9f51-2c64a9d1e7f0";

async function work(job: FunctionsJob): Promise<unknown> {
  switch (job.race) {
    case "kept":
      return keptBytes(job.kept);
    case "ids":
      checkIds();
      return race(idMakers(), job);
    case "lines":
      return inRequest(REQUEST_ID, () => {
        checkLinesOf(REQUEST_ID);
        return race(lineWriters(), job);
      });
    default: {
      const contestants = middlewares(job.race);
      if (job.race === "listeners") checkListeners(contestants);
      return race(contestants, job);
    }
  }
}

function race(contestants: readonly Contestant[], { rounds, sampleMs, first }: FunctionsJob): FunctionsResult {
  return Object.fromEntries(interleave(contestants, { warmUpRounds: 5, rounds, sampleMs }, first));
}

console.log(JSON.stringify(await work(JSON.parse(process.argv[2]!) as FunctionsJob)));
