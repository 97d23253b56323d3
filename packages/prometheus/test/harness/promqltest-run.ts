/** Runs Prometheus' test scripts with the evaluator, in the ways in which Prometheus' own runner does. */
import { evaluate, type Labels, parseQuery, type QueryResult, type QueryValue } from "@moonpack/prometheus";
import { MemorySource, STALE } from "./memory-source.ts";
import { atCases } from "./promqltest-at.ts";
import { type Case, type Load, parseScript } from "./promqltest-script.ts";
import { HISTOGRAM } from "./promqltest-values.ts";

/** The outcome of a case. A case that needs what this package has not is not counted as a failure. */
export interface Outcome {
  readonly line: number;
  readonly query: string;
  /** The differences; undefined for a case that passed. */
  readonly failure: string | undefined;
  /** Why the case does not count as a failure: it needs native histograms, start times, or `anchored` and `smoothed`. */
  readonly exception: "native histograms" | "start times" | "anchored, smoothed" | undefined;
}

const TOLERANCE = 1e-6;

/** Runs all cases of a script. */
export async function runScript(text: string): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const source = new MemorySource();
  let special: { readonly labels: Labels; readonly exception: Outcome["exception"] }[] = [];
  let touched = new Set<Outcome["exception"]>();
  source.onSelect = (holds) => {
    for (const { labels, exception } of special) if (holds(labels)) touched.add(exception);
  };
  for (const command of parseScript(text)) {
    if (command.kind === "clear") {
      source.clear();
      special = [];
    } else if (command.kind === "load") special.push(...load(source, command));
    else {
      touched = new Set();
      const failure = await failureOf(source, command);
      outcomes.push({ line: command.line, query: command.query, failure, exception: exceptionOf(command, touched) });
    }
  }
  return outcomes;
}

function exceptionOf({ query, series }: Case, touched: ReadonlySet<Outcome["exception"]>): Outcome["exception"] {
  if (/\b(?:anchored|smoothed)\b/.test(query)) return "anchored, smoothed";
  if (series.some(({ points }) => points.includes(HISTOGRAM))) return "native histograms";
  return [...touched][0];
}

/** Adds series. Returns those that have more than floats. */
function load(source: MemorySource, { gap, isConverting, series }: Load) {
  const special: { labels: Labels; exception: Outcome["exception"] }[] = [];
  for (const { labels, points, isStart } of series) {
    if (isStart) special.push({ labels, exception: "start times" });
    if (points.includes(HISTOGRAM)) special.push({ labels, exception: "native histograms" });
    const name = labels.get("__name__");
    if (isConverting && labels.get("le") !== "" && name.endsWith("_bucket")) {
      const converted = labels.with([
        ["le", ""],
        ["__name__", name.slice(0, -7)],
      ]);
      special.push({ labels: converted, exception: "native histograms" });
    }
    source.add(
      labels,
      0,
      gap,
      points.map((point) => (point === HISTOGRAM ? undefined : point)),
    );
  }
  return special;
}

async function failureOf(source: MemorySource, command: Case): Promise<string | undefined> {
  const { query, start, end, step } = command;
  if (command.isRange) return check(source, command, query, { start, end, step });
  const queries = [
    { query, time: command.isRangeVector ? end : start },
    ...atCases(query, command.isRangeVector ? end : start),
  ];
  for (const one of queries) {
    const failure = await check(source, command, one.query, { start: one.time });
    if (failure !== undefined) return `${one.query} at ${one.time}: ${failure}`;
    if (command.isRangeVector || command.string !== undefined || isExpected(command, "fail")) continue;
    // The result of a range query is the same at its middle step.
    if (/(?:start|end|range|step)\(\)/.test(one.query) || isExpected(command, "ordered")) continue;
    const times = { start: one.time - 60_000, end: one.time + 60_000, step: 60_000 };
    const inRange = await checkMiddle(source, command, one.query, times);
    if (inRange !== undefined) return `${one.query} at ${one.time} in range mode: ${inRange}`;
  }
  return undefined;
}

function isExpected({ expected }: Case, kind: string): boolean {
  return expected.some((one) => one.kind === kind);
}

interface Times {
  readonly start: number;
  readonly end?: number;
  readonly step?: number;
}

async function check(source: MemorySource, command: Case, query: string, times: Times): Promise<string | undefined> {
  let result: QueryResult;
  try {
    result = await evaluate(parseQuery(query), { query, source, ...times });
  } catch (error) {
    return failureOfError(command, error as Error);
  }
  if (isExpected(command, "fail")) return "expected an error";
  return differenceOfNotes(command, result) ?? differenceOf(command, result.value);
}

function failureOfError({ expected }: Case, error: Error): string | undefined {
  const fails = expected.filter(({ kind }) => kind === "fail");
  if (fails.length > 0 && fails.every(({ matches }) => matches(error.message))) return undefined;
  return fails.length === 0 ? String(error.stack) : `expected the error ${fails[0]!.text}, got ${error.message}`;
}

