// Measures one row. A worker has its own code, feedback and heap, like a process.
import { type Job, lengthOf, type RowResult } from "../job.js";
import type { Group } from "../rows.js";
import { answerJobs } from "./channel.js";
import { clockStep } from "./clock.js";
import { interleaveInPage } from "./interleave.js";
import type { Prepare } from "./race.js";

/** Imported on demand: a race loads only the libraries that take part in it. */
const groups: Readonly<Record<Group, () => Promise<Prepare>>> = {
  msgpack: async () => (await import("./msgpack.js")).prepareMsgpack,
  protobuf: async () => (await import("./protobuf.js")).prepareProtobuf,
  pck: async () => (await import("./pck.js")).preparePck,
};

async function measure(job: Job): Promise<RowResult> {
  const prepare = await groups[job.row.group]();
  const { pace, layers } = lengthOf(job);
  const race = await prepare(job, layers);
  const clockMs = clockStep();
  const times = await interleaveInPage(race.contestants, pace, job.repetition + 1, clockMs);
  // This use keeps the value alive until here.
  if (race.kept === null) throw new Error("nothing was read");
  return { entrants: race.entrants, times: Object.fromEntries(times), bytes: race.bytes, clockMs };
}

answerJobs(measure);
