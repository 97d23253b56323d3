import type { Operation } from "./types.js";

/** A speed that has to be reached on each of some workloads, or as a mean over all of them. */
export interface SpeedBar {
  readonly kind: "speed";
  readonly suite: string;
  readonly player: string;
  readonly operation: Operation;
  /** `all` looks at the worst one, unless a mean is asked for. */
  readonly workloads: readonly string[] | "all";
  readonly geometricMean?: boolean;
  /** A baseline of the race, or whichever standard rival is the fastest on that workload. */
  readonly against: "msgpackr" | "json-pack" | "best rival";
  readonly atLeast: number;
}

/** A number in a table that must not be exceeded. */
export interface LimitBar {
  readonly kind: "limit";
  readonly suite: "memory" | "size";
  readonly table: string;
  readonly row: string;
  /** A column, or whichever is the largest. */
  readonly column: string | "all";
  /** May depend on Node's major version, where V8's own object sizes do. */
  readonly atMost: number | ((nodeMajor: number) => number);
}

/** One promise of the project. */
export type Bar = SpeedBar | LimitBar;

function decode(workloads: SpeedBar["workloads"], against: SpeedBar["against"], atLeast: number): SpeedBar {
  return { kind: "speed", suite: "msgpack", player: "moonpack", operation: "decode", workloads, against, atLeast };
}

function encodeMean(player: string, against: SpeedBar["against"], atLeast: number): SpeedBar {
  const race = { kind: "speed", suite: "msgpack", operation: "encode", workloads: "all", geometricMean: true } as const;
  return { ...race, player, against, atLeast };
}

const DOCUMENTS = ["small-mixed", "clinical", "hn"];
const ASCII = ["ascii-1k", "ascii-100k"];
const TEXTS = [...ASCII, "french-10k", "cjk-1k", "cjk-100k"];

/** What the project has set out to reach. Timed on Node 20; ratios within one run. */
export const bars: readonly Bar[] = [
  decode(DOCUMENTS, "msgpackr", 1.8),
  decode(DOCUMENTS, "json-pack", 1.3),
  decode(["numeric"], "msgpackr", 2.8),
  decode(["tiny"], "msgpackr", 1.8),
  decode(["shapes"], "msgpackr", 1.5),
  decode(["numeric", "tiny"], "best rival", 1),
  decode(["shapes"], "json-pack", 1.2),
  decode(ASCII, "msgpackr", 1.4),
  decode(["french-10k"], "msgpackr", 2.3),
  decode(["cjk-1k"], "msgpackr", 3),
  decode(["cjk-100k"], "msgpackr", 8),
  decode(TEXTS, "best rival", 1),
  decode(["dictionary"], "msgpackr", 1.05),
  decode(["dictionary"], "best rival", 1),
  encodeMean("moonpack-shared", "msgpackr", 1.45),
  encodeMean("moonpack-shared", "json-pack", 1.1),
  encodeMean("moonpack", "msgpackr", 1.3),
  encodeMean("moonpack", "json-pack", 1),
  { ...decode("all", "msgpackr", 0.95), player: "moonpack-interpreted" },
  { ...decode("all", "msgpackr", 0.95), player: "moonpack-shared", operation: "encode" },
  {
    kind: "limit",
    suite: "memory",
    table: "results",
    row: "moonpack",
    column: "all",
    // Node 24's V8 has larger typed array objects.
    atMost: (nodeMajor) => (nodeMajor >= 24 ? 256 : 240),
  },
  { kind: "limit", suite: "memory", table: "strings", row: "moonpack", column: "all", atMost: 1.1 },
  // 1 KB is 1,024 bytes.
  { kind: "limit", suite: "size", table: "bundles", row: "moonpack-decode", column: "gzip", atMost: 5.5 * 1024 },
  { kind: "limit", suite: "size", table: "bundles", row: "moonpack-all", column: "gzip", atMost: 12 * 1024 },
];
