/** Operators between two vectors, whose series are matched by their labels. */
import { PrometheusError } from "../../errors.js";
import type { VectorMatching } from "../../parse/nodes.js";
import type { BinaryPlan, Grid } from "../../plan/nodes.js";
import { SERIES_POINTS } from "../budget.js";
import { type Labels, signatureOf } from "../labels.js";
import { LABEL_WORK } from "../pace.js";
import type { Run } from "../run.js";
import { emptySeries, type StepSeries, sameLabels } from "../series.js";
import { type Operation, operationOf } from "./arithmetic.js";
import { matchedLabels, resultLabels } from "./match.js";

/** The series of both sides with the same matching labels. */
interface Match {
  readonly many: StepSeries[];
  readonly one: StepSeries[];
}

/** Evaluates an operator between vectors. Signatures and labels are computed once a series. */
export async function vectorsCombined(run: Run, plan: BinaryPlan, grid: Grid): Promise<StepSeries[]> {
  const left = await run.collect(plan.left, grid);
  const right = await run.collect(plan.right, grid);
  const operation = operationOf(plan.operator);
  const matching = plan.matching!;
  const isSwapped = matching.cardinality === "one-to-many";
  const many = isSwapped ? right : left;
  const one = isSwapped ? left : right;
  const matches = new Map<string, Match>();
  for (const side of ["many", "one"] as const)
    await run.pace.each(side === "many" ? many : one, LABEL_WORK, (series) => {
      const signature = signatureOf(series.labels, matching.labels, !matching.isOn);
      const match = matches.get(signature) ?? { many: [], one: [] };
      match[side].push(series);
      matches.set(signature, match);
    });
  if (operation === undefined) {
    if ([...matches.values()].some((match) => match.many.length > 0 && match.one.length > 0))
      run.notes.incompatible(plan.operator, plan.start);
    return [];
  }
  const combiner = new Combiner(run, plan, matching, operation, grid, await anyPresent(run, many, grid));
  for (const match of matches.values()) {
    const wait = combiner.combine(match);
    if (wait !== undefined) await wait;
  }
  return combiner.results();
}

/** Returns 1 for each step at which a series has a value. */
async function anyPresent({ pace }: Run, series: readonly StepSeries[], { count }: Grid): Promise<Uint8Array> {
  const any = new Uint8Array(count);
  await pace.each(series, count, ({ present }) => {
    for (let i = 0; i < count; i++) any[i]! |= present[i]!;
  });
  return any;
}

/** A result and the steps at which it was computed, for comparisons also where it has no value. */
interface Result {
  readonly series: StepSeries;
  readonly taken: Uint8Array;
  readonly match: Match;
}

class Combiner {
  readonly #run: Run;
  readonly #returnsBool: boolean;
  readonly #matching: VectorMatching;
  readonly #operation: Operation;
  readonly #grid: Grid;
  /** 1 for each step at which the "many" side has a value. */
  readonly #hasMany: Uint8Array;
  readonly #isSwapped: boolean;
  readonly #fillMany: number | undefined;
  readonly #fillOne: number | undefined;
  /** The results by their labels. For an instant query, each match has its own results. */
  #byLabels = new Map<string, Result>();
  readonly #results: StepSeries[] = [];

  constructor(
    run: Run,
    { returnsBool }: BinaryPlan,
    matching: VectorMatching,
    operation: Operation,
    grid: Grid,
    hasMany: Uint8Array,
  ) {
    this.#run = run;
    this.#returnsBool = returnsBool;
    this.#matching = matching;
    this.#operation = operation;
    this.#grid = grid;
    this.#hasMany = hasMany;
    this.#isSwapped = matching.cardinality === "one-to-many";
    // As in Prometheus, `group_right` does not swap them.
    this.#fillMany = matching.fillLeft;
    this.#fillOne = matching.fillRight;
  }

  /** Returns the results that have a value. */
  results(): StepSeries[] {
    return this.#results.filter(({ present }) => present.includes(1));
  }

