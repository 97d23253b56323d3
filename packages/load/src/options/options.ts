/** Options of a run: checked, with defaults. */
import { countOption, invalidArgument, optionsObject, ownOption, refuseUnknown } from "moonpack/bytes";
import { type Payload, valuesOf } from "./payload.js";
import type { Progress } from "./progress.js";

/** What operations do: read, write, or both; `gets` is the per cent of reads. */
export type Scenario = "get" | "set" | { readonly gets: number };

/** How keys are drawn: each as often as any other, or by Zipf's law (exponent 0.99), where few keys get most operations. */
export type Distribution = "uniform" | "zipf";

/** Options of {@link load}. All have defaults. */
export interface LoadOptions {
  /** Default `"get"`; `"set"` for a target that has only `set`. */
  readonly scenario?: Scenario;
  /** Values: the bytes of an ASCII text, or records that are used in turn. Default 1,024. */
  readonly payload?: Payload;
  /** Operations in flight; with `rate`, at most. 1 to 65,536, default 64. */
  readonly concurrency?: number;
  /** Operations a second, on a fixed schedule. By default, each operation starts when another one has ended. */
  readonly rate?: number;
  /** Operations of a round, instead of `durationMs`. */
  readonly operations?: number;
  /** Milliseconds of a round. Default 10,000. */
  readonly durationMs?: number;
  /** Milliseconds of the same load before the first round, which count for nothing. Default 3,000. */
  readonly warmupMs?: number;
  /** Default 5. */
  readonly rounds?: number;
  /** Number of keys: 1 to 16,777,216, default 10,000. */
  readonly keys?: number;
  /** Default `"uniform"`. */
  readonly distribution?: Distribution;
  /** Keys and values follow from it. 0 to 2^32 - 1, default 1. */
  readonly seed?: number;
  /** Milliseconds after which an operation counts as an error. Default 10,000. */
  readonly timeoutMs?: number;
  /** Interrupts the run, which resolves with what has been measured and `interrupted: true`. */
  readonly signal?: AbortSignal;
  /** Called about four times a second. What it throws ends the run. */
  readonly onProgress?: (progress: Progress) => void;
}

/** Options with defaults. */
export interface Settings {
  /** Undefined: as the target allows. */
  readonly scenario: Scenario | undefined;
  readonly values: readonly unknown[];
  /** For reports: the bytes of texts, or the number of records. */
  readonly payload: { readonly bytes: number } | { readonly records: number };
  readonly concurrency: number;
  readonly rate: number | undefined;
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

const DAY_MS = 86_400_000;
const MOST_KEYS = 2 ** 24;
const MOST_CONCURRENCY = 65_536;
const MOST_RATE = 1e7;

/** Reads options, each once. Throws `ERR_INVALID_ARGUMENT`. */
export function settingsOf(options: LoadOptions | undefined): Settings {
  const given = optionsObject(options);
  refuseUnknown(given, NAMES);
  const count = (name: (typeof NAMES)[number], fallback: number, min: number, max: number) =>
    countOption(name, ownOption(given, name), fallback, min, max);
  const operations = ownOption(given, "operations");
  const durationMs = ownOption(given, "durationMs");
  if (operations !== undefined && durationMs !== undefined)
    throw invalidArgument("operations and durationMs exclude each other");
  const seed = count("seed", 1, 0, 2 ** 32 - 1);
  const payload = ownOption(given, "payload") as Payload | undefined;
  const { values, description } = valuesOf(payload ?? DEFAULT_PAYLOAD, seed);
  return {
    scenario: scenarioOf(ownOption(given, "scenario")),
    values,
    payload: description,
    concurrency: count("concurrency", 64, 1, MOST_CONCURRENCY),
    rate: rateOf(ownOption(given, "rate")),
    operations:
      operations === undefined ? undefined : countOption("operations", operations, 1, 1, Number.MAX_SAFE_INTEGER),
    durationMs: countOption("durationMs", durationMs, 10_000, 1, DAY_MS),
    warmupMs: count("warmupMs", 3000, 0, DAY_MS),
    rounds: count("rounds", 5, 1, 10_000),
    keys: count("keys", 10_000, 1, MOST_KEYS),
    distribution: distributionOf(ownOption(given, "distribution")),
    seed,
    timeoutMs: count("timeoutMs", 10_000, 1, 3_600_000),
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
  "durationMs",
  "warmupMs",
  "rounds",
  "keys",
  "distribution",
  "seed",
  "timeoutMs",
  "signal",
  "onProgress",
] as const;

function scenarioOf(scenario: unknown): Scenario | undefined {
  if (scenario === undefined || scenario === "get" || scenario === "set") return scenario;
  if (typeof scenario === "object" && scenario !== null) {
    const gets = ownOption(scenario, "gets");
    if (typeof gets === "number" && gets >= 0 && gets <= 100) return { gets };
  }
  throw invalidArgument('scenario must be "get", "set" or { gets: per cent, from 0 to 100 }');
}

function rateOf(rate: unknown): number | undefined {
  if (rate === undefined || (typeof rate === "number" && rate > 0 && rate <= MOST_RATE)) return rate;
  throw invalidArgument(`rate must be a number above 0 and at most ${MOST_RATE} operations a second`);
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
