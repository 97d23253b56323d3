/** Records the asynchronous operations of sampled requests. */
import type { Context } from "../context/context.js";
import { currentContext, runIn } from "../context/storage.js";
import { type Duration, durationOption } from "../duration.js";
import { optionsObject, ownOption, refuseUnknown } from "../options.js";
import { OperationHooks } from "./operation-hooks.js";
import { countOption, outputOption, pathOption, shareOption } from "./options.js";
import { LineOutput, type ToolOutput } from "./output.js";
import { PageFile } from "./page.js";
import { Recording, type RecordingEnd } from "./recording.js";
import { pathOf } from "./text.js";
import { TimeBudget } from "./time-budget.js";

/** Options of {@link requestProfiler}. */
export interface RequestProfilerOptions {
  /** The share of requests that is recorded, from 0 to 1. Default 0.01. */
  readonly sampleRate?: number;
  /** The largest share of time in which operations are recorded, from 0 to 1. Recording slows all requests. Default 0.05. */
  readonly dutyCycle?: number;
  /** Where the lines are written. Default: 2, the standard error output; none with `html`. */
  readonly output?: ToolOutput;
  /** The path of the page with the last 50 recorded requests. `stop()` writes it. */
  readonly html?: string;
  /** Maximum number of requests that are recorded at the same time. Default 4. */
  readonly maxConcurrent?: number;
  /**
   * Maximum number of operations that are recorded for a request. The same limit applies to the number of their runs. Default
   * 5,000.
   */
  readonly maxOperations?: number;
  /**
   * Maximum duration of the recording of a request: milliseconds, or a text with a unit such as `"30s"`. Default 30 seconds.
   */
  readonly maxDuration?: Duration;
}

const NAMES: readonly (keyof RequestProfilerOptions)[] = [
  "sampleRate",
  "dutyCycle",
  "output",
  "html",
  "maxConcurrent",
  "maxOperations",
  "maxDuration",
];

/** The longest delay of Node's timers. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The members of a request that the profiler reads. */
export interface ProfiledRequest {
  /** The method, such as `GET`. */
  readonly method?: unknown;
  /** The path and query. */
  readonly url?: unknown;
  /** Express sets it; routers do not change it. */
  readonly originalUrl?: unknown;
}

/** The members of a response that the profiler reads. */
export interface ProfiledResponse {
  /** The status of the answer. */
  readonly statusCode?: unknown;
  /** Calls a listener at the end of the response. */
  once(event: "finish" | "close", listener: () => void): unknown;
}

/** The result of {@link requestProfiler}. */
export interface RequestProfiler {
  /** For Express and other servers with the same kind of middleware. Use it after a middleware of this package. */
  readonly middleware: (request: ProfiledRequest, response: ProfiledResponse, next: (error?: unknown) => void) => void;
  /** Stops the profiler, ends the recordings, and writes the page. */
  stop(): void;
}

/**
 * Records the asynchronous operations of a share of the requests: their causes, when they ran, and for how long. When a recorded request
 * ends, it is written as a line of JSON with `"k":"request"`, and a line with `"k":"op"` for each operation. Recording slows the whole
 * process. So it is switched off after at most 250 ms / (1 - `dutyCycle`), and stays off until `dutyCycle` allows it again. A request that
 * has not ended when it is switched off is recorded in part (`truncated`). If `dutyCycle` is 1, it is always on. Throws `ERR_INVALID_ARGUMENT` for invalid options,
 * and the error of opening the output.
 *
 * @example
 * const profiler = requestProfiler({ output: "requests.ndjson", html: "requests.html" });
 * app.use(expressMiddleware(), profiler.middleware);
 */
export function requestProfiler(options?: RequestProfilerOptions): RequestProfiler {
  const given = optionsObject(options);
  refuseUnknown(given, NAMES);
  const sampleRate = shareOption(given, "sampleRate", 0.01);
  const dutyCycle = shareOption(given, "dutyCycle", 0.05);
  const html = pathOption(given, "html");
  const limits = {
    requests: countOption(given, "maxConcurrent", 4),
    operations: countOption(given, "maxOperations", 5000),
    ms: Math.min(durationOption("maxDuration", ownOption(given, "maxDuration"), 30_000), MAX_TIMER_MS),
  };
  const profiler = new Profiler(dutyCycle, limits, outputOption(given) ?? (html === undefined ? 2 : undefined), html);
  return {
    middleware: (request, response, next) => {
      if (Math.random() < sampleRate && dutyCycle > 0) profiler.run(request, response, next);
      else next();
    },
    stop: () => profiler.stop(),
  };
}

