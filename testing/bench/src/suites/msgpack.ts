import { candidates } from "../candidates/index.js";
import { measureRace, type Race, type RaceResult, runRace } from "../race/race.js";
import { racePage } from "../report/race-page.js";
import type { Suite } from "../suite.js";
import type { RaceJob } from "../types.js";
import { workloads } from "../workloads/index.js";

const race: Race = {
  name: "msgpack",
  title: "MessagePack: speed",
  candidates,
  workloads,
  operations: ["decode", "encode"],
  baselines: ["msgpackr", "json-pack"],
};

/** The main race: all workloads, both directions. */
export const msgpack: Suite<RaceResult> = {
  name: race.name,
  title: race.title,
  run: (options) => runRace(race, options),
  work: (job) => measureRace(race, job as RaceJob),
  page: (result) => racePage(race.title, result),
};
