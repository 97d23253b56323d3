/** Compares results with those of Prometheus' engine: exactly, apart from the rules. */
import { type Expression, Labels, type QueryResult, type QueryValue } from "@moonpack/prometheus";
import type { EngineResult } from "@moonpack/promql/engine.ts";
import { type CLOSE, type Difference, hasSubquery, isSorted, RULES } from "./engine-rules.ts";

/** The outcome of a query: the result, or the text of the error. */
export type Outcome = QueryResult | string;

/** The outcome of a comparison: equality, the name of a rule that explains the difference, or a difference without an explanation. */
export type Finding = string | Unexplained;
type Unexplained = Omit<Difference, "hasEqualBounds">;
type Compared = "equal" | keyof typeof CLOSE | Unexplained;

/** The relative tolerance of Prometheus' own tests. */
const TOLERANCE = 1e-6;
const SMALLEST_NORMAL = 2 ** -1022;

interface Row {
  readonly labels: Labels;
  readonly times: readonly number[];
  readonly values: readonly number[];
}

/** Compares the outcomes of a query. `tree` is undefined for a query that is not parsed. */
export function compareOutcomes(
  tree: Expression | undefined,
  ours: Outcome,
  theirs: EngineResult,
  hasEqualBounds: boolean,
): Finding {
  const found = compared(tree, ours, theirs);
  if (typeof found === "string" || tree === undefined) return found;
  const rule = RULES.find(([, , explains]) => explains(tree, { ...found, hasEqualBounds }));
  return rule === undefined ? found : rule[0];
}

function compared(tree: Expression | undefined, ours: Outcome, theirs: EngineResult): Compared {
  if (typeof ours === "string" || theirs.error !== "") return comparedErrors(ours, theirs);
  const found = comparedValues(tree, ours.value, theirs);
  if (typeof found === "object") return found;
  const notes = [...(theirs.warnings ?? []), ...(theirs.infos ?? [])];
  const hasSteps = ours.value.resultType === "matrix" || tree === undefined || hasSubquery(tree);
  return worse(found, comparedNotes([...ours.warnings, ...ours.infos], notes, hasSteps));
}

function comparedValues(tree: Expression | undefined, value: QueryValue, theirs: EngineResult): Compared {
  if (value.resultType !== theirs.type) return { difference: `a ${value.resultType}, not a ${theirs.type}` };
  if (value.resultType === "string")
    return value.value === theirs.value ? "equal" : { difference: `${value.value}, not ${theirs.value}` };
  if (value.resultType === "scalar") return comparedNumbers(value.value, numberOf(theirs.value));
  const rows: Row[] =
    value.resultType === "vector"
      ? value.labels.map((labels, i) => ({ labels, times: [value.time], values: [value.values[i]!] }))
      : value.series.map(({ labels, timestamps, values }) => ({ labels, times: [...timestamps], values: [...values] }));
  const wanted = (theirs.rows ?? []).map(({ labels, times, values }) => ({
    labels: Labels.of(labels),
    times,
    values: values.map(numberOf),
  }));
  const found = comparedRows(rows, wanted);
  if (typeof found === "object") return found;
  if (value.resultType === "matrix") return worse(found, comparedOrder(rows, wanted));
  if (tree === undefined || !isSorted(tree)) return found;
  // Here the order counts, but equal values have none.
  return rows.map(({ values }, i) => comparedNumbers(values[0]!, wanted[i]!.values[0]!)).reduce(worse, found);
}

function worse(a: Compared, b: Compared): Compared {
  if (typeof b === "object" || a === "equal") return b;
  return a;
}

/** Errors are equal if they are of one kind. Where several series are wrong, any of them may be named. */
function comparedErrors(ours: Outcome, theirs: EngineResult): Compared {
  const [a, b] = [typeof ours === "string" ? kindOf(ours) : "a result", kindOf(theirs.error)];
  if (a === b) return "equal";
  return { difference: `${a}, not ${b}`, ...(a === "a result" ? { only: "their error" } : {}) };
}

const AMBIGUOUS =
  /^(?:found duplicate series for the match group|multiple matches for labels|vector cannot contain metrics with the same labelset)/;

