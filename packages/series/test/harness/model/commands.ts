/** Random commands for a store. They are data: one that fails can be printed, run again, and made shorter. */
import type { Fill } from "../../../src/api.ts";
import type { Random } from "../../reference/vectors/random.ts";

/** Metrics of a model, by number. */
export const METRICS = 24;
/** Parts into which the metrics are divided: commands of one burst use a part each. */
export const CLIENTS = 4;

/** Milliseconds to, or from, the clock; then rounded down to a multiple of `grid`. */
export interface When {
  readonly offset: number;
  readonly grid: number;
}

/** A point to write. The value of an int64 metric is made of the float. */
export interface WrittenPoint {
  readonly metric: number;
  readonly at: When;
  readonly value: number;
}

/** The arguments of a query. Without `window` it returns points. */
export interface Asked {
  readonly from?: When;
  readonly to?: When;
  readonly reverse?: boolean;
  readonly limit?: number;
  readonly window?: number;
  readonly origin?: number;
  readonly fill?: Fill;
  /** True for aggregates that kept summaries have, and a range of whole kept windows. */
  readonly isKept?: boolean;
}

/** A kept window, in milliseconds. */
export interface KeptWindow {
  readonly window: number;
  readonly keep: number;
}

/** Which metrics are selected: see `matchOf` in model.ts. */
export interface Wanted {
  readonly name?: number;
  readonly host?: number;
}

/** Commands that a burst may have. */
export type WriteCommand =
  | { readonly do: "write"; readonly points: readonly WrittenPoint[]; readonly by: "handle" | "object" }
  | {
      readonly do: "scrape";
      readonly metrics: readonly number[];
      readonly at: When;
      readonly values: readonly number[];
      readonly skipNaN: boolean;
    }
  | {
      readonly do: "column";
      readonly metric: number;
      readonly from: When;
      readonly step: number;
      readonly values: readonly number[];
      readonly reverse: boolean;
    }
  | { readonly do: "delete"; readonly metric: number; readonly from?: When; readonly to?: When }
  | { readonly do: "forget"; readonly metric: number }
  | { readonly do: "flush" }
  | { readonly do: "compact" };

/** A command. */
export type Command =
  | WriteCommand
  | { readonly do: "advance"; readonly by: number }
  | { readonly do: "query"; readonly metric: number; readonly ask: Asked }
  | { readonly do: "last"; readonly metric: number }
  | { readonly do: "select"; readonly match: Wanted; readonly ask: Asked }
  | { readonly do: "metrics"; readonly match: Wanted }
  | { readonly do: "tagValues"; readonly match?: Wanted }
  | { readonly do: "register"; readonly metric: number }
  | { readonly do: "backup" }
  | { readonly do: "turns"; readonly n: number }
  /** All at once; then, after some iterations of the event loop, all are awaited, or the process or the power ends. */
  | {
      readonly do: "burst";
      readonly commands: readonly WriteCommand[];
      readonly turns: number;
      readonly end: "await" | "kill" | "powerLoss" | "close";
    }
  | { readonly do: "reopen" }
  | { readonly do: "kill"; readonly readOnly: boolean }
  | { readonly do: "powerLoss" };