async function checkMiddle(
  source: MemorySource,
  command: Case,
  query: string,
  times: Times,
): Promise<string | undefined> {
  const { value } = await evaluate(parseQuery(query), { query, source, ...times });
  if (value.resultType !== "matrix") return "a range query returned no matrix";
  const time = times.start + times.step!;
  const rows = value.series.flatMap(({ labels, timestamps, values }) => {
    const index = timestamps.indexOf(time);
    return index === -1 ? [] : [{ labels, value: values[index]! }];
  });
  if (command.scalar !== undefined) return differenceOf(command, { resultType: "scalar", time, value: rows[0]!.value });
  const labels = rows.map((row) => row.labels);
  return differenceOf(command, {
    resultType: "vector",
    time,
    labels,
    values: Float64Array.from(rows, (row) => row.value),
  });
}

function differenceOfNotes({ expected }: Case, { warnings, infos }: QueryResult): string | undefined {
  for (const [kind, got] of [
    ["warn", warnings],
    ["info", infos],
  ] as const) {
    const wanted = expected.filter((one) => one.kind === kind);
    if (expected.some((one) => one.kind === `no_${kind}`) && got.length > 0) return `unexpected ${kind}: ${got}`;
    if (wanted.length === 0) continue;
    const missing = wanted.find(({ matches }) => !got.some(matches));
    if (missing !== undefined) return `expected the ${kind} ${missing.text}, got ${got}`;
    const unexpected = got.find((text) => !wanted.some(({ matches }) => matches(text)));
    if (unexpected !== undefined) return `unexpected ${kind}: ${unexpected}`;
  }
  return undefined;
}

function differenceOf(command: Case, value: QueryValue): string | undefined {
  switch (value.resultType) {
    case "string":
      return value.value === command.string ? undefined : `expected ${command.string}, got ${value.value}`;
    case "scalar":
      if (command.scalar === undefined) return `got the scalar ${value.value}`;
      return isClose(value.value, command.scalar) ? undefined : `expected ${command.scalar}, got ${value.value}`;
    case "vector":
      return differenceOfVector(command, value.labels, value.values);
    case "matrix":
      return differenceOfMatrix(command, value.series);
  }
}

function differenceOfVector(command: Case, labels: readonly Labels[], values: Float64Array): string | undefined {
  if (command.scalar !== undefined) return "expected a scalar, got a vector";
  const got = new Map(labels.map((one, i) => [one.key, i]));
  if (got.size !== labels.length) return "labels are not distinct";
  for (const [i, { labels: wanted, points }] of command.series.entries()) {
    const at = got.get(wanted.key);
    if (at === undefined) return `${wanted} is missing; got ${labels}`;
    if (isExpected(command, "ordered") && at !== i) return `${wanted} is at ${at}, not at ${i}`;
    if (typeof points[0] !== "number" || !isClose(values[at]!, points[0]))
      return `${wanted} is ${values[at]}, not ${String(points[0])}`;
  }
  const more = labels.find((one) => !command.series.some((series) => series.labels.key === one.key));
  return more === undefined ? undefined : `unexpected ${more}`;
}

function differenceOfMatrix(
  { series, start, step }: Case,
  got: readonly { readonly labels: Labels; readonly timestamps: Float64Array; readonly values: Float64Array }[],
): string | undefined {
  for (const [i, { labels }] of got.entries())
    if (i > 0 && got[i - 1]!.labels.compare(labels) > 0) return `${labels} is not in order`;
  for (const { labels: wanted, points } of series) {
    const found = got.find(({ labels }) => labels.key === wanted.key);
    if (found === undefined) return `${wanted} is missing; got ${got.map(({ labels }) => labels)}`;
    const expected = points.flatMap((point, i) =>
      point === undefined || point === STALE ? [] : [{ time: start + i * step, value: point }],
    );
    const shown = `${wanted} is ${[...found.timestamps].map((time, i) => `${found.values[i]} @ ${time}`)}`;
    if (expected.length !== found.timestamps.length) return `${shown}: expected ${expected.length} points`;
    for (const [i, { time, value }] of expected.entries()) {
      if (time !== found.timestamps[i]) return `${shown}: expected the time ${time}`;
      if (typeof value !== "number" || !isClose(found.values[i]!, value))
        return `${shown}: expected ${String(value)} @ ${time}`;
    }
  }
  const more = got.find(({ labels }) => !series.some((one) => one.labels.key === labels.key));
  return more === undefined ? undefined : `unexpected ${more.labels}`;
}

function isClose(a: number, b: number): boolean {
  if (Object.is(a, b) || a === b) return true;
  const sum = Math.abs(a) + Math.abs(b);
  const difference = Math.abs(a - b);
  if (a === 0 || b === 0 || sum < 2 ** -1022) return difference < TOLERANCE * 2 ** -1022;
  return difference / Math.min(sum, Number.MAX_VALUE) < TOLERANCE;
}
