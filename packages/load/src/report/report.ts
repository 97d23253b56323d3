/** Converts results to texts and tables, for Markdown and terminals. */
import { type Ramp, stepOf, workersOf } from "../options/ramp.js";
import type { Comparison, ErrorCounts, LoadResult, Percentiles, ResultOptions, Spread, Summary } from "../result.js";
import type { OperationNames } from "../target.js";
import { checkedResult, isComparison } from "./json.js";
import { bytesText, durationText, grouped, percentText, rateText, ratioText } from "./number-text.js";

/** A table: titles of columns and cells as text. All columns but the first are numbers. */
export interface ReportTable {
  /** The titles of the columns. */
  readonly columns: readonly string[];
  /** The cells of each row, as many as there are columns. */
  readonly rows: readonly (readonly string[])[];
}

/** The texts and tables of a result. */
export interface Report {
  readonly title: string;
  /** The options of the run, in one line. */
  readonly description: string;
  readonly tables: readonly ReportTable[];
  /** Sentences about the figures. */
  readonly lines: readonly string[];
  /** Reasons not to trust the figures. */
  readonly failures: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Returns a result as texts and tables, for custom reports. Throws `ERR_INVALID_ARGUMENT` for other data.
 *
 * @example
 * for (const { columns, rows } of toReport(result).tables) console.table(rows.map((row) => Object.fromEntries(row.map((cell, i) => [columns[i], cell]))));
 */
export function toReport(result: LoadResult | Comparison): Report {
  const checked = checkedResult(result);
  return isComparison(checked) ? comparisonReport(checked) : resultReport(checked);
}

function resultReport(result: LoadResult): Report {
  const { target, options, summary, rounds, failures, notes } = result;
  const isRamp = isRampOf(options);
  // Times at several loads do not belong together: the rounds show them.
  const hasTimes = summary !== null && summary.operations > 0 && !isRamp;
  return {
    title: target,
    description: describe(options),
    tables: summary === null ? [] : [...(hasTimes ? [latencyTable(summary)] : []), roundsTable(rounds, options)],
    lines:
      summary === null
        ? [machineText(result)]
        : [throughputText(summary, isRamp), ownText(summary), machineText(result)],
    failures,
    notes,
  };
}

function comparisonReport({ targets, ratios }: Comparison): Report {
  const [first, ...others] = targets;
  const named = (of: (result: LoadResult) => readonly string[]) =>
    targets.flatMap((result) => of(result).map((text) => `${result.target}: ${text}`));
  const rows = targets.map(({ target, summary }) => {
    const own = ratios.find((ratio) => ratio.target === target);
    return [
      target,
      ...(summary === null
        ? ["", "", "", "", ""]
        : [
            rateText(summary.perSecond.median),
            durationText(summary.response.p50),
            durationText(summary.response.p99),
            durationText(summary.response.max),
            cpuText(summary.cpuMicros),
          ]),
      spreadText(own?.perSecond, ratioText),
      spreadText(own?.p99, ratioText),
    ];
  });
  return {
    title: `${others.map(({ target }) => target).join(", ")} beside ${first!.target}`,
    description: describe(first!.options),
    tables: [{ columns: ["target", "ops/s", "p50", "p99", "max", "CPU/op", "ops/s ratio", "p99 ratio"], rows }],
    lines: [
      `Ratios to ${first!.target}, taken within each round: median (lowest to highest).`,
      ...targets.flatMap(({ target, summary }) => errorsLine(summary).map((text) => `${target}: ${text}`)),
      machineText(first!),
    ],
    failures: named(({ failures }) => failures),
    notes: named(({ notes }) => notes),
  };
}

const DEFAULT_NAMES: OperationNames = { get: "get", set: "set" };

/** Describes the options of a run in one line. */
export function describe(options: ResultOptions): string {
  const {
    scenario,
    operationNames: names = DEFAULT_NAMES,
    payload,
    keys,
    distribution,
    concurrency,
    rate,
    operations,
    durationMs,
    warmupMs,
    rounds,
  } = options;
  const operationsText =
    scenario === "get" || scenario === "set"
      ? names[scenario]
      : `${scenario.gets} % ${names.get}, ${Number((100 - scenario.gets).toPrecision(12))} % ${names.set}`;
  const values =
    payload === null
      ? ""
      : "bytes" in payload
        ? `, ${bytesText(payload.bytes)}`
        : `, ${grouped(payload.records)} records`;
  const keysText = keys === null ? "" : `, ${grouped(keys)} keys (${distribution})`;
  const scheduleText =
    rate === null
      ? `${loadText(concurrency, grouped)} in flight`
      : `${loadText(rate, rateText)}/s, at most ${loadText(concurrency, grouped)} in flight`;
  const length = operations === null ? durationText(durationMs ?? 0) : `${grouped(operations)} operations`;
  const warmUp = warmupMs === 0 ? "" : ` after ${durationText(warmupMs)} of warm-up`;
  return `${operationsText}${values}${keysText}; ${scheduleText}; ${rounds} ${rounds === 1 ? "round" : "rounds"} of ${length}${warmUp}`;
}

function loadText(load: number | Ramp, text: (value: number) => string): string {
  return typeof load === "number" ? text(load) : `${text(load.from)} to ${text(load.to)}`;
}

function isRampOf({ concurrency, rate }: ResultOptions): boolean {
  return typeof concurrency === "object" || (typeof rate === "object" && rate !== null);
}

const PERCENTILES = [
  ["p50", "p50"],
  ["p90", "p90"],
  ["p99", "p99"],
  ["p99.9", "p999"],
  ["max", "max"],
  ["mean", "mean"],
] as const;

function latencyTable({ response, service, late }: Summary): ReportTable {
  const row = (title: string, percentiles: Percentiles) => [
    title,
    ...PERCENTILES.map(([, key]) => durationText(percentiles[key])),
  ];
  return {
    columns: ["time", ...PERCENTILES.map(([title]) => title)],
    rows:
      late === null
        ? [row("service", service)]
        : [row("response", response), row("service", service), row("start late", late)],
  };
}

function roundsTable(rounds: LoadResult["rounds"], options: ResultOptions): ReportTable {
  const { concurrency, rate, rounds: all } = options;
  const isRamp = isRampOf(options);
  // The load of each round, and its median time, are columns of a ramp.
  const ramped = {
    ...(typeof rate === "object" && rate !== null && { rate: (i: number) => rateText(stepOf(rate, i + 1, all)) }),
    ...(typeof concurrency === "object" && { "in flight": (i: number) => grouped(workersOf(concurrency, i + 1, all)) }),
  };
  const median = isRamp ? ["p50"] : [];
  return {
    columns: [
      "round",
      ...Object.keys(ramped),
      "ops/s",
      ...median,
      "p99",
      "errors",
      "CPU/op",
      "busy",
      "loop delay",
      "GC",
    ],
    rows: rounds.map((round, i) => [
      `${i + 1}${round.partial ? " (partial)" : round.saturated ? " (saturated)" : ""}`,
      ...Object.values(ramped).map((text) => text(i)),
      rateText(round.perSecond),
      ...median.map(() => (round.operations === 0 ? "" : durationText(round.response.p50))),
      round.operations === 0 ? "" : durationText(round.response.p99),
      grouped(totalOf(round.errors)),
      cpuText(round.cpuMicros),
      percentText(round.utilisation),
      durationText(round.loopDelayMs),
      durationText(round.gcMs),
    ]),
  };
}

function throughputText({ perSecond, rounds, operations }: Summary, isRamp: boolean): string {
  if (isRamp)
    return `${rateText(perSecond.low)} to ${rateText(perSecond.high)} operations/s; ${grouped(operations)} in total.`;
  const spread =
    rounds === 1 ? "" : `, median of ${rounds} rounds (${rateText(perSecond.low)} to ${rateText(perSecond.high)})`;
  return `${rateText(perSecond.median)} operations/s${spread}; ${grouped(operations)} in total.`;
}

function ownText(summary: Summary): string {
  const { cpuMicros, utilisation } = summary;
  const own = `This process used ${cpuText(cpuMicros)} of CPU time per operation and was busy ${percentText(utilisation)} of the time.`;
  return [...errorsLine(summary), own].join(" ");
}

function errorsLine(summary: Summary | null): string[] {
  const errors = Object.entries(summary?.errors ?? {});
  if (summary === null || errors.length === 0) return [];
  const share = totalOf(summary.errors) / (totalOf(summary.errors) + summary.operations);
  return [`Errors (${percentText(share)}): ${errors.map(([code, count]) => `${grouped(count)} ${code}`).join(", ")}.`];
}

function machineText({ machine: { node, cpu, cores, os, loadBefore }, date }: LoadResult): string {
  return `${date.slice(0, 16).replace("T", " ")} UTC; Node ${node}, ${os}, ${cores} x ${cpu}, load before ${loadBefore}.`;
}

function cpuText(micros: number): string {
  return durationText(micros / 1000);
}

function spreadText(spread: Spread | undefined, text: (value: number) => string): string {
  return spread === undefined ? "" : `${text(spread.median)} (${text(spread.low)} to ${text(spread.high)})`;
}

/** Returns the number of all errors. */
export function totalOf(errors: ErrorCounts): number {
  return Object.values(errors).reduce((total, count) => total + count, 0);
}
