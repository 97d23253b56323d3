/** The option `summarize`: the windows that a store keeps. */
import {
  durationMs,
  durationOption,
  invalidArgument,
  optionsObject,
  ownOption,
  refuseUnknown,
  suggestion,
} from "moonpack/bytes";
import { readAggregates } from "../window/aggregate.js";
import { rolesOf } from "./roles.js";

/** Maximum number of kept windows. */
const MAX_DEFINITIONS = 8;
const LEAST_WINDOW = 1000;
const MOST_WINDOW = 366 * 86_400_000;
/** A year of `keep`. */
const YEAR = 365 * 86_400_000;
const SUMMARISED = ["min", "max", "sum", "avg", "count", "first", "last"];

/** A checked entry of the option. Times are milliseconds. */
export interface SummaryDefinition {
  readonly window: number;
  /** The roles to keep, as bits. */
  readonly roles: number;
  /** Null for ever, as in the manifest. */
  readonly keep: number | null;
}

/** Checks the option. Undefined: the store keeps what it has kept so far. Throws `ERR_INVALID_ARGUMENT`. */
export function readSummarize(value: unknown): readonly SummaryDefinition[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.length > MAX_DEFINITIONS)
    throw invalidArgument(`summarize must be a list of at most ${MAX_DEFINITIONS} kept windows`);
  const definitions = value.map((one: unknown, i) => readDefinition(one, `summarize[${i}]`));
  definitions.forEach(({ window }, i) => {
    if (definitions.findIndex((other) => other.window === window) < i)
      throw invalidArgument(`summarize has the window of ${window} ms twice`);
  });
  return definitions;
}

function readDefinition(one: unknown, what: string): SummaryDefinition {
  const given = optionsObject(one ?? null, what);
  if (Object.hasOwn(given, "timeZone"))
    throw invalidArgument(
      `${what} has a timeZone, but kept windows have fixed lengths: queries with a timeZone are answered by them, too`,
    );
  refuseUnknown(given, ["window", "aggregate", "keep"], `option of ${what}`);
  const window = windowOption(`window of ${what}`, ownOption(given, "window"));
  return { window, roles: rolesOption(what, ownOption(given, "aggregate")), keep: keepOption(what, given, window) };
}

function windowOption(name: string, value: unknown): number {
  if (typeof value === "string" && /^\d+(mo|y)$/.test(value))
    throw invalidArgument(`${name} must have a fixed length, such as "5m" or "1d": months and years follow a calendar`);
  const ms = durationMs(name, value);
  if (!Number.isInteger(ms) || ms < LEAST_WINDOW || ms > MOST_WINDOW)
    throw invalidArgument(`${name} must be whole milliseconds, from 1 second to 366 days`);
  return ms;
}

function rolesOption(what: string, value: unknown): number {
  const kinds = readAggregates(value).map(({ name, kind }) => {
    if (SUMMARISED.includes(kind)) return kind;
    const hint = suggestion(name, SUMMARISED) || `: summaries have ${SUMMARISED.join(", ")}`;
    throw invalidArgument(`${name} of ${what} needs the points${hint}`);
  });
  return rolesOf(kinds)!;
}

function keepOption(what: string, given: object, window: number): number | null {
  const value = ownOption(given, "keep");
  if (value === undefined) throw invalidArgument(`${what} needs keep: a duration such as "90d" or "1y", or "forever"`);
  if (value === "forever") return null;
  const years = typeof value === "string" ? /^(\d+)y$/.exec(value)?.[1] : undefined;
  return durationOption(`keep of ${what}`, years === undefined ? value : Number(years) * YEAR, 0, window);
}
