/** Checks whether data is a result, with the members that reports and pictures use. Other members are allowed. */
import { Latencies } from "../measure/histogram.js";

/** A predicate, or the shapes of an object's members. */
type Shape = ((data: unknown) => boolean) | { readonly [name: string]: Shape };

const text: Shape = (data) => typeof data === "string";
const flag: Shape = (data) => typeof data === "boolean";
const number: Shape = (data) => typeof data === "number";
const nullable =
  (shape: Shape): Shape =>
  (data) =>
    data === null || fits(shape, data);
const optional =
  (shape: Shape): Shape =>
  (data) =>
    data === undefined || fits(shape, data);
const listOf =
  (shape: Shape): Shape =>
  (data) =>
    Array.isArray(data) && data.every((element) => fits(shape, element));
const either =
  (...shapes: readonly Shape[]): Shape =>
  (data) =>
    shapes.some((shape) => fits(shape, data));

const histogram: Shape = (data) => typeof data === "string" && Latencies.isEncoded(data);
const percentiles: Shape = { p50: number, p90: number, p99: number, p999: number, max: number, mean: number };
const spread: Shape = { median: number, low: number, high: number };
const errors: Shape = (data) => isObject(data) && Object.values(data).every((count) => fits(number, count));
const share = { cpuMicros: number, utilisation: number, loopDelayMs: number, gcMs: number };

const load: Shape = either(number, { from: number, to: number });

const operationNames: Shape = { get: text, set: text };

const options: Shape = {
  scenario: either((data) => data === "get" || data === "set", { gets: number }),
  operationNames: optional(operationNames),
  payload: nullable(either({ bytes: number }, { records: number })),
  concurrency: load,
  rate: nullable(load),
  operations: nullable(number),
  durationMs: nullable(number),
  warmupMs: number,
  rounds: number,
  keys: nullable(number),
  distribution: text,
};

const round: Shape = {
  ...share,
  operations: number,
  perSecond: number,
  errors,
  wrong: number,
  response: percentiles,
  service: percentiles,
  late: nullable(percentiles),
  histograms: { response: histogram, service: nullable(histogram), late: nullable(histogram) },
  saturated: flag,
  partial: flag,
};

const summary: Shape = {
  ...share,
  rounds: number,
  operations: number,
  perSecond: spread,
  response: percentiles,
  service: percentiles,
  late: nullable(percentiles),
  errors,
};

const result: Shape = {
  target: text,
  options,
  interrupted: flag,
  machine: { node: text, cpu: text, cores: number, os: text, loadBefore: number },
  date: text,
  rounds: listOf(round),
  summary: nullable(summary),
  failures: listOf(text),
  notes: listOf(text),
};

const ratios = listOf({ target: text, perSecond: spread, p50: spread, p99: spread, cpuMicros: spread });

/** True for names of the operations of a target. */
export function isOperationNames(data: unknown): boolean {
  return fits(operationNames, data);
}

/** True for the result of one target. */
export function isResult(data: unknown): boolean {
  return fits(result, data);
}

/** True for a list of ratios. */
export function isRatios(data: unknown): boolean {
  return fits(ratios, data);
}

function fits(shape: Shape, data: unknown): boolean {
  if (typeof shape === "function") return shape(data);
  return (
    isObject(data) &&
    Object.entries(shape).every(([name, member]) => fits(member, Object.hasOwn(data, name) ? data[name] : undefined))
  );
}

function isObject(data: unknown): data is Record<string, unknown> {
  return typeof data === "object" && data !== null;
}
