/** What is known of a sampled request: its operations, when they waited and when they ran. Times are microseconds from its start. */
import { jsonId, jsonText, microsecondsSince } from "./text.js";

/** How a recording ended; `stop`: the profiler was stopped first. */
export type RecordingEnd = "finish" | "abort" | "maxDuration" | "stop";

/** One asynchronous resource of a request. */
export class Operation {
  readonly recording: Recording;
  readonly asyncId: number;
  /** From 1 up, in the order of their beginning. */
  readonly number: number;
  /** The number of the operation that caused it; 0 if that is not of this request. */
  readonly parent: number;
  readonly type: string;
  readonly at: number;
  /** Starts and lengths in turn. */
  readonly runs: number[] = [];
  /** When a promise was resolved; -1: not yet, or it is none. */
  resolvedAt = -1;
  #depth = 0;
  #runStart = 0;

  constructor(recording: Recording, asyncId: number, number: number, parent: number, type: string) {
    this.recording = recording;
    this.asyncId = asyncId;
    this.number = number;
    this.parent = parent;
    this.type = type;
    this.at = recording.now();
  }

  /** The end as far as it is known: of a promise, when it was resolved; of others, the end of the last run. */
  get end(): number | undefined {
    if (this.resolvedAt >= 0) return this.resolvedAt;
    const { runs } = this;
    return runs.length === 0 ? undefined : runs.at(-2)! + runs.at(-1)!;
  }

  begin(): void {
    if (this.#depth++ === 0) this.#runStart = this.recording.now();
  }

  /** The end of a run whose beginning was seen. */
  leave(): void {
    if (this.#depth === 0 || --this.#depth > 0) return;
    if (this.recording.takesRun()) this.runs.push(this.#runStart, this.recording.now() - this.#runStart);
  }

  /** A promise was resolved. */
  resolve(): void {
    this.resolvedAt = this.recording.now();
  }

  /** Ends a run in the middle, since nothing more will be seen. */
  cut(): void {
    if (this.#depth === 0) return;
    this.#depth = 1;
    this.leave();
  }

  toJson(id: string): string {
    const { number, parent, type, at, runs, end } = this;
    const pairs: string[] = [];
    for (let i = 0; i < runs.length; i += 2) pairs.push(`[${runs[i]},${runs[i + 1]}]`);
    const endText = end === undefined ? "" : `"end":${end},`;
    const place = `"op":${number},"parent":${parent},"type":${jsonText(type)}`;
    return `{"k":"op",${id}${place},"at":${at},${endText}"runs":[${pairs.join(",")}]}`;
  }
}

/** A sampled request. */
export class Recording {
  /** Known at the end: a factory may still decide at the start. */
  id: unknown;
  readonly method: string;
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly start = Date.now();
  /** In the order of their beginning. */
  readonly operations: Operation[] = [];
  /** How many operations were recorded. */
  total = 0;
  readonly #zero = performance.now();
  readonly #max: number;
  #runs = 0;
  /** How long the middleware's own call took: the first part of the handler. */
  firstRun = 0;
  duration = 0;
  status = 0;
  end: RecordingEnd = "finish";
  /** True if not all was seen: more than the maximum, or hooks went off before its end. */
  isTruncated = false;

  /** `max` is the number of operations that are kept, and of runs. */
  constructor(method: string, url: string, max: number) {
    this.method = method;
    this.url = url;
    this.#max = max;
  }

  now(): number {
    return microsecondsSince(this.#zero);
  }

  /** Adds an operation; undefined if there are too many. */
  add(asyncId: number, parent: Operation | undefined, type: string): Operation | undefined {
    const { operations } = this;
    if (operations.length >= this.#max) {
      this.isTruncated = true;
      return undefined;
    }
    const parentNumber = parent?.recording === this ? parent.number : 0;
    const operation = new Operation(this, asyncId, ++this.total, parentNumber, type);
    operations.push(operation);
    return operation;
  }

  /** True if one more run is kept. */
  takesRun(): boolean {
    if (this.#runs >= this.#max) {
      this.isTruncated = true;
      return false;
    }
    this.#runs++;
    return true;
  }

  /** Nothing is seen from now on. */
  cut(): void {
    this.isTruncated = true;
    for (const operation of this.operations) operation.cut();
  }

  /** Ends it: nothing is added from now on. */
  finish(end: RecordingEnd, id: unknown, status: unknown): void {
    this.id = id;
    this.end = end;
    this.status = typeof status === "number" ? status : 0;
    for (const operation of this.operations) operation.cut();
    this.duration = this.now();
  }

  /** Forgets all operations but so many. */
  keepFirst(count: number): void {
    if (this.operations.length > count) this.operations.length = count;
  }

  /** The lines of the request and its operations. */
  writeTo(output: { line(text: string): void }): void {
    const id = jsonId(this.id);
    const idText = id === undefined ? "" : `"id":${id},`;
    const { method, url, start, duration, status, end, operations, isTruncated } = this;
    output.line(
      `{"k":"request",${idText}"method":${jsonText(method)},"url":${jsonText(url)},"start":${start},"dur":${duration},` +
        `"status":${status},"end":"${end}","ops":${this.total},"truncated":${isTruncated}}`,
    );
    for (const operation of operations) output.line(operation.toJson(idText));
  }
}
