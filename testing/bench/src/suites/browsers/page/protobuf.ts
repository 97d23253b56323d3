import { candidates } from "../../protobuf/candidates.js";
import { prepareRace } from "../../protobuf/timing.js";
import type { Entrant, Job } from "../job.js";
import type { PageRace } from "./race.js";

/** moonpack in the code of protobuf.js 8 is compared with all others; in the code of version 7 only with that version. */
const [OURS, OURS_IN_7] = ["moonpack-8", "moonpack-7"];

/** Protobuf: the same race as in the suite for Node. */
export function prepareProtobuf({ row, repetition }: Job, layers: number): PageRace {
  const { operation, message } = row;
  const race = prepareRace({ operation, size: message === "small" ? "small" : "large", repetition }, layers);
  const sorted = [...candidates].sort((one, other) => Number(other.id === OURS) - Number(one.id === OURS));
  const entrants = sorted.map(({ id, title, rival }): Entrant => {
    if (rival !== undefined) return { id, title, role: id === OURS ? "ours" : "against" };
    return { id, title, role: "binary", ...(id === "protobufjs-7" ? { against: OURS_IN_7! } : {}) };
  });
  return { entrants, ...race };
}
