/** Reads the names of aggregates on the command line. */
import type { Aggregate } from "@moonpack/series";
import { UsageError } from "../shared/failure.js";

const AGGREGATE = /^(?:min|max|sum|avg|count|first|last|increase|rate|p(?:100(?:\.0+)?|\d{1,2}(?:\.\d+)?))$/;

/** The known names, for help texts and errors. */
export const AGGREGATES = "min max sum avg count first last increase rate, percentiles as p99";

/** Reads an option's value that must be one aggregate. */
export function aggregateArgument(text: string): Aggregate {
  if (AGGREGATE.test(text)) return text as Aggregate;
  throw new UsageError(`the aggregate ${text} is unknown: use ${AGGREGATES}`);
}

/** Reads an option's value that must be a comma-separated list of aggregates. */
export function aggregatesArgument(text: string): readonly Aggregate[] {
  return [...new Set(text.split(",").map((name) => aggregateArgument(name.trim())))];
}
