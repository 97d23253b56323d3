import { readFileSync } from "node:fs";
import { serveCompanion } from "../../measure/companion.js";
import { type SchemaCase, type Turn, type TurnTime, Work } from "./cases.js";
import { type EngineId, pckCases, type StoredKind } from "./pck/cases.js";
import { type Outcome, outcomeOf, protobufCases, type Subject, type Version } from "./protobuf/cases.js";

/** The work of a process. `file` contains the kinds. */
export type SchemaJob =
  | { readonly format: "pck"; readonly file: string; readonly engine: EngineId }
  | {
      readonly format: "protobuf";
      readonly version: Version;
      readonly isInstalled: boolean;
      readonly subject: Subject;
    };

/** A turn, or a request for the written and read values. */
export type Request = Turn | "outcome" | "size";

/** The answer to a request: the time of a turn, an outcome, or the mean size of each schema's messages. */
export type Reply = TurnTime | Outcome | readonly number[];

async function casesOf(job: SchemaJob): Promise<SchemaCase[]> {
  if (job.format === "protobuf") return protobufCases(job.version, job.isInstalled, job.subject);
  return pckCases(JSON.parse(readFileSync(job.file, "utf8")) as StoredKind[], job.engine);
}

// A separate script: the processes of other suites load the libraries of all suites.
const cases = await casesOf(JSON.parse(process.argv[2]!) as SchemaJob);
const work = new Work(cases);
serveCompanion<Request, Reply>((request) => {
  if (request === "outcome") return outcomeOf(cases);
  if (request === "size") return work.sizes();
  return work.take(request);
});
