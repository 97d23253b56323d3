import type { ResultHead } from "./results.js";
import type { Operation } from "./types.js";

/** Options of a run, from the command line. */
export interface RunOptions {
  readonly quick: boolean;
  /** Workloads whose id matches. */
  readonly filter: RegExp | undefined;
  readonly only: Operation | undefined;
  /** Number of processes that repeat each race. */
  readonly processes: number;
}

/** One benchmark with its result file and its page. */
export interface Suite<Result extends ResultHead = ResultHead> {
  /** Its name on the command line, and of its result file and page. */
  readonly name: string;
  readonly title: string;
  /** Measures, mostly by passing jobs to child processes. */
  run(options: RunOptions): Promise<Result>;
  /** Runs a job in a child process. The result must survive JSON. */
  work?(job: unknown): unknown;
  /** One line for each figure that is slower than in the committed result. Any line makes the run fail. */
  losses?(result: Result, committed: Result): string[];
  /** The page, rendered from the result alone. */
  page(result: Result): string;
}
