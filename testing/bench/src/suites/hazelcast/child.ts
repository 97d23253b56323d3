/** The process of a job: the job is its argument, the result a line of JSON. */
import { type ObjectsJob, objects } from "./jobs/objects.js";
import { type SeriesReadJob, seriesRead } from "./jobs/series-read.js";
import { type SeriesWriteJob, seriesWrite } from "./jobs/series-write.js";
import { type TextsJob, texts } from "./jobs/texts.js";

/** A job of a process. */
export type HazelcastJob = ObjectsJob | SeriesReadJob | SeriesWriteJob | TextsJob;

/** Does a job. Its result survives JSON. */
function work(job: HazelcastJob): Promise<unknown> {
  switch (job.kind) {
    case "objects":
      return objects(job);
    case "series-read":
      return seriesRead(job);
    case "series-write":
      return seriesWrite(job);
    case "texts":
      return texts(job);
  }
}

console.log(JSON.stringify(await work(JSON.parse(process.argv[2]!) as HazelcastJob)));
