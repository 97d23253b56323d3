/**
 * A simple evaluator of a part of PromQL, as an oracle: one time after the other, each range searched in all samples, sums without
 * compensation. It shares only the parser with the package.
 */
import type {
  Binary,
  Call,
  Expression,
  LabelMatcher,
  MatrixSelector,
  Subquery,
  VectorSelector,
} from "@moonpack/prometheus";
import { STALE } from "./memory-source.ts";
import { FIRST, GAP, type RandomSeries } from "./random-series.ts";

type Names = ReadonlyMap<string, string>;
/** A series of an instant vector. */
export interface NaiveRow {
  readonly labels: Names;
  readonly value: number;
}
interface Sample {
  readonly time: number;
  readonly value: number;
}
interface Ranged {
  readonly labels: Names;
  readonly samples: readonly Sample[];
  readonly from: number;
  readonly to: number;
}

/** The data, and the first and last time of the query. */
export interface NaiveData {
  readonly series: readonly RandomSeries[];
  readonly start: number;
  readonly end: number;
}

const LOOKBACK = 300_000;

/** Returns a number, or the rows of an instant vector with their metrics' names. */
export function naive(data: NaiveData, expression: Expression, time: number): number | NaiveRow[] {
  switch (expression.kind) {
    case "number":
      return expression.value;
    case "parentheses":
      return naive(data, expression.expression, time);
    case "unary": {
      const inner = naive(data, expression.expression, time);
      const sign = expression.operator === "-" ? -1 : 1;
      return typeof inner === "number" ? sign * inner : inner.map((row) => changed(row, sign * row.value));
    }
    case "selector":
      return selected(data, expression, time);
    case "aggregation":
      return aggregated(data, expression, time);
    case "binary":
      return combined(data, expression, time);
    case "call":
      return called(data, expression, time);
    default:
      throw new Error(`the naive evaluator has no ${expression.kind}`);
  }
}

/** A row without the metric's name. */
function changed({ labels }: NaiveRow, value: number): NaiveRow {
  return { labels: without(labels, ["__name__"]), value };
}

function without(labels: Names, names: readonly string[]): Names {
  return new Map([...labels].filter(([name]) => !names.includes(name)));
}

function only(labels: Names, names: readonly string[]): Names {
  return new Map([...labels].filter(([name]) => names.includes(name)));
}

/** Returns a text that is equal for equal labels. */
export function keyOf(labels: Names): string {
  return JSON.stringify([...labels].sort());
}

function holds({ name, operator, value }: LabelMatcher, labels: Names): boolean {
  const text = labels.get(name) ?? "";
  const isMatch = operator.endsWith("~") ? new RegExp(`^(?:${value})$`, "s").test(text) : text === value;
  return isMatch !== operator.startsWith("!");
}

function matching(
  { series }: NaiveData,
  matchers: readonly LabelMatcher[],
): { labels: Names; points: RandomSeries["points"] }[] {
  return series
    .map(({ labels, points }) => ({ labels: new Map(labels) as Names, points }))
    .filter(({ labels }) => matchers.every((matcher) => holds(matcher, labels)));
}

function moved({ start, end }: NaiveData, { offset, at }: VectorSelector | Subquery, time: number): number {
  return (at === "start" ? start : at === "end" ? end : (at ?? time)) - (offset as number);
}

function selected(data: NaiveData, selector: VectorSelector, time: number): NaiveRow[] {
  const to = moved(data, selector, time);
  return matching(data, selector.matchers).flatMap(({ labels, points }) => {
    const present = points
      .map((point, i) => ({ point, time: FIRST + i * GAP }))
      .filter((one) => one.point !== undefined && one.time <= to && one.time > to - LOOKBACK);
    const point = present.at(-1)?.point;
    return typeof point === "number" ? [{ labels, value: point }] : [];
  });
}

function ranged(data: NaiveData, expression: MatrixSelector | Subquery, time: number): Ranged[] {
  const range = expression.range as number;
  if (expression.kind === "matrix") {
    const to = moved(data, expression.selector, time);
    const from = to - range;
    return matching(data, expression.selector.matchers).map(({ labels, points }) => {
      const samples = points.flatMap((point, i) =>
        typeof point === "number" && point !== (STALE as unknown) ? [{ time: FIRST + i * GAP, value: point }] : [],
      );
      return { labels, from, to, samples: samples.filter((one) => one.time > from && one.time <= to) };
    });
  }
  const to = moved(data, expression, time);
  const from = to - range;
  const step = (expression.step as number | undefined) ?? 60_000;
  const found = new Map<string, { labels: Names; samples: Sample[] }>();
  for (let at = Math.floor(from / step) * step + step; at <= to; at += step)
    for (const { labels, value } of naive(data, expression.expression, at) as NaiveRow[]) {
      const one = found.get(keyOf(labels)) ?? { labels, samples: [] };
      found.set(keyOf(labels), one);
      one.samples.push({ time: at, value });
    }
  return [...found.values()].map((one) => ({ ...one, from, to }));
}

function called(data: NaiveData, call: Call, time: number): number | NaiveRow[] {
  const { name } = call.function;
  if (name === "time") return time / 1000;
  let [argument] = call.arguments as [Expression];
  while (argument.kind === "parentheses") argument = argument.expression;
  if (argument.kind !== "matrix" && argument.kind !== "subquery") {
    const of = { abs: Math.abs, floor: Math.floor, sqrt: Math.sqrt }[name]!;
    return (naive(data, argument, time) as NaiveRow[]).map((row) => changed(row, of(row.value)));
  }
  const keepsName = name === "last_over_time" || name === "first_over_time";
  return ranged(data, argument, time).flatMap((one) => {
    const value = one.samples.length === 0 ? undefined : ofRange(name, one);
    if (value === undefined) return [];
    return [{ labels: keepsName ? one.labels : without(one.labels, ["__name__"]), value }];
  });
}

