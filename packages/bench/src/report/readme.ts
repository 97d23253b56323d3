import { losses } from "../race/query.js";
import type { RaceResult } from "../race/race.js";
import { ratioTable } from "./race-page.js";

const DECODERS = ["moonpack", "msgpackr", "json-pack", "msgpack-javascript", "notepack", "json", "json-text"];
const ENCODERS = ["moonpack-shared", "moonpack", ...DECODERS.slice(1)];

/** The speed tables of the README: fewer columns, the same rows, with those that lose. */
export function readmeTable(result: RaceResult): string {
  const decoding = losses(result, "decode", "moonpack").length;
  const encoding = losses(result, "encode", "moonpack").length;
  return [
    `Speed, msgpackr = 1, bigger is faster (Node ${result.environment.node}; below 15 % is noise${result.quick ? "; a quick, rough run" : ""}).`,
    "Bold: the fastest standard MessagePack codec of the row. JSON + Buffer goes to bytes and back, JSON string does not.",
    "",
    "**Decoding**",
    "",
    ratioTable(result, "decode", DECODERS),
    "",
    "**Encoding**",
    "",
    ratioTable(result, "encode", ENCODERS),
    "",
    `Somebody is faster than we are in ${decoding} decoding and ${encoding} encoding cells of the full table: ` +
      "[Where others win](docs/benchmarks/msgpack.md#where-others-win).",
    "",
  ].join("\n");
}