/** How a store is opened: see `settingsOf` in runner.ts. */
export interface Config {
  readonly seed: number;
  readonly unit: "ms" | "s";
  readonly durability: "sync" | "batch";
  readonly retention?: number;
  /** Metrics with the name "mem" are kept for this long, and metrics of zone z1 for ever. Undefined: as all others. */
  readonly keepMem?: number;
  /** All aggregates that summaries may have are kept. */
  readonly summarize?: readonly KeptWindow[];
  readonly rollupAfter: number | false;
  readonly grace: number;
  readonly maxAhead: number;
  readonly maxHeadBytes: number;
  readonly maxCachedMetrics: number;
  /** Turns of the event loop that a call of the driver takes at most. */
  readonly delay: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const SUMMARIZE: readonly (readonly KeptWindow[])[] = [
  [{ window: 5 * MINUTE, keep: 365 * DAY }],
  [
    { window: MINUTE, keep: 2 * DAY },
    { window: HOUR, keep: 200 * DAY },
  ],
  [{ window: 7 * MINUTE, keep: 30 * DAY }],
  [{ window: DAY, keep: 365 * DAY }],
];

function oneOf<T>(random: Random, choices: readonly T[]): T {
  return choices[random(choices.length)]!;
}

/** A random configuration. */
export function configOf(random: Random, seed: number): Config {
  const retention = oneOf(random, [undefined, undefined, 3 * 7 * DAY, 36 * HOUR]);
  return {
    seed,
    unit: oneOf(random, ["ms", "ms", "ms", "s"]),
    durability: oneOf(random, ["batch", "sync"]),
    ...(retention !== undefined && { retention }),
    ...(seed % 3 === 0 && { keepMem: [5 * HOUR, 10 * DAY, 80 * DAY][(seed / 3) % 3]! }),
    ...(seed % 4 < 2 && { summarize: SUMMARIZE[(seed >> 2) % SUMMARIZE.length]! }),
    rollupAfter: oneOf(random, [2 * HOUR, 0, 10 * MINUTE, false]),
    grace: oneOf(random, [10 * SECOND, 0, 2 * MINUTE]),
    maxAhead: oneOf(random, [DAY, 0, 90 * MINUTE]),
    maxHeadBytes: oneOf(random, [2 ** 28, 65_536]),
    maxCachedMetrics: oneOf(random, [1000, 1000, 20, 3, 1]),
    delay: oneOf(random, [0, 0, 1, 3]),
  };
}

function when(random: Random): When {
  // Few are far back: each week with points makes all reads longer.
  const span =
    random(30) === 0 ? oneOf(random, [DAY, 20 * DAY, 60 * DAY]) : oneOf(random, [MINUTE, 3 * MINUTE, HOUR, 5 * HOUR]);
  const isAhead = random(12) === 0;
  const offset = isAhead ? random(oneOf(random, [MINUTE, HOUR, 30 * HOUR])) : -random(span);
  return { offset, grid: oneOf(random, [1, SECOND, 15 * SECOND, 15 * SECOND, MINUTE, 20 * MINUTE, HOUR]) };
}

function value(random: Random): number {
  switch (random(12)) {
    case 0:
      return Number.NaN;
    case 1:
      return oneOf(random, [-0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2 ** 53 - 1, -(2 ** 53 - 1)]);
    case 2:
      return Math.exp(random(200) - 100) * (random(2) === 0 ? -1 : 1);
    case 3:
      return (random(2000) - 1000) / 100;
    case 4:
      return random(2 ** 31) * 2 ** 20;
    default:
      return random(1000);
  }
}

function list<T>(random: Random, most: number, make: () => T): T[] {
  return Array.from({ length: 1 + random(most) }, make);
}

/** A metric of a client; of any with client -1. */
function metric(random: Random, client: number): number {
  return client < 0 ? random(METRICS) : client + CLIENTS * random(METRICS / CLIENTS);
}

function writeCommand(random: Random, client: number): WriteCommand {
  const kind = random(20);
  if (kind < 8) {
    // Mostly near each other, so that points are written twice.
    const at = when(random);
    const near = () => ({ offset: at.offset - random(3 * at.grid), grid: at.grid });
    return {
      do: "write",
      by: oneOf(random, ["handle", "object"]),
      points: list(random, oneOf(random, [1, 5, 40]), () => ({
        metric: metric(random, client),
        at: random(4) === 0 ? when(random) : near(),
        value: value(random),
      })),
    };
  }
  if (kind < 13) {
    const first = random(METRICS);
    const n = 1 + random(client < 0 ? METRICS : METRICS / CLIENTS);
    const step = client < 0 ? 1 : CLIENTS;
    const start = client < 0 ? first : client + CLIENTS * random(METRICS / CLIENTS);
    const metrics = Array.from({ length: n }, (_, i) => (start + i * step) % METRICS);
    return {
      do: "scrape",
      metrics,
      at: when(random),
      values: metrics.map(() => value(random)),
      skipNaN: random(3) === 0,
    };
  }
  if (kind < 16)
    return {
      do: "column",
      metric: metric(random, client),
      from: when(random),
      step: oneOf(random, [0, 1, SECOND, 7 * SECOND, MINUTE, HOUR]),
      values: list(random, oneOf(random, [10, 80]), () => value(random)),
      reverse: random(3) === 0,
    };
  if (kind < 18) {
    const ends = random(4);
    return {
      do: "delete",
      metric: metric(random, client),
      ...(ends !== 0 && { from: when(random) }),
      ...(ends !== 1 && { to: when(random) }),
    };
  }
  if (kind === 18) return oneOf(random, [{ do: "flush" } as const, { do: "compact" } as const]);
  return { do: "forget", metric: metric(random, client) };
}

function asked(random: Random): Asked {
  const ends = random(4);
  const range = { ...(ends & 1 && { from: when(random) }), ...(ends & 2 && { to: when(random) }) };
  if (random(3) === 0) {
    const fill = oneOf(random, ["none", "none", "null", "previous", "linear"] as const);
    // Short windows only where empty ones take no rows.
    const window = oneOf(random, fill === "none" ? [MINUTE, 7 * MINUTE, HOUR, DAY] : [HOUR, DAY]);
    return { ...range, ...order(random), window, origin: random(3) === 0 ? random(1000) : 0, fill };
  }
  return { ...range, ...order(random) };
}

/** The order and the number of rows. */
function order(random: Random): Pick<Asked, "reverse" | "limit"> {
  return { ...(random(2) === 0 && { reverse: true }), ...(random(2) === 0 && { limit: random(30) }) };
}

function wanted(random: Random): Wanted {
  return { ...(random(2) === 0 && { name: random(6) }), ...(random(2) === 0 && { host: random(8) }) };
}

function command(random: Random): Command {
  const kind = random(100);
  if (kind < 40) return writeCommand(random, -1);
  if (kind < 54)
    return {
      do: "advance",
      by: random(40) === 0 ? 8 * DAY : oneOf(random, [1, SECOND, 10 * SECOND, MINUTE, 5 * MINUTE, HOUR]),
    };
  if (kind < 66) return { do: "query", metric: random(METRICS), ask: asked(random) };
  if (kind < 70) return { do: "last", metric: random(METRICS) };
  if (kind < 75) return { do: "select", match: wanted(random), ask: asked(random) };
  if (kind < 78) return { do: "metrics", match: wanted(random) };
  if (kind < 80) return { do: "tagValues", ...(random(2) === 0 && { match: wanted(random) }) };
  if (kind < 82) return { do: "register", metric: random(METRICS) };
  if (kind < 84) return { do: "backup" };
  if (kind < 88) return { do: "turns", n: random(20) };
  if (kind < 94)
    return {
      do: "burst",
      commands: Array.from({ length: 2 + random(CLIENTS - 1) }, (_, client) => writeCommand(random, client)),
      turns: random(oneOf(random, [1, 3, 12, 40])),
      end: oneOf(random, ["await", "await", "kill", "kill", "powerLoss", "close"]),
    };
  if (kind < 96) return { do: "reopen" };
  if (kind < 99) return { do: "kill", readOnly: random(3) === 0 };
  return { do: "powerLoss" };
}

/** A list of random commands. */
export function commandsOf(random: Random, length: number): Command[] {
  return Array.from({ length }, () => command(random));
}