  /** Adds the results of a match. */
  combine(match: Match): Promise<void> | undefined {
    const { many, one } = match;
    if (this.#grid.isInstant) this.#byLabels = new Map();
    if (this.#fillMany !== undefined || this.#fillOne !== undefined) return this.#combineMany(match);
    if (one.length === 0 || many.length === 0) return one.length > 1 ? this.#combineMany(match) : undefined;
    if (many.length > 1 || one.length > 1) return this.#combineMany(match);
    this.#combinePair(match, many[0]!, one[0]!);
    return this.#run.pace.spend(LABEL_WORK + this.#grid.count);
  }

  /** Combines several series on a side, step by step. */
  async #combineMany(match: Match): Promise<void> {
    const { many, one } = match;
    const pairs = new Map<StepSeries | undefined, Map<StepSeries | undefined, Result>>();
    const compute = (step: number, first: StepSeries | undefined, second: StepSeries | undefined): void => {
      const ofFirst = pairs.get(first) ?? new Map<StepSeries | undefined, Result>();
      pairs.set(first, ofFirst);
      const result = ofFirst.get(second) ?? this.#resultOf(match, first?.labels, second?.labels);
      ofFirst.set(second, result);
      if (result.taken[step] === 1) throw result.match === match ? this.#duplicate() : sameLabels();
      result.taken[step] = 1;
      this.#compute(
        result.series,
        step,
        first?.values[step] ?? this.#fillMany!,
        second?.values[step] ?? this.#fillOne!,
      );
    };
    for (let step = 0; step < this.#grid.count; step++) {
      const second = this.#oneAt(one, step);
      let isMatched = false;
      for (const first of many) {
        const wait = this.#run.pace.spend(LABEL_WORK);
        if (wait !== undefined) await wait;
        if (first.present[step] === 0 || (second === undefined && this.#fillOne === undefined)) continue;
        if (isMatched && this.#matching.cardinality === "one-to-one") throw this.#duplicate();
        compute(step, first, second);
        isMatched = true;
      }
      if (!isMatched && second !== undefined && this.#fillMany !== undefined) compute(step, undefined, second);
      const wait = this.#run.pace.spend(one.length);
      if (wait !== undefined) await wait;
    }
  }

  /** The usual case: one series on each side. */
  #combinePair(match: Match, first: StepSeries, second: StepSeries): void {
    const { series, taken } = this.#resultOf(match, first.labels, second.labels);
    for (let step = 0; step < taken.length; step++) {
      if (first.present[step] === 0 || second.present[step] === 0) continue;
      if (taken[step] === 1) throw sameLabels();
      taken[step] = 1;
      this.#compute(series, step, first.values[step]!, second.values[step]!);
    }
  }

  #compute(series: StepSeries, step: number, many: number, one: number): void {
    const left = this.#isSwapped ? one : many;
    const right = this.#isSwapped ? many : one;
    const { isComparison, value, keeps } = this.#operation;
    const isKept = !isComparison || keeps(left, right);
    if (!isKept && !this.#returnsBool) return;
    series.values[step] = this.#returnsBool ? (isKept ? 1 : 0) : value(left, right);
    series.present[step] = 1;
  }

  /** The result for two series. One that is missing is filled in: then the result has the matching labels of the other one. */
  #resultOf(match: Match, many: Labels | undefined, one: Labels | undefined): Result {
    const matching = this.#matching;
    const first = many ?? matchedLabels(one!, matching);
    const second = one ?? matchedLabels(many!, matching);
    const labels = resultLabels(first, second, matching, this.#operation.changesMetric);
    let result = this.#byLabels.get(labels.key);
    if (result === undefined) {
      this.#run.budget.hold(this.#grid.count + SERIES_POINTS);
      const series = emptySeries(labels, this.#returnsBool, this.#grid);
      result = { series, taken: new Uint8Array(this.#grid.count), match };
      this.#byLabels.set(labels.key, result);
      this.#results.push(series);
    }
    return result;
  }

  /** The series of the "one" side at a step. Throws `ERR_PROMQL_EXECUTION` if there are two. */
  #oneAt(one: readonly StepSeries[], step: number): StepSeries | undefined {
    const first = one.find(({ present }) => present[step] === 1);
    const second = one.find((series) => series !== first && series.present[step] === 1);
    if (first === undefined || second === undefined || !this.#isChecked(step)) return first;
    const matched = matchedLabels(first.labels, this.#matching);
    const [a, b] = [String(first.labels), String(second.labels)].sort();
    throw new PrometheusError(
      "ERR_PROMQL_EXECUTION",
      `found duplicate series for the match group ${matched} on the ${this.#isSwapped ? "left" : "right"} hand-side of the operation: [${a}, ${b}];many-to-many matching not allowed: matching labels must be unique on one side`,
    );
  }

  /** Without any series on the other side, Prometheus does not look for duplicates. */
  #isChecked(step: number): boolean {
    const hasFill = this.#fillMany !== undefined || this.#fillOne !== undefined;
    return hasFill || this.#hasMany[step] === 1;
  }

  #duplicate(): PrometheusError {
    const text =
      this.#matching.cardinality === "one-to-one"
        ? "multiple matches for labels: many-to-one matching must be explicit (group_left/group_right)"
        : "multiple matches for labels: grouping labels must ensure unique matches";
    return new PrometheusError("ERR_PROMQL_EXECUTION", text);
  }
}
