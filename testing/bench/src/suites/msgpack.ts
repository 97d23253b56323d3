import { candidates } from "../candidates/index.js";
import { measureRace, type Race, type RaceResult, runRace } from "../race/race.js";
import { racePage } from "../report/race-page.js";
import type { Suite } from "../suite.js";
import type { RaceJob } from "../types.js";
import { workloads } from "../workloads/index.js";

const BASELINES = ["msgpackr", "json-pack"];

function raceSuite(race: Race): Suite<RaceResult> {
  return {
    name: race.name,
    title: race.title,
    run: (options) => runRace(race, options),
    work: (job) => measureRace(race, job as RaceJob),
    page: (result) => racePage(race.title, result),
  };
}

/** The main race: all workloads, both directions. */
export const msgpack = raceSuite({
  name: "msgpack",
  title: "MessagePack: speed",
  candidates,
  workloads,
  operations: ["decode", "encode"],
  input: "uint8array",
  baselines: BASELINES,
});

/**
 * Decoding Node Buffers, as sockets and files deliver them. Several codecs have separate code for these: msgpackr and
 * notepack.io slice long ASCII strings natively only here.
 */
export const msgpackBuffers = raceSuite({
  name: "msgpack-buffers",
  title: "MessagePack: decoding Node Buffers",
  candidates,
  workloads,
  operations: ["decode"],
  input: "buffer",
  baselines: BASELINES,
});