interface Limits {
  readonly requests: number;
  readonly operations: number;
  readonly ms: number;
}

/**
 * A recorded request that is not written yet. It stays open until its response ends, `maxDuration` has passed or the profiler stops, even
 * if the hooks are switched off earlier.
 */
interface Open {
  /** The context of the request. */
  readonly context: Context;
  readonly recording: Recording;
  readonly response: ProfiledResponse;
  readonly timer: NodeJS.Timeout;
}

class Profiler {
  readonly #limits: Limits;
  readonly #budget: TimeBudget;
  readonly #hooks = new OperationHooks();
  readonly #open = new Map<Context, Open>();
  readonly #output: LineOutput | undefined;
  readonly #page: PageFile | undefined;
  /** Ends the current burst. A burst is a time in which the hooks are on. */
  #burstTimer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #hasWarned = false;

  constructor(dutyCycle: number, limits: Limits, output: ToolOutput | undefined, html: string | undefined) {
    this.#limits = limits;
    this.#budget = new TimeBudget(dutyCycle, performance.now());
    this.#output = output === undefined ? undefined : new LineOutput(output);
    this.#page = html === undefined ? undefined : new PageFile(html);
  }

  /** Calls `next`, and records the request if the limits allow it. */
  run(request: ProfiledRequest, response: ProfiledResponse, next: () => void): void {
    const recording = this.#isStopped ? undefined : this.#start(request, response);
    if (recording === undefined) {
      next();
      return;
    }
    const start = recording.now();
    try {
      next();
    } finally {
      recording.firstRun = recording.now() - start;
    }
  }

  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#interruptBurst();
    for (const open of this.#open.values()) this.#end(open, "stop");
    this.#output?.close();
    this.#page?.write();
  }

  /** Starts to record a request, if the limits allow it. */
  #start(request: ProfiledRequest, response: ProfiledResponse): Recording | undefined {
    const context = currentContext()?.request;
    if (context === undefined) {
      this.#warnOfOrder();
      return undefined;
    }
    const mayOpen = this.#open.size < this.#limits.requests && !this.#open.has(context);
    if (!mayOpen || !(this.#hooks.isOn || this.#budget.isEnough(performance.now()))) return undefined;
    const url = typeof request.originalUrl === "string" ? request.originalUrl : request.url;
    const method = typeof request.method === "string" ? request.method : "";
    const recording = new Recording(method, pathOf(url), this.#limits.operations);
    const timer = startTimer(this.#limits.ms, () => this.#end(open, "maxDuration"));
    const open: Open = { context, recording, response, timer };
    this.#open.set(context, open);
    response.once("finish", () => this.#end(open, "finish"));
    response.once("close", () => this.#end(open, "abort"));
    this.#hooks.add(context, recording);
    if (!this.#hooks.isOn) this.#startBurst();
    return recording;
  }

  #startBurst(): void {
    const ms = this.#budget.switchOn(performance.now());
    if (Number.isFinite(ms)) this.#burstTimer = startTimer(ms, () => this.#interruptBurst());
    this.#hooks.switchOn();
  }

  /** Ends the burst before the recorded requests have ended. Their recordings are truncated. */
  #interruptBurst(): void {
    this.#hooks.cutAll();
    this.#endBurst();
  }

  /** Switches the hooks off. */
  #endBurst(): void {
    if (!this.#hooks.isOn) return;
    clearTimeout(this.#burstTimer);
    this.#hooks.switchOff();
    this.#budget.switchOff(performance.now());
  }

  /** Ends the recording of a request, and writes it. */
  #end({ context, recording, response, timer }: Open, end: RecordingEnd): void {
    if (!this.#open.delete(context)) return;
    clearTimeout(timer);
    this.#hooks.remove(context);
    if (this.#hooks.size === 0) this.#endBurst();
    recording.finish(end, context.id, response.statusCode);
    if (this.#output !== undefined) recording.writeTo(this.#output);
    this.#page?.add(recording);
  }

  #warnOfOrder(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    process.emitWarning("requestProfiler records nothing: use it after a middleware of @moonpack/trace", {
      code: "MOONPACK_TRACE_PROFILER",
    });
  }
}

/** Starts a timer outside of any request. The timer does not keep the process alive. */
function startTimer(ms: number, fn: () => void): NodeJS.Timeout {
  return runIn(undefined, () => setTimeout(fn, ms).unref());
}
