import type { Operation } from "../types.js";
import { workloads } from "../workloads/index.js";
import type { FloorBar } from "./bar.js";

function floor(table: string, row: string, column: string, atLeast: number): FloorBar {
  return { kind: "floor", suite: "service", table, row, column, atLeast };
}

/** Bars for the package's functions in a process with many kinds of messages. */
function mix(operation: Operation, row: string, [msgpackr, jsonPack, json]: readonly number[]): FloorBar[] {
  const columns = { msgpackr, "json-pack": jsonPack, json };
  return Object.entries(columns).flatMap(([column, atLeast]) =>
    atLeast === undefined ? [] : [floor(operation, row, column, atLeast)],
  );
}

/** The share of an isolated workload's speed that is left after the mix. */
const IN_COMPANY = 0.8;

/** Promises for processes that live long. */
export const serviceBars: readonly FloorBar[] = [
  ...mix("decode", "steady", [1.25, 2, 1]),
  ...mix("decode", "first", [1, 1.3, 0.7]),
  floor("decode-classes", "worst", "msgpackr", 0.9),
  floor("decode-classes", "worst", "json-pack", 1.2),
  // Pages generate no code.
  floor("chromium", "decode-steady", "msgpackr-js", 1.1),
  floor("chromium", "decode-steady", "json-pack", 1.7),
  ...mix("encode", "steady", [2.2, 1.5, 1.15]),
  ...mix("encode", "first", [1.5, 1.2, 0.9]),
  ...workloads.map(({ id }) => floor("company", id, "all", IN_COMPANY)),
  floor("decode-classes", "pairs", "msgpackr", 1),
  floor("decode-classes", "pairs", "json-pack", 1),
  floor("encode-classes", "texts", "msgpackr", 1.1),
  floor("encode-classes", "texts", "json-pack", 1),
];
