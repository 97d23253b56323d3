import { invalidArgument } from "moonpack/bytes";
import type { Target } from "../target.js";
import { ErrorsByCode, TIMEOUT_CODE } from "./errors-by-code.js";
import { Latencies } from "./histogram.js";

/** One result of `get` in 1,000 is checked. */
const CHECK_EVERY = 1000;

/** The measurements of a round. */
export class Meter {
  readonly #target: Target;
  /** Times from the start of an operation to its end. */
  readonly service = new Latencies();
  /** Times from the due time of an operation to its end; undefined without a schedule. */
  readonly response: Latencies | undefined;
  /** Times from the due time of an operation to its start; undefined without a schedule. */
  readonly late: Latencies | undefined;
  readonly errors = new ErrorsByCode();
  /** Wrong answers. */
  wrong = 0;
  /** Successful operations: in all lanes, and in each lane. */
  operations = 0;
  readonly byLane: Float64Array;
  /** The end time of each lane's last operation. */
  readonly ended: Float64Array;
  /** Changes with each operation that starts or ends. */
  activity = 0;

  constructor(target: Target, lanes: number, isScheduled: boolean) {
    this.#target = target;
    this.response = isScheduled ? new Latencies() : undefined;
    this.late = isScheduled ? new Latencies() : undefined;
    this.byLane = new Float64Array(lanes);
    this.ended = new Float64Array(lanes);
  }

  /** Records a successful operation. */
  end(lane: number, begun: number, ended: number): void {
    this.service.record(ended - begun);
    this.operations++;
    this.activity++;
    this.byLane[lane]!++;
    this.ended[lane] = ended;
  }

  /**
   * Checks the result of one `get` in 1,000. `n` is the number of the operation. Returns true if it has checked. Throws
   * `ERR_INVALID_ARGUMENT` for a check that returns a promise.
   */
  check(n: number, key: number, result: unknown): boolean {
    if (n % CHECK_EVERY !== 0 || this.#target.check === undefined) return false;
    if (!this.#isRight(key, result)) this.wrong++;
    return true;
  }

  /** Records a failed operation. */
  fail(lane: number, ended: number, error: unknown): void {
    this.errors.add(error);
    this.activity++;
    this.ended[lane] = ended;
  }

  /** Records a timed-out operation. */
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
