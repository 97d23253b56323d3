import type { FloorBar, LimitBar } from "./bar.js";

function floor(table: string, row: string, column: string, atLeast: number): FloorBar {
  return { kind: "floor", suite: "trace", table, row, column, atLeast };
}

function limit(table: string, row: string, column: string, atMost: number): LimitBar {
  return { kind: "limit", suite: "trace", table, row, column, atMost };
}

/** The article's server with callbacks and with async functions. */
const KINDS = ["callbacks", "promises"];

/** Promises of @moonpack/trace. */
export const traceBars: readonly (FloorBar | LimitBar)[] = [
  // Losses to no tracing in %, points over a bare AsyncLocalStorage.
  limit("versions", "callbacks-20", "moonpack", 3),
  limit("versions", "callbacks-20", "overBare", 1),
  limit("versions", "promises-20", "moonpack", 9),
  limit("versions", "promises-20", "overBare", 1.5),
  limit("callbacks-24", "moonpack", "loss", 2),
  limit("promises-24", "moonpack", "loss", 2),
  ...[20, 22].flatMap((major) => KINDS.map((kind) => limit("versions", `${kind}-${major}`, "ours", 1))),
  ...[...KINDS.map((kind) => `${kind}-24`), "express", "fastify"].map((table) => limit(table, "rtracer", "ours", 1)),
  limit("middleware", "nothing", "moonpack", 300),
  limit("middleware", "listeners", "moonpack", 1200),
  ...["nothing", "id", "listeners", "prototype"].map((row) => floor("middleware", row, "faster", 1)),
  floor("ids", "uuidv4", "faster", 1.5),
  floor("ids", "uuidv7", "faster", 1.3),
  limit("ids", "uuidv4", "kept", 64),
  limit("ids", "uuidv7", "kept", 64),
  floor("lines", "moonpack", "speed", 0.95),
  floor("lines", "moonpack", "toHand", 0.95),
  limit("profiler", "rate-0", "loss", 1),
  limit("profiler", "rate-1", "loss", 8),
  ...["20", "22", "24"].map((row) => limit("off", row, "imported", 0)),
];
