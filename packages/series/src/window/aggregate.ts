/** The aggregates of windows: their names and kinds. */
import { invalidArgument, suggestion } from "moonpack/bytes";
import type { Aggregate } from "../api.js";

/** The kind of an aggregate. All percentiles are one kind. */
export type AggregateKind = Exclude<Aggregate, `p${number}`> | "percentile";

/** An aggregate of a query. */
export interface PlannedAggregate {
  /** The name in results. */
  readonly name: Aggregate;
  readonly kind: AggregateKind;
  /** 0 to 100 for percentiles, otherwise 0. */
  readonly percent: number;
}

/** Reads a list of names of aggregates. Throws `ERR_INVALID_ARGUMENT` for an empty list, unknown names and repeated ones. */
export function readAggregates(names: unknown): PlannedAggregate[] {
  if (!Array.isArray(names) || names.length === 0)
    throw invalidArgument(`aggregate must be a list of at least one of ${known().join(", ")} or p0 to p100`);
  const planned: PlannedAggregate[] = [];
  for (const name of names as unknown[]) {
    if (planned.some((other) => other.name === name)) throw invalidArgument(`aggregate has ${name} twice`);
    planned.push(readAggregate(name));
  }
  return planned;
}

function readAggregate(name: unknown): PlannedAggregate {
  if (typeof name !== "string") throw invalidArgument("aggregate must be a list of texts");
  const kind = known().find((each) => each === name);
  if (kind !== undefined) return { name: kind, kind, percent: 0 };
  const number = /^p(\d+(?:\.\d+)?)$/.exec(name)?.[1];
  if (number === undefined) {
    const hint = suggestion(name, known()) || `: there are ${known().join(", ")} and p0 to p100`;
    throw invalidArgument(`${JSON.stringify(name)} is not a known aggregate${hint}`);
  }
  const percent = Number(number);
  if (percent > 100) throw invalidArgument(`${name} is not a percentile: they go from p0 to p100`);
  return { name: name as Aggregate, kind: "percentile", percent };
}

/** All kinds that are names of aggregates. */
function known(): Exclude<AggregateKind, "percentile">[] {
  return ["min", "max", "sum", "avg", "count", "first", "last", "increase", "rate"];
}

/** True for aggregates that are exact int64 for metrics of that type. All others are floats. */
export function isExact(kind: AggregateKind): boolean {
  return kind === "min" || kind === "max" || kind === "first" || kind === "last";
}
