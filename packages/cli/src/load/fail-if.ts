/** Conditions on a result: `p99>5ms`. */
import type { LoadResult, Percentiles, Summary } from "@moonpack/load";
import { PointedError } from "../series/pointed-error.js";

/** The unit of a figure. */
type Kind = "time" | "rate" | "errors";

type Operator = "<" | "<=" | ">" | ">=";

/** A condition that fails a run. */
export interface Condition {
  readonly text: string;
  readonly kind: Kind;
  readonly operator: Operator;
  /** Milliseconds, operations a second, errors; or percent. */
  readonly value: number;
  readonly isPercent: boolean;
  /** Returns the figure; null if the result lacks it. */
  figure(summary: Summary): number | null;
}

const TIMES = ["response", "service", "late"] as const;
const PERCENTILES = new Map([
  ["p50", "p50"],
  ["p90", "p90"],
  ["p99", "p99"],
  ["p99.9", "p999"],
  ["p999", "p999"],
  ["max", "max"],
  ["mean", "mean"],
] as const);
const UNITS = new Map([
  ["ns", 1e-6],
  ["us", 1e-3],
  ["µs", 1e-3],
  ["μs", 1e-3],
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
]);
const FORM = /^(\s*)([a-z][\w.]*)(\s*)(<=|>=|<|>)(\s*)(\d+(?:\.\d+)?)(\s*)([a-zµμ%/]*)\s*$/i;

/** Parses a condition. Throws a usage error with the place of the mistake. */
export function parseCondition(text: string): Condition {
  const found = FORM.exec(text);
  if (found === null) return bad(text, 0, "--fail-if must be a figure, < <= > or >=, and a value, such as p99>5ms");
  const [, blank, name, , operator, , digits, , unit] = found as unknown as string[];
  const place = blank!.length;
  const unitPlace = text.trimEnd().length - unit!.length;
  const { kind, figure } = figureOf(name!) ?? bad(text, place, `unknown figure ${name}: expected ${NAMES}`);
  const isPercent = unit === "%";
  const value = Number(digits) * (isPercent ? 1 : scaleOf(kind, unit!, text, unitPlace));
  return { text, kind, operator: operator as Operator, value, isPercent, figure };
}

const NAMES = "p50, p90, p99, p99.9, max, mean (also as service.p99 and late.p99), throughput, errors";

function figureOf(name: string): Pick<Condition, "kind" | "figure"> | undefined {
  if (name === "throughput") return { kind: "rate", figure: ({ perSecond }) => perSecond.median };
  if (name === "errors") return { kind: "errors", figure: errorsOf };
  const [, first, rest] = /^(?:(\w+)\.)?(p\d+(?:\.\d+)?|max|mean)$/.exec(name) ?? [];
  const time = TIMES.find((one) => one === (first ?? "response"));
  const percentile = PERCENTILES.get(rest as "p50");
  if (time === undefined || percentile === undefined) return undefined;
  return { kind: "time", figure: (summary) => timeOf(summary, time, percentile) };
}

/** Returns a time; null without successful operations. */
function timeOf(summary: Summary, time: (typeof TIMES)[number], percentile: keyof Percentiles): number | null {
  return summary.operations === 0 ? null : (summary[time]?.[percentile] ?? null);
}

function scaleOf(kind: Kind, unit: string, text: string, place: number): number {
  const lower = unit.toLowerCase();
  if (kind === "time")
    return UNITS.get(lower) ?? bad(text, place, `a time needs its unit: ns, us, ms or s, or % with --compare`);
  if (lower === "") return 1;
  if (kind === "errors") return bad(text, place, "errors are a number, or % of all operations");
  const scale = new Map([
    ["k", 1e3],
    ["m", 1e6],
    ["/s", 1],
    ["k/s", 1e3],
    ["m/s", 1e6],
  ]).get(lower);
  return scale ?? bad(text, place, "throughput is operations a second, such as 20000 or 20k, or % with --compare");
}

/** Throws a usage error. `place` is the index of the wrong character. */
function bad(text: string, place: number, message: string): never {
  throw new PointedError(`ERR_INVALID_ARGUMENT: ${message}`, text, place);
}

/** True if the condition needs an old result. */
export function needsOld({ kind, isPercent }: Condition): boolean {
  return isPercent && kind !== "errors";
}

/** Returns a text for each condition that is met. A condition on a figure that the result lacks counts as met. */
export function metConditions(
  conditions: readonly Condition[],
  { summary }: LoadResult,
  old: LoadResult | undefined,
): string[] {
  return conditions.flatMap((condition) => {
    const { text, kind, operator, value, isPercent } = condition;
    const figure = summary === null ? null : condition.figure(summary);
    const before = old?.summary == null ? null : condition.figure(old.summary);
    const limit = !isPercent
      ? value
      : kind === "errors"
        ? (value / 100) * allOf(summary)
        : before === null
          ? null
          : (value / 100) * before;
    if (figure === null || limit === null) return [`${text}: the result does not have this figure`];
    return holds(figure, operator, limit) ? [text] : [];
  });
}

function holds(figure: number, operator: Operator, limit: number): boolean {
  if (operator === "<") return figure < limit;
  if (operator === "<=") return figure <= limit;
  return operator === ">" ? figure > limit : figure >= limit;
}

/** Returns the number of all errors. */
export function errorsOf({ errors }: Summary): number {
  return Object.values(errors).reduce((sum, count) => sum + count, 0);
}

function allOf(summary: Summary | null): number {
  return summary === null ? 0 : summary.operations + errorsOf(summary);
}
