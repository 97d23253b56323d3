/** The options of a run: checks them and applies defaults. */
import {
  countOption,
  type Duration,
  durationOption,
  invalidArgument,
  optionsObject,
  ownOption,
  refuseUnknown,
} from "moonpack/bytes";
import { type Payload, valuesOf } from "./payload.js";
import type { Progress } from "./progress.js";
import { boundsOf, checkSteps, type Ramp } from "./ramp.js";

/** The kind of operations: reads, writes, or both; `gets` is the percentage of reads. */
export type Scenario = "get" | "set" | { readonly gets: number };

/** The distribution of keys: uniform, or by Zipf's law (exponent 0.99), where few keys get most operations. */
export type Distribution = "uniform" | "zipf";

/** Options of {@link load}. All have defaults. */
export interface LoadOptions {
  /** Default `"get"`; `"set"` for a target that has only `set`. */
  readonly scenario?: Scenario;
  /** Values: the length of ASCII texts in bytes, or records that are used in turn. Default 1,024. */
  readonly payload?: Payload;
  /** Number of operations in flight; with `rate`, the maximum. 1 to 65,536, default 64. A ramp changes it with each round. */
  readonly concurrency?: number | Ramp;
  /**
   * Operations per second, on a fixed schedule. Without it, each operation starts when another one has ended. A ramp changes it
   * with each round.
   */
  readonly rate?: number | Ramp;
  /** Number of operations of a round, instead of `duration`. */
  readonly operations?: number;
  /** Duration of a round: milliseconds, or a text such as `"30s"`. 1 ms to one day, default 10 s. */
  readonly duration?: Duration;
  /** The same load before the first round, without measuring. 0 to one day, default 3 s. */
  readonly warmup?: Duration;
  /** Number of rounds. Default 5. */
  readonly rounds?: number;
  /** Number of keys: 1 to 16,777,216, default 10,000. */
  readonly keys?: number;
  /** Default `"uniform"`. */
  readonly distribution?: Distribution;
  /** The seed of keys and values. 0 to 2^32 - 1, default 1. */
  readonly seed?: number;
  /** An operation that takes longer counts as an error: milliseconds, or a text. 1 ms to one hour, default 10 s. */
  readonly timeout?: Duration;
  /** Interrupts the run. It then resolves with the measurements so far and `interrupted: true`. */
  readonly signal?: AbortSignal;
  /** Called about four times a second. An exception ends the run. */
  readonly onProgress?: (progress: Progress) => void;
}

/** Checked options, with defaults. */
export interface Settings {
  /** Undefined: chosen from the functions of the target. */
  readonly scenario: Scenario | undefined;
  readonly values: readonly unknown[];
  /** For reports: the length of texts in bytes, or the number of records. */
  readonly payload: { readonly bytes: number } | { readonly records: number };
  readonly concurrency: number | Ramp;
  readonly rate: number | Ramp | undefined;
  readonly operations: number | undefined;
  readonly durationMs: number;
  readonly warmupMs: number;
  readonly rounds: number;
  readonly keys: number;
  readonly distribution: Distribution;
  readonly seed: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_KEYS = 2 ** 24;
const MAX_CONCURRENCY = 65_536;
const MAX_RATE = 1e7;

/** Reads each option once. Throws `ERR_INVALID_ARGUMENT` for an invalid or unknown option. */
export function settingsOf(options: LoadOptions | undefined): Settings {
  const given = optionsObject(options);
  refuseUnknown(given, NAMES);
  const count = (name: (typeof NAMES)[number], fallback: number, min: number, max: number) =>
    countOption(name, ownOption(given, name), fallback, min, max);
  const operations = ownOption(given, "operations");
  const duration = ownOption(given, "duration");
  if (operations !== undefined && duration !== undefined)
    throw invalidArgument("operations and duration exclude each other");
  const seed = count("seed", 1, 0, 2 ** 32 - 1);
  const payload = ownOption(given, "payload") as Payload | undefined;
  const { values, description } = valuesOf(payload ?? DEFAULT_PAYLOAD, seed);
  const concurrency = concurrencyOf(ownOption(given, "concurrency"));
  const rate = rateOf(ownOption(given, "rate"));
  const rounds = count("rounds", 5, 1, 10_000);
  checkSteps([concurrency, rate], rounds);
  return {
    scenario: scenarioOf(ownOption(given, "scenario")),
    values,
    payload: description,
    concurrency,
    rate,
    operations:
      operations === undefined ? undefined : countOption("operations", operations, 1, 1, Number.MAX_SAFE_INTEGER),
    durationMs: durationOption("duration", duration, 10_000, 1, DAY_MS),
    warmupMs: durationOption("warmup", ownOption(given, "warmup"), 3000, 0, DAY_MS),
    rounds,
    keys: count("keys", 10_000, 1, MAX_KEYS),
    distribution: distributionOf(ownOption(given, "distribution")),
    seed,
    // Timeouts of sockets must be integers.
    timeoutMs: Math.ceil(durationOption("timeout", ownOption(given, "timeout"), 10_000, 1, HOUR_MS)),
    signal: signalOf(ownOption(given, "signal")),
    onProgress: callbackOf(ownOption(given, "onProgress")),
  };
}

const DEFAULT_PAYLOAD = 1024;
const NAMES = [
  "scenario",
  "payload",
  "concurrency",
  "rate",
  "operations",
  "duration",
  "warmup",
  "rounds",
  "keys",
  "distribution",
  "seed",
  "timeout",
  "signal",
  "onProgress",
] as const;

function scenarioOf(scenario: unknown): Scenario | undefined {
  if (scenario === undefined || scenario === "get" || scenario === "set") return scenario;
  if (typeof scenario === "object" && scenario !== null) {
    const gets = ownOption(scenario, "gets");
    if (typeof gets === "number" && gets >= 0 && gets <= 100) return { gets };
  }
  throw invalidArgument('scenario must be "get", "set" or { gets: percentage from 0 to 100 }');
}

function concurrencyOf(concurrency: unknown): number | Ramp {
  const bounds = boundsOf(concurrency);
  const checked = (value: unknown) => countOption("concurrency", value, 64, 1, MAX_CONCURRENCY);
  return bounds === undefined
    ? checked(concurrency)
    : { from: checked(bounds.from ?? NaN), to: checked(bounds.to ?? NaN) };
}

function rateOf(rate: unknown): number | Ramp | undefined {
  const bounds = boundsOf(rate);
  if (bounds !== undefined) return { from: checkedRate(bounds.from), to: checkedRate(bounds.to) };
  return rate === undefined ? rate : checkedRate(rate);
}

function checkedRate(rate: unknown): number {
  if (typeof rate === "number" && rate > 0 && rate <= MAX_RATE) return rate;
  throw invalidArgument(`rate must be above 0 and at most ${MAX_RATE} operations per second`);
}

function distributionOf(distribution: unknown): Distribution {
  if (distribution === undefined) return "uniform";
  if (distribution === "uniform" || distribution === "zipf") return distribution;
  throw invalidArgument('distribution must be "uniform" or "zipf"');
}

function signalOf(signal: unknown): AbortSignal | undefined {
  if (signal === undefined || signal instanceof AbortSignal) return signal;
  throw invalidArgument("signal must be an AbortSignal");
}

function callbackOf(callback: unknown): ((progress: Progress) => void) | undefined {
  if (callback === undefined || typeof callback === "function") return callback as never;
  throw invalidArgument("onProgress must be a function");
}
