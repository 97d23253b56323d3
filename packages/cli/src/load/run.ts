/** `moonpack load`: loads a target, shows and writes the result. */
import {
  fromJson,
  type LoadOptions,
  type LoadResult,
  load,
  type Operation,
  type Progress,
  type Ramp,
  type Target,
} from "@moonpack/load";
import { MoonpackError } from "moonpack/bytes";
import { parseWholeJson } from "../convert/whole-json.js";
import { DataError, describeError, Failure, Failures, UsageError } from "../shared/failure.js";
import { readWhole } from "../shared/input.js";
import { Output } from "../shared/output.js";
import { userPath } from "../shared/paths.js";
import { onSignal } from "../shared/supervisor.js";
import { isQuiet } from "../shared/verbosity.js";
import { badOption } from "./arguments.js";
import { type CodecArguments, codecOf } from "./codec.js";
import { type Condition, errorsOf, metConditions, needsOld } from "./fail-if.js";
import { failOnModuleFaults } from "./module-faults.js";
import { type OutputArguments, Outputs, written } from "./outputs.js";
import { payloadOf } from "./payload.js";
import { type RequestArguments, requestOf } from "./request.js";
import { RunProgress } from "./run-progress.js";
import { isModule, targetOf } from "./target.js";
import { resultText } from "./text.js";

/** Options of `moonpack load`, from the command line. Durations are milliseconds. */
export interface LoadArguments extends CodecArguments, OutputArguments, RequestArguments {
  readonly scenario?: "get" | "set" | "mixed";
  readonly mix?: number;
  readonly payload?: number | string;
  readonly keys?: number;
  readonly distribution?: "uniform" | "zipf";
  readonly seed?: number;
  readonly concurrency?: number | Ramp;
  readonly rate?: number | Ramp;
  readonly connectionRate?: number | Ramp;
  readonly operations?: number;
  readonly duration?: number;
  readonly warmup?: number;
  readonly rounds?: number;
  readonly timeout?: number;
  readonly compare?: string;
  readonly failIf?: readonly Condition[];
}

/** Interval of a timer that only keeps the process alive. */
const LONG_MS = 2 ** 30;

/** Runs a load test. Sets the exit code, or throws an error for the user. */
export async function loadTarget(text: string, options: LoadArguments): Promise<void> {
  const relative = options.failIf?.find(needsOld);
  if (relative !== undefined && options.compare === undefined)
    throw badOption(`${relative.text} needs --compare OLD.json`);
  const settings = await settingsOf(options);
  // Otherwise a module, setup or close that never ends would let the process exit silently.
  const alive = setInterval(() => {}, LONG_MS);
  try {
    const run = () => runAndReport(text, options, settings);
    await (isModule(text) ? failOnModuleFaults(text, run) : run());
  } finally {
    clearInterval(alive);
  }
}

async function runAndReport(text: string, options: LoadArguments, settings: LoadOptions): Promise<void> {
  const { failIf = [], compare } = options;
  const target = await usable(text, options);
  const old = compare === undefined ? undefined : await oldResult(compare);
  const outputs = new Outputs(options);
  try {
    const { result, code } = await interruptible(target, settings);
    // The result is checked even if an output could not be written.
    const unwritten = await outputs.write(result);
    if (!isQuiet() && !outputs.takesStdout)
      unwritten.push(...(await written(Output.open("-"), resultText(result, old))));
    const faults = code === undefined ? [...unwritten, ...faultsOf(result, failIf, old)] : unwritten;
    if (faults.length > 0) throw new Failures(faults);
    if (code !== undefined) process.exitCode = code;
  } catch (error) {
    outputs.discard();
    throw error;
  }
}

async function usable(text: string, options: LoadArguments): Promise<Target | Operation> {
  try {
    const request = requestOf(text, options);
    return await targetOf(text, await codecOf(options), request);
  } catch (error) {
    throw error instanceof MoonpackError ? new UsageError(describeError(error)) : error;
  }
}

async function settingsOf(options: LoadArguments): Promise<LoadOptions> {
  const { scenario, mix, payload, operations, duration } = options;
  if (mix !== undefined && scenario !== "mixed") throw badOption("--mix needs --scenario mixed");
  if (operations !== undefined && duration !== undefined)
    throw badOption("--operations and --duration exclude each other");
  const concurrency = options.concurrency ?? DEFAULT_CONCURRENCY;
  const given = {
    scenario: scenario === "mixed" ? { gets: mix ?? DEFAULT_MIX } : scenario,
    payload: payload === undefined ? undefined : await payloadOf(payload),
    keys: options.keys,
    distribution: options.distribution,
    seed: options.seed,
    concurrency,
    rate: rateOf(options, concurrency),
    operations,
    duration,
    warmup: options.warmup,
    rounds: options.rounds,
    timeout: options.timeout,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Default number of operations in flight. */
const DEFAULT_CONCURRENCY = 64;
/** Default percentage of gets. */
const DEFAULT_MIX = 80;

/** Returns the rate of all operations. */
function rateOf({ rate, connectionRate }: LoadArguments, concurrency: number | Ramp): number | Ramp | undefined {
  if (connectionRate === undefined) return rate;
  if (rate !== undefined) throw badOption("--rate and --connection-rate exclude each other");
  if (typeof concurrency === "object") throw badOption("--connection-rate cannot be used with a ramp of --concurrency");
  if (typeof connectionRate === "number") return connectionRate * concurrency;
  return { from: connectionRate.from * concurrency, to: connectionRate.to * concurrency };
}

/** Runs the load. The first signal ends it early; the result then has the signal's exit code. */
async function interruptible(
  target: Target | Operation,
  settings: LoadOptions,
): Promise<{ readonly result: LoadResult; readonly code: number | undefined }> {
  const controller = new AbortController();
  let code: number | undefined;
  const stop = onSignal((given) => {
    code = given;
    controller.abort();
  });
  const progress = new RunProgress();
  const onProgress = (state: Progress) => progress.update(state);
  try {
    const result = await load(target, { ...settings, signal: controller.signal, onProgress });
    return { result, code };
  } catch (error) {
    throw loadError(error, target);
  } finally {
    progress.stop();
    stop();
  }
}

/** Returns the error for the user: wrong usage, or a failed target. */
function loadError(error: unknown, target: Target | Operation): Error {
  if (error instanceof MoonpackError && error.code === "ERR_INVALID_ARGUMENT")
    return new UsageError(describeError(error));
  const text = describeError(error).trim();
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return new Failure(`cannot load ${target.name}: ${text === "" ? code : text}`);
}

async function oldResult(file: string): Promise<LoadResult> {
  const path = userPath(file);
  try {
    const result = fromJson(parseWholeJson(await readWhole(path)));
    if ("targets" in result) throw new Failure(`${path} compares several targets: --compare needs the result of one`);
    return result;
  } catch (error) {
    throw error instanceof MoonpackError ? await DataError.of(path, true, error) : error;
  }
}

/** Returns the reasons why the run has failed. */
function faultsOf(result: LoadResult, conditions: readonly Condition[], old: LoadResult | undefined): string[] {
  const faults = [...result.failures];
  const errors = result.summary === null ? 0 : errorsOf(result.summary);
  if (errors > 0 && !conditions.some(({ kind }) => kind === "errors"))
    faults.push(`${errors} ${errors === 1 ? "operation" : "operations"} failed`);
  return [...faults, ...metConditions(conditions, result, old).map((text) => `--fail-if ${text}`)];
}
