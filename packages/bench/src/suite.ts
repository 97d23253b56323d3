import type { ResultHead } from "./results.js";
import type { Operation } from "./types.js";

/** What the command line asks of a run. */
export interface RunOptions {
  readonly quick: boolean;
  /** Workloads whose id matches. */
  readonly filter: RegExp | undefined;
  readonly only: Operation | undefined;
  /** Processes that repeat each race. */
  readonly processes: number;
}

/** One benchmark with its result file and its page. */
export interface Suite<Result extends ResultHead = ResultHead> {
  /** Name on the command line, of the result file and of the page. */
  readonly name: string;
  readonly title: string;
  /** Measures, mostly by handing jobs to child processes. */
  run(options: RunOptions): Promise<Result>;
  /** What a child process does with a job; its answer must survive JSON. */
  work?(job: unknown): unknown;
  /** What has become slower than in the committed result: a line for each; then the run fails. */
  losses?(result: Result, committed: Result): string[];
  /** The page's tables, from the result alone. */
  page(result: Result): string;
}
