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
  /** Successful operations: in all workers, and in each worker. */
  operations = 0;
  readonly byWorker: Float64Array;
  /** The end time of each worker's last operation. */
  readonly ended: Float64Array;
  /** Changes with each operation that starts or ends. */
  activity = 0;

  constructor(target: Target, workers: number, isScheduled: boolean) {
    this.#target = target;
    this.response = isScheduled ? new Latencies() : undefined;
    this.late = isScheduled ? new Latencies() : undefined;
    this.byWorker = new Float64Array(workers);
    this.ended = new Float64Array(workers);
  }

  /** Records a successful operation. */
  end(worker: number, begun: number, ended: number): void {
    this.service.record(ended - begun);
    this.operations++;
    this.activity++;
    this.byWorker[worker]!++;
    this.ended[worker] = ended;
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
  fail(worker: number, ended: number, error: unknown): void {
    this.errors.add(error);
    this.activity++;
    this.ended[worker] = ended;
  }

  /** Records a timed-out operation. */
  expire(worker: number, now: number): void {
    this.errors.addCode(TIMEOUT_CODE);
    this.activity++;
    this.ended[worker] = now;
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
