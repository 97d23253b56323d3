/** Samples requests, and records what they wait for and what they run. */
import type { Context } from "../context/context.js";
import { currentContext, runIn } from "../context/storage.js";
import { Allowance } from "./allowance.js";
import { OperationHooks } from "./operation-hooks.js";
import { countOption, optionReader, outputOption, pathOption, shareOption } from "./options.js";
import { LineOutput, type ToolOutput } from "./output.js";
import { PageFile } from "./page.js";
import { Recording, type RecordingEnd } from "./recording.js";
import { pathOf } from "./text.js";

/** Options of {@link requestProfiler}. */
export interface RequestProfilerOptions {
  /** The share of requests that are recorded, from 0 to 1. Default 0.01. */
  sampleRate?: number;
  /** The share of the time that recording may take at most, from 0 to 1: it slows all requests. Default 0.05. */
  dutyCycle?: number;
  /** Where the lines go. Default 2, the standard error output; with `html`, nowhere. */
  output?: ToolOutput;
  /** The path of a page that `stop()` writes: the last 50 recorded requests. */
  html?: string;
  /** How many requests are recorded at a time at most. Default 4. */
  maxConcurrent?: number;
  /** How many operations of a request are recorded at most, and how many runs of them. Default 5,000. */
  maxOperations?: number;
  /** How long a request is recorded at most, in milliseconds. Default 30,000. */
  maxMs?: number;
}

/** A request, as far as the profiler reads it. */
export interface ProfiledRequest {
  readonly method?: unknown;
  readonly url?: unknown;
  /** Express's, which no router changes. */
  readonly originalUrl?: unknown;
}

/** A response, as far as the profiler reads it. */
export interface ProfiledResponse {
  readonly statusCode?: unknown;
  once(event: "finish" | "close", listener: () => void): unknown;
}

/** What {@link requestProfiler} returns. */
export interface RequestProfiler {
  /** For Express and every server of this form, behind a middleware of this package. */
  readonly middleware: (request: ProfiledRequest, response: ProfiledResponse, next: (error?: unknown) => void) => void;
  /** Switches it off, ends what is being recorded, and writes the page. */
  stop(): void;
}

/**
 * Records the asynchronous operations of a share of the requests: which waited for what, when they ran, and for how long. A
 * recorded request is a line of JSON with `"k":"request"` and a line with `"k":"op"` for each operation, written when it ends.
 * Recording slows the whole process, so it is on for a quarter of a second at most, then off until `dutyCycle` allows it again:
 * requests that last longer are recorded in part (`truncated`), unless `dutyCycle` is 1. Throws `ERR_INVALID_ARGUMENT` for a bad
 * option, and what opening the output throws.
 *
 * @example
 * const profiler = requestProfiler({ output: "requests.ndjson", html: "requests.html" });
 * app.use(expressMiddleware(), profiler.middleware);
 */
export function requestProfiler(options?: RequestProfilerOptions): RequestProfiler {
  const read = optionReader(options);
  const sampleRate = shareOption(read, "sampleRate", 0.01);
  const dutyCycle = shareOption(read, "dutyCycle", 0.05);
  const html = pathOption(read, "html");
  const limits = {
    requests: countOption(read, "maxConcurrent", 4),
    operations: countOption(read, "maxOperations", 5000),
    ms: countOption(read, "maxMs", 30_000),
  };
  const profiler = new Profiler(dutyCycle, limits, outputOption(read) ?? (html === undefined ? 2 : undefined), html);
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

/** A request that is being recorded, also after the hooks went off. */
interface Open {
  readonly request: Context;
  readonly recording: Recording;
  readonly response: ProfiledResponse;
  readonly timer: NodeJS.Timeout;
}

class Profiler {
  readonly #limits: Limits;
  readonly #allowance: Allowance;
  readonly #hooks = new OperationHooks();
  readonly #open = new Map<Context, Open>();
  readonly #output: LineOutput | undefined;
  readonly #page: PageFile | undefined;
  /** Ends a burst. */
  #burst: NodeJS.Timeout | undefined;
  #isStopped = false;
  #hasWarned = false;

  constructor(dutyCycle: number, limits: Limits, output: ToolOutput | undefined, html: string | undefined) {
    this.#limits = limits;
    this.#allowance = new Allowance(dutyCycle, performance.now());
    this.#output = output === undefined ? undefined : new LineOutput(output);
    this.#page = html === undefined ? undefined : new PageFile(html);
  }

  /** Calls `next`, and records the request if there is room for it. */
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
    this.#cutBurst();
    for (const open of this.#open.values()) this.#end(open, "stop");
    this.#output?.close();
    this.#page?.write();
  }

  #start(request: ProfiledRequest, response: ProfiledResponse): Recording | undefined {
    const context = currentContext()?.request;
    if (context === undefined) {
      this.#warnOfPlace();
      return undefined;
    }
    const hasRoom = this.#open.size < this.#limits.requests && !this.#open.has(context);
    if (!hasRoom || !(this.#hooks.isOn || this.#allowance.isEnough(performance.now()))) return undefined;
    const url = typeof request.originalUrl === "string" ? request.originalUrl : request.url;
    const method = typeof request.method === "string" ? request.method : "";
    const recording = new Recording(method, pathOf(url), this.#limits.operations);
    const timer = later(this.#limits.ms, () => this.#end(open, "maxMs"));
    const open: Open = { request: context, recording, response, timer };
    this.#open.set(context, open);
    response.once("finish", () => this.#end(open, "finish"));
    response.once("close", () => this.#end(open, "abort"));
    this.#hooks.add(context, recording);
    if (!this.#hooks.isOn) this.#startBurst();
    return recording;
  }

  #startBurst(): void {
    const ms = this.#allowance.switchOn(performance.now());
    if (Number.isFinite(ms)) this.#burst = later(ms, () => this.#cutBurst());
    this.#hooks.switchOn();
  }

  /** Switches the hooks off. The requests that are still recorded stay open until they end. */
  #cutBurst(): void {
    this.#hooks.cutAll();
    this.#endBurst();
  }

  #endBurst(): void {
    if (!this.#hooks.isOn) return;
    clearTimeout(this.#burst);
    this.#hooks.switchOff();
    this.#allowance.switchOff(performance.now());
  }

  #end({ request, recording, response, timer }: Open, end: RecordingEnd): void {
    if (!this.#open.delete(request)) return;
    clearTimeout(timer);
    this.#hooks.remove(request);
    if (this.#hooks.size === 0) this.#endBurst();
    recording.finish(end, request.id, response.statusCode);
    if (this.#output !== undefined) recording.writeTo(this.#output);
    this.#page?.add(recording);
  }

  #warnOfPlace(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    process.emitWarning("requestProfiler records nothing: put it behind a middleware of @moonpack/trace", {
      code: "MOONPACK_TRACE_PROFILER",
    });
  }
}

/** A timer that belongs to no request, and keeps no process alive. */
function later(ms: number, fn: () => void): NodeJS.Timeout {
  return runIn(undefined, () => setTimeout(fn, ms).unref());
}
