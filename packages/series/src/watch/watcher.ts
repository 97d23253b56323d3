/** One loop over `watch`: keeps the points of its metrics until the loop takes them. */
import { MoonpackError } from "moonpack/bytes";
import type { RegisteredMetric } from "../registry/registered-metric.js";
import type { Registry } from "../registry/registry.js";
import { TimeSlices } from "../store/time-slices.js";
import type { WatchedBatch, WatchedPoint } from "../watching.js";
import { PointRing } from "./point-ring.js";
import type { WatchRequest } from "./request.js";
import type { Watches } from "./watches.js";
import type { Uncopied, Written } from "./written.js";

/** Maximum number of points in a batch. */
const MAX_BATCH = 4096;
/** Maximum number of metrics that are looked up together. */
const LOOKED_UP = 256;
const UNKNOWN = 0;
const WATCHED = 1;
const OTHER = 2;

/** The parts of a store that a loop needs. */
export interface WatchParts {
  readonly watches: Watches;
  readonly registry: Registry;
  /** The unit of times in batches, in milliseconds. */
  readonly unit: number;
  /** Throws if the store is closed. */
  assertOpen(): void;
}

type Result = IteratorResult<WatchedBatch, undefined>;

/** See above. */
export class Watcher implements AsyncIterator<WatchedBatch, undefined> {
  readonly #parts: WatchParts;
  readonly #request: WatchRequest;
  readonly #ring: PointRing;
  /** Is the metric with this id watched? */
  #states = new Uint8Array(256);
  readonly #metrics = new Map<number, RegisteredMetric>();
  /** The function that finds watched metrics; undefined before the start. */
  #matches: Promise<WatchRequest["matches"]> | undefined;
  #dropped = 0;
  #state: "new" | "started" | "ended" = "new";
  #failure: unknown;
  /** Ends the wait for points. */
  #wake: (() => void) | undefined;
  /** Calls of `next` are answered in order. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: WatchParts, request: WatchRequest) {
    this.#parts = parts;
    this.#request = request;
    this.#ring = new PointRing(request.maxPoints);
  }

  next(): Promise<Result> {
    if (this.#state === "new") this.#start();
    const result = this.#turn.then(() => this.#next());
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async return(): Promise<Result> {
    this.#ring.length = this.#dropped = 0;
    this.end();
    return { done: true, value: undefined };
  }

  #start(): void {
    const { watches, assertOpen } = this.#parts;
    const { signal, matches, complete } = this.#request;
    this.#state = "started";
    try {
      assertOpen();
    } catch (error) {
      return this.#fail(error);
    }
    if (signal?.aborted) return this.#abort();
    signal?.addEventListener("abort", this.#abort);
    watches.add(this);
    this.#matches = complete?.() ?? Promise.resolve(matches);
    this.#matches.catch((error) => this.#fail(error));
  }

  async #next(): Promise<Result> {
    while (this.#ring.length === 0 && this.#dropped === 0) {
      if (this.#failure !== undefined) {
        const failure = this.#failure;
        this.#failure = undefined;
        throw failure;
      }
      if (this.#state === "ended") return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return { done: false, value: this.#batch() };
  }

  #batch(): WatchedBatch {
    const ring = this.#ring;
    const points: WatchedPoint[] = [];
    for (let n = Math.min(ring.length, MAX_BATCH); n > 0; n--) {
      const metric = this.#metrics.get(ring.id)!;
      points.push({ metric, timestamp: ring.time / this.#parts.unit, value: ring.value(metric.type === "int64") });
      ring.skip();
    }
    const dropped = this.#dropped;
    this.#dropped = 0;
    return { points, dropped };
  }

  /** Takes the points of its metrics. Never rejects. */
  async take(written: Written | Uncopied): Promise<void> {
    try {
      const unknown = this.#unknown(written.counts !== undefined ? [...written.counts.keys()] : written.ids);
      if (unknown.size > 0) await this.#lookUp([...unknown]);
    } catch (error) {
      return this.#fail(error);
    }
    if (this.#state === "ended") return;
    const states = this.#states;
    if (written.counts !== undefined) {
      for (const [id, n] of written.counts) if (states[id] === WATCHED) this.#dropped += n;
    } else {
      const { ids, times, values } = written;
      for (let i = 0; i < ids.length; i++)
        if (states[ids[i]!] === WATCHED && !this.#ring.push(ids[i]!, times[i]!, values, i)) this.#dropped++;
    }
    this.#wake?.();
  }

  #unknown(ids: ArrayLike<number>): Set<number> {
    const unknown = new Set<number>();
    if (this.#state === "ended") return unknown;
    const { next } = this.#parts.registry;
    if (next > this.#states.length) {
      const states = new Uint8Array(2 * next);
      states.set(this.#states);
      this.#states = states;
    }
    const states = this.#states;
    for (let i = 0; i < ids.length; i++) if (states[ids[i]!] === UNKNOWN) unknown.add(ids[i]!);
    return unknown;
  }

  /** Finds out which of these metrics are watched. */
  async #lookUp(ids: readonly number[]): Promise<void> {
    const matches = await this.#matches!;
    const slices = new TimeSlices();
    for (let i = 0; i < ids.length; i += LOOKED_UP) {
      const some = ids.slice(i, i + LOOKED_UP);
      const metrics = await this.#parts.registry.byIds(some);
      some.forEach((id, k) => {
        const metric = metrics[k] ?? this.#parts.watches.forgotten.get(id);
        const isWatched = metric !== undefined && matches(metric);
        this.#states[id] = isWatched ? WATCHED : OTHER;
        if (isWatched) this.#metrics.set(id, metric);
      });
      await slices.pause();
    }
  }

  readonly #abort = (): void =>
    this.#fail(new MoonpackError("ERR_ABORTED", "the watch was aborted", this.#request.signal!.reason));

  #fail(error: unknown): void {
    if (this.#state === "ended") return;
    this.#ring.length = this.#dropped = 0;
    this.#failure = error;
    this.end();
  }

  /** Ends the loop after the points that it has not taken yet. */
  end(): void {
    this.#state = "ended";
    this.#parts.watches.remove(this);
    this.#request.signal?.removeEventListener("abort", this.#abort);
    this.#wake?.();
  }
}