function ofRange(name: string, { samples, from, to }: Ranged): number | undefined {
  const values = samples.map(({ value }) => value);
  const count = values.length;
  const sum = values.reduce((a, b) => a + b, 0);
  switch (name) {
    case "sum_over_time":
      return sum;
    case "avg_over_time":
      return sum / count;
    case "count_over_time":
      return count;
    case "min_over_time":
      return values.reduce((a, b) => (b < a || Number.isNaN(a) ? b : a));
    case "max_over_time":
      return values.reduce((a, b) => (b > a || Number.isNaN(a) ? b : a));
    case "last_over_time":
      return values[count - 1];
    case "first_over_time":
      return values[0];
    case "stdvar_over_time":
      return values.reduce((a, b) => a + (b - sum / count) ** 2, 0) / count;
    case "changes":
      return values.filter((value, i) => i > 0 && value !== values[i - 1]).length;
    case "resets":
      return values.filter((value, i) => i > 0 && value < values[i - 1]!).length;
    case "idelta":
      return count < 2 ? undefined : values[count - 1]! - values[count - 2]!;
    default:
      return count < 2 ? undefined : extrapolated(name, samples, from, to);
  }
}

function extrapolated(name: string, samples: readonly Sample[], from: number, to: number): number {
  const isCounter = name !== "delta";
  let difference = samples.at(-1)!.value - samples[0]!.value;
  for (let i = 1; isCounter && i < samples.length; i++)
    if (samples[i]!.value < samples[i - 1]!.value) difference += samples[i - 1]!.value;
  const sampled = samples.at(-1)!.time - samples[0]!.time;
  const gap = sampled / (samples.length - 1);
  let before = samples[0]!.time - from;
  let after = to - samples.at(-1)!.time;
  if (before >= gap * 1.1) before = gap / 2;
  if (after >= gap * 1.1) after = gap / 2;
  if (isCounter && difference > 0 && samples[0]!.value >= 0)
    before = Math.min(before, (sampled * samples[0]!.value) / difference);
  const whole = (difference * (sampled + before + after)) / sampled;
  return name === "rate" ? whole / ((to - from) / 1000) : whole;
}

function aggregated(data: NaiveData, expression: Expression & { kind: "aggregation" }, time: number): NaiveRow[] {
  const { operator, grouping, isWithout } = expression;
  const groups = new Map<string, { labels: Names; values: number[] }>();
  for (const { labels, value } of naive(data, expression.expression, time) as NaiveRow[]) {
    const group = isWithout ? without(labels, ["__name__", ...grouping]) : only(labels, grouping);
    const one = groups.get(keyOf(group)) ?? { labels: group, values: [] };
    groups.set(keyOf(group), one);
    one.values.push(value);
  }
  return [...groups.values()].map(({ labels, values }) => ({ labels, value: ofGroup(operator, values) }));
}

function ofGroup(operator: string, values: readonly number[]): number {
  const sum = values.reduce((a, b) => a + b, 0);
  switch (operator) {
    case "sum":
      return sum;
    case "avg":
      return sum / values.length;
    case "count":
      return values.length;
    case "min":
      return values.reduce((a, b) => (b < a || Number.isNaN(a) ? b : a));
    case "max":
      return values.reduce((a, b) => (b > a || Number.isNaN(a) ? b : a));
    default:
      throw new Error(`the naive evaluator has no ${operator}`);
  }
}

function combined(data: NaiveData, expression: Binary, time: number): number | NaiveRow[] {
  const { operator, returnsBool, matching: how } = expression;
  const left = naive(data, expression.left, time);
  const right = naive(data, expression.right, time);
  const isComparison = /^[=!<>]/.test(operator);
  if (typeof left === "number" && typeof right === "number") return Number(ofOperator(operator, left, right));
  if (typeof left === "number" || typeof right === "number") {
    const rows = (typeof left === "number" ? right : left) as NaiveRow[];
    return rows.flatMap((row) => {
      const result = ofOperator(
        operator,
        typeof left === "number" ? left : row.value,
        typeof right === "number" ? right : row.value,
      );
      if (!isComparison || returnsBool) return [changed(row, Number(result))];
      return result === true ? [row] : [];
    });
  }
  const signature = (labels: Names): string =>
    keyOf(how!.isOn ? only(labels, how!.labels) : without(labels, ["__name__", ...how!.labels]));
  const signatures = new Map(right.map((row) => [signature(row.labels), row]));
  const known = new Set(left.map((row) => signature(row.labels)));
  if (operator === "and") return left.filter((row) => signatures.has(signature(row.labels)));
  if (operator === "unless") return left.filter((row) => !signatures.has(signature(row.labels)));
  if (operator === "or") return [...left, ...right.filter((row) => !known.has(signature(row.labels)))];
  return left.flatMap((row) => {
    const other = signatures.get(signature(row.labels));
    if (other === undefined) return [];
    const result = ofOperator(operator, row.value, other.value);
    const labels = how!.isOn ? only(row.labels, how!.labels) : without(row.labels, how!.labels);
    return [{ labels: without(labels, ["__name__"]), value: Number(result) }];
  });
}

function ofOperator(operator: string, left: number, right: number): number | boolean {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
    case ">":
      return left > right;
    case "<=":
      return left <= right;
    case "==":
      return left === right;
    default:
      throw new Error(`the naive evaluator has no ${operator}`);
  }
}
