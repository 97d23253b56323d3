import type { FloorBar, LimitBar } from "./bar.js";

/** Promises of @moonpack/load. */
export const runnerBars: readonly (FloorBar | LimitBar)[] = [
  { kind: "floor", suite: "runner", table: "cost", row: "64", column: "perSecond", atLeast: 1e6 },
  { kind: "limit", suite: "runner", table: "cost", row: "64", column: "cpu", atMost: 1000 },
  { kind: "floor", suite: "runner", table: "stall", row: "rate", column: "p99", atLeast: 400 },
  ...["rate", "mean"].map(
    (row): LimitBar => ({ kind: "limit", suite: "runner", table: "agreement", row, column: "apart", atMost: 1.05 }),
  ),
];
