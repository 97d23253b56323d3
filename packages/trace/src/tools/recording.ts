/** The recording of a sampled request: its operations, when they waited and when they ran. Times are microseconds from its start. */
import { jsonId, jsonText, microsecondsSince } from "./text.js";

/** How a recording ended; `stop`: the profiler was stopped first. */
export type RecordingEnd = "finish" | "abort" | "maxDuration" | "stop";

/** One asynchronous resource of a request. */
export class Operation {
  readonly recording: Recording;
  readonly asyncId: number;
  /** From 1 up, in the order of their start. */
  readonly number: number;
  /** The number of the operation that caused it; 0 for an operation outside of this request. */
  readonly parent: number;
  readonly type: string;
  readonly at: number;
  /** Starts and lengths in turn. */
  readonly runs: number[] = [];
  /** When a promise was resolved; -1 before, and for other resources. */
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

  /** The end, if it is known: of a promise, when it was resolved; of others, the end of the last run. */
  get end(): number | undefined {
    if (this.resolvedAt >= 0) return this.resolvedAt;
    const { runs } = this;
    return runs.length === 0 ? undefined : runs.at(-2)! + runs.at(-1)!;
  }

  begin(): void {
    if (this.#depth++ === 0) this.#runStart = this.recording.now();
  }

  /** Ends a run whose start was seen. */
  leave(): void {
    if (this.#depth === 0 || --this.#depth > 0) return;
    if (this.recording.takesRun()) this.runs.push(this.#runStart, this.recording.now() - this.#runStart);
  }

  /** Records that a promise was resolved. */
  resolve(): void {
    this.resolvedAt = this.recording.now();
  }

  /** Ends a run early: its end will not be seen. */
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
  /** Set at the end: at the start the factory may not have returned. */
  id: unknown;
  readonly method: string;
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly start = Date.now();
  /** In the order of their start. */
  readonly operations: Operation[] = [];
  /** The number of recorded operations. */
  total = 0;
  readonly #zero = performance.now();
  readonly #max: number;
  #runs = 0;
  /** The duration of the call of `next`: the first part of the handler. */
  firstRun = 0;
  duration = 0;
  status = 0;
  end: RecordingEnd = "finish";
  /** True if a part is missing: there was more than the maximum, or the hooks were disabled before the end. */
  isTruncated = false;

  /** `max` is the most operations, and the most runs. */
  constructor(method: string, url: string, max: number) {
    this.method = method;
    this.url = url;
    this.#max = max;
  }

  now(): number {
    return microsecondsSince(this.#zero);
  }

  /** Adds an operation. Returns undefined at the maximum. */
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

  /** Returns true if one more run may be recorded. */
  takesRun(): boolean {
    if (this.#runs >= this.#max) {
      this.isTruncated = true;
      return false;
    }
    this.#runs++;
    return true;
  }

  /** Ends all runs: the hooks are disabled. */
  cut(): void {
    this.isTruncated = true;
    for (const operation of this.operations) operation.cut();
  }

  /** Ends the recording. */
  finish(end: RecordingEnd, id: unknown, status: unknown): void {
    this.id = id;
    this.end = end;
    this.status = typeof status === "number" ? status : 0;
    for (const operation of this.operations) operation.cut();
    this.duration = this.now();
  }

  /** Removes all but the first operations. */
  keepFirst(count: number): void {
    if (this.operations.length > count) this.operations.length = count;
  }

  /** Writes the lines of the request and its operations. */
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
