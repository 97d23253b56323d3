import { type AloneJob, alone } from "./jobs/alone.js";
import { type CheckJob, check } from "./jobs/check.js";
import { type CompanyJob, company } from "./jobs/company.js";
import { type MixJob, mix } from "./jobs/mix.js";
import { type RetainedJob, retained } from "./jobs/retained.js";

/** The job of a measuring process. */
export type ServiceJob = AloneJob | CheckJob | CompanyJob | RetainedJob | MixJob;

function work(job: ServiceJob): unknown {
  switch (job.kind) {
    case "alone":
      return alone(job);
    case "check":
      return check(job);
    case "company":
      return company(job);
    case "retained":
      return retained(job);
    default:
      return mix(job);
  }
}

// A separate script: the processes of other suites load the libraries of all suites, so they would not be cold.
process.stdout.write(`${JSON.stringify(await work(JSON.parse(process.argv[2]!) as ServiceJob))}\n`);
