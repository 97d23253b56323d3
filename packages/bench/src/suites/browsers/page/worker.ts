// Measures one row: a worker has code, feedback and a heap of its own, as a process has.
import { type Answer, type Job, lengthOf } from "../job.js";
import type { Group } from "../rows.js";
import { clockStep } from "./clock.js";
import { interleaveInPage } from "./interleave.js";
import type { Prepare } from "./race.js";

/** Imported when they are needed: no library is in a race that it has no part in. */
const groups: Readonly<Record<Group, () => Promise<Prepare>>> = {
  msgpack: async () => (await import("./msgpack.js")).prepareMsgpack,
  protobuf: async () => (await import("./protobuf.js")).prepareProtobuf,
  pck: async () => (await import("./pck.js")).preparePck,
};

async function measure(job: Job): Promise<Answer> {
  const prepare = await groups[job.row.group]();
  const { pace, layers } = lengthOf(job);
  const race = await prepare(job, layers);
  const clockMs = clockStep();
  const times = await interleaveInPage(race.contestants, pace, job.repetition + 1, clockMs);
  // Read here, what is kept lives until now.
  if (race.kept === null) throw new Error("nothing was read");
  return { entrants: race.entrants, times: Object.fromEntries(times), bytes: race.bytes, clockMs };
}

globalThis.addEventListener("message", ({ data }: MessageEvent<Job>) => {
  measure(data).then(
    (answer) => globalThis.postMessage({ answer }),
    (error: unknown) => globalThis.postMessage({ error: String(error) }),
  );
});
