import { invalidArgument } from "moonpack/bytes";
import type { Target } from "../target.js";
import { ErrorsByCode, TIMEOUT_CODE } from "./errors-by-code.js";
import { Latencies } from "./histogram.js";

/** Results of `get` are checked once in so many operations. */
const CHECK_EVERY = 1000;

/** What the lanes of a round report. */
export class Meter {
  readonly #target: Target;
  /** From the start of an operation to its end. */
  readonly service = new Latencies();
  /** From when it was due; undefined without a schedule. */
  readonly response: Latencies | undefined;
  /** From when it was due to its start. */
  readonly late: Latencies | undefined;
  readonly errors = new ErrorsByCode();
  /** Wrong answers. */
  wrong = 0;
  /** Operations that ended well: of all lanes, and of each. */
  operations = 0;
  readonly byLane: Float64Array;
  /** When the last operation of each lane ended. */
  readonly ended: Float64Array;
  /** Changes with each operation that begins or ends. */
  activity = 0;

  constructor(target: Target, lanes: number, isPaced: boolean) {
    this.#target = target;
    this.response = isPaced ? new Latencies() : undefined;
    this.late = isPaced ? new Latencies() : undefined;
    this.byLane = new Float64Array(lanes);
    this.ended = new Float64Array(lanes);
  }

  /** An operation has ended well. */
  end(lane: number, begun: number, ended: number): void {
    this.service.record(ended - begun);
    this.operations++;
    this.activity++;
    this.byLane[lane]!++;
    this.ended[lane] = ended;
  }

  /**
   * Checks the result of a `get`, now and then. `n` is the number of the operation. True if it has done so. Throws
   * `ERR_INVALID_ARGUMENT` for a check that returns a promise: its answer would be ignored.
   */
  check(n: number, key: number, result: unknown): boolean {
    if (n % CHECK_EVERY !== 0 || this.#target.check === undefined) return false;
    if (!this.#isRight(key, result)) this.wrong++;
    return true;
  }

  /** An operation has failed. */
  fail(lane: number, ended: number, error: unknown): void {
    this.errors.add(error);
    this.activity++;
    this.ended[lane] = ended;
  }

  /** An operation has taken too long. */
  expire(lane: number, now: number): void {
    this.errors.addCode(TIMEOUT_CODE);
    this.activity++;
    this.ended[lane] = now;
  }

  #isRight(key: number, result: unknown): boolean {
    let answer: unknown;
    try {
      answer = this.#target.check!(key, result);
    } catch {
      return false;
    }
    if (answer instanceof Promise) {
      answer.catch(() => {});
      throw invalidArgument(`check of ${this.#target.name} must return true or false, not a promise`);
    }
    return answer !== false;
  }
}