function kindOf(error: string): string {
  if (error === "") return "a result";
  if (/parse error/.test(error)) return "parse error";
  // Which group of which side at which step is seen first depends on the order of series.
  if (AMBIGUOUS.test(error)) return "ambiguous";
  return error;
}

function comparedNotes(ours: readonly string[], theirs: readonly string[], hasSteps: boolean): Compared {
  const [a, b] = [[...ours].sort(), [...theirs].sort()];
  if (String(a) === String(b)) return "equal";
  const [c, d] = hasSteps ? [a.map(withoutCounts), b.map(withoutCounts)] : [a, b];
  if (String(c) === String(d)) return "counts of notes";
  if (String(c.map(rounded).sort()) === String(d.map(rounded).sort())) return "last digits";
  if (String(c.map(withoutPlace).sort()) === String(d.map(withoutPlace).sort())) return "places of notes";
  return { only: "notes", difference: `the notes ${a.join("; ")}, not ${b.join("; ")}` };
}

function withoutCounts(note: string): string {
  return note.replace(/over -?\d+ samples/, "");
}

function withoutPlace(note: string): string {
  return note.replace(/\(\d+:\d+\)$/, "");
}

/** A text with its numbers rounded. */
function rounded(text: string): string {
  return text.replace(/\d+(?:\.\d+)?(?:e[-+]\d+)?/g, (number) => String(Number(Number(number).toPrecision(10))));
}

function comparedRows(ours: readonly Row[], theirs: readonly Row[]): Compared {
  const exact = comparedByKey(ours, theirs, ({ labels }) => labels.key);
  if (typeof exact === "string") return exact;
  // Labels of count_values have numbers.
  const close = comparedByKey(ours, theirs, ({ labels }) => rounded(String(labels)));
  return typeof close === "string" ? "last digits" : exact;
}

function comparedByKey(ours: readonly Row[], theirs: readonly Row[], keyOf: (row: Row) => string): Compared {
  const wanted = new Map(theirs.map((row) => [keyOf(row), row]));
  if (wanted.size !== theirs.length) return { difference: "their labels are not distinct" };
  if (ours.length !== theirs.length || ours.some((row) => !wanted.has(keyOf(row))))
    return { difference: `the series ${ours.map(keyOf).join()}, not ${theirs.map(keyOf).join()}` };
  let found: Compared = "equal";
  for (const row of ours) {
    const { times, values } = wanted.get(keyOf(row))!;
    if (String(row.times) !== String(times))
      return { difference: `${row.labels} has points at ${row.times}, not at ${times}` };
    for (const [i, value] of row.values.entries()) {
      const one = comparedNumbers(value, values[i]!);
      if (typeof one === "object") return { difference: `${row.labels} at ${times[i]}: ${one.difference}` };
      found = worse(found, one);
    }
  }
  return found;
}

/** Where numbers in labels differ in their last digits, so may the order. */
function comparedOrder(ours: readonly Row[], theirs: readonly Row[]): Compared {
  const [a, b] = [ours, theirs].map((rows) => rows.map(({ labels }) => String(labels))) as [string[], string[]];
  if (String(a) === String(b) || a.some((labels) => !b.includes(labels))) return "equal";
  return { difference: `in the order ${a}, not ${b}` };
}

function comparedNumbers(a: number, b: number): Compared {
  if (Object.is(a, b)) return "equal";
  if (a === b) return "sign of zero";
  if (Math.abs(a) > Number.MAX_VALUE / 2 && b === a * Number.POSITIVE_INFINITY) return "overflow";
  const sum = Math.abs(a) + Math.abs(b);
  const difference = Math.abs(a - b);
  const isClose =
    a === 0 || b === 0 || sum < SMALLEST_NORMAL
      ? difference < TOLERANCE * SMALLEST_NORMAL
      : difference / Math.min(sum, Number.MAX_VALUE) < TOLERANCE;
  return isClose ? "last digits" : { difference: `${a}, not ${b}` };
}

function numberOf(text: string): number {
  return Number(text.replace("Inf", "Infinity"));
}
