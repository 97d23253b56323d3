import type { FloorBar, LimitBar } from "./bar.js";

function floor(table: string, row: string, column: string, atLeast: number): FloorBar {
  return { kind: "floor", suite: "hazelcast", table, row, column, atLeast };
}

function limit(table: string, row: string, column: string, atMost: number): LimitBar {
  return { kind: "limit", suite: "hazelcast", table, row, column, atMost };
}

/** Text-heavy and record-like objects. */
const KINDS = ["stories", "flights"];

/** Promises of @moonpack/hazelcast. Ratios are to the client's JSON, 64 in flight. */
export const hazelcastBars: readonly (FloorBar | LimitBar)[] = [
  ...KINDS.flatMap((kind) => [
    limit("bytes", `${kind}-1k`, "msgpack-ratio", 0.85),
    limit("bytes", `${kind}-1k`, "pck-ratio", 0.6),
    floor(`${kind}-set`, "1k-pck", "ratio", 1.6),
    floor(`${kind}-set`, "100k-pck", "ratio", 4),
    floor(`${kind}-get`, "1k-pck", "ratio", 1.2),
    floor(`${kind}-get`, "100k-pck", "ratio", 1.4),
    floor(`${kind}-set`, "1k-msgpack", "ratio", 1.5),
    floor(`${kind}-get`, "1k-msgpack", "ratio", 1.15),
    limit(`${kind}-set`, "1k-pck", "cpuRatio", 0.7),
    limit(`${kind}-get`, "1k-pck", "cpuRatio", 0.9),
    floor("alone-write", `${kind}-1k`, "pck-ratio", 2.5),
    floor("alone-read", `${kind}-1k`, "pck-ratio", 2.3),
  ]),
  limit("series-times", "hour", "series", 10),
  limit("series-times", "hour", "calls", 2),
  floor("series-write", "series", "ratio", 20),
];
