import type { Operation } from "../types.js";

/** A speed to reach on each of some workloads, or as a mean over all of them. */
export interface SpeedBar {
  readonly kind: "speed";
  readonly suite: string;
  readonly candidate: string;
  readonly operation: Operation;
  /** `all`: the slowest workload counts, unless a mean is requested. */
  readonly workloads: readonly string[] | "all";
  readonly geometricMean?: boolean;
  /** A baseline of the race, or the fastest standard rival on each workload. */
  readonly against: "msgpackr" | "json-pack" | "best rival";
  readonly atLeast: number;
}

/** A cell of a table of numbers. */
interface Cell {
  readonly suite:
    | "browsers"
    | "go"
    | "hazelcast"
    | "load"
    | "memory"
    | "pck"
    | "protobuf"
    | "runner"
    | "schemas"
    | "series"
    | "service"
    | "size"
    | "stream"
    | "trace";
  readonly table: string;
  readonly row: string;
  /** A column, or `all` for the worst one. */
  readonly column: string | "all";
}

/** A number in a table that must not be exceeded. */
export interface LimitBar extends Cell {
  readonly kind: "limit";
  readonly atMost: number;
}

/** A number in a table that must be reached. */
export interface FloorBar extends Cell {
  readonly kind: "floor";
  readonly atLeast: number;
}

/** One promise of the project. */
export type Bar = SpeedBar | LimitBar | FloorBar;
