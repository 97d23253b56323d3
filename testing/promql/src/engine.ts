/** Prometheus' own engine: a process of the Go program, to which data and queries are sent. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { program } from "./program.ts";

/** The longest time that a batch of queries may take, in milliseconds. */
const PATIENCE = 120_000;

/** A series: times in milliseconds, and values as texts: numbers as Go writes them, or `stale` for a staleness marker. */
export interface EngineSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly times: readonly number[];
  readonly values: readonly string[];
}

/** A query with times in milliseconds. A step of 0 is for an instant query. */
export interface EngineQuery {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

/** The rows of a vector or a matrix, or the value of a scalar or a string; or the text of the error. */
export interface EngineResult {
  readonly type: string;
  readonly rows: readonly EngineSeries[] | null;
  readonly value: string;
  readonly warnings: readonly string[] | null;
  readonly infos: readonly string[] | null;
  readonly error: string;
}

/** A running engine. `close` ends its process. */
export class Engine {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  #errors = "";

  private constructor(path: string) {
    this.#child = spawn(path, { stdio: "pipe" });
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#errors += text;
    });
    // A process that has ended says so by the end of its output.
    this.#child.stdin.on("error", () => undefined);
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** Starts an engine. The first call in a folder builds the program. */
  static async start(): Promise<Engine> {
    return new Engine(await program());
  }

  /** Replaces the data by these series, and returns the results of the queries. One call at a time. */
  async ask(series: readonly EngineSeries[], queries: readonly EngineQuery[]): Promise<EngineResult[]> {
    const commands = [{ series }, ...queries.map((query) => ({ query }))];
    this.#child.stdin.write(commands.map((command) => `${JSON.stringify(command)}\n`).join(""));
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), PATIENCE);
    const results: EngineResult[] = [];
    try {
      for (const { text } of queries) {
        const { done, value } = await this.#lines.next();
        if (done) throw new Error(`the Go program ended at the query ${text}\n${this.#errors}`);
        results.push(JSON.parse(value) as EngineResult);
      }
    } finally {
      clearTimeout(timer);
    }
    return results;
  }

  /** Ends the process, and waits for its end. */
  async close(): Promise<void> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once("close", resolve));
    this.#child.kill("SIGKILL");
    await ended;
  }
}
