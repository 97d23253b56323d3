/** The process of a job, except of peers: the job is its argument, the result a line of JSON. */
import { type AcrossJob, across } from "./jobs/across.js";
import { type BackfillJob, backfill } from "./jobs/backfill.js";
import { type BesideJob, type BesideReaderJob, beside, besideReader } from "./jobs/beside.js";
import { type BlockSizesJob, blockSizes } from "./jobs/block-sizes.js";
import { type FillJob, fill } from "./jobs/fill.js";
import { type FillOpenedJob, fillOpened, type OpenJob, open } from "./jobs/opening.js";
import { type ReadJob, read } from "./jobs/reads.js";
import { type CrashJob, crash, type RecoverJob, recover } from "./jobs/recover.js";
import { type ScanJob, scan } from "./jobs/scan.js";
import { type FillHostsJob, fillHosts, type SelectJob, select } from "./jobs/select.js";
import { type StallJob, stall } from "./jobs/stall.js";
import { type WriteJob, write } from "./jobs/write.js";

/** A job of a process. */
export type SeriesJob =
  | AcrossJob
  | BackfillJob
  | BesideJob
  | BesideReaderJob
  | BlockSizesJob
  | CrashJob
  | FillHostsJob
  | FillJob
  | FillOpenedJob
  | OpenJob
  | ReadJob
  | RecoverJob
  | ScanJob
  | SelectJob
  | StallJob
  | WriteJob;

/** Does a job. Its result survives JSON. */
function work(job: SeriesJob): Promise<unknown> {
  switch (job.kind) {
    case "across":
      return across(job);
    case "backfill":
      return backfill(job);
    case "beside":
      return beside(job);
    case "beside-reader":
      return besideReader(job);
    case "block-sizes":
      return blockSizes(job);
    case "crash":
      return crash(job);
    case "fill":
      return fill(job);
    case "fill-hosts":
      return fillHosts(job);
    case "fill-opened":
      return fillOpened(job);
    case "open":
      return open(job);
    case "read":
      return read(job);
    case "recover":
      return recover(job);
    case "scan":
      return scan(job);
    case "select":
      return select(job);
    case "stall":
      return stall(job);
    case "write":
      return write(job);
  }
}

console.log(JSON.stringify(await work(JSON.parse(process.argv[2]!) as SeriesJob)));
