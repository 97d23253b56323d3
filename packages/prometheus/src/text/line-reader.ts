/** Reads the lines of a text and passes on what they contain. Counts them. */
import { MoonpackError } from "moonpack/bytes";
import { PrometheusError } from "../errors.js";
import { type Entry, readEntry } from "./entry.js";
import { textError } from "./line.js";
import type { MetricMetadata, MetricSample, MetricsCounts, TextFormat } from "./types.js";

/** The functions that receive the content of the lines. */
export interface EntryReceiver {
  readonly onSample: (sample: MetricSample, series: string, line: number) => void;
  readonly onMetadata: ((metadata: MetricMetadata) => void) | undefined;
  /** Undefined: the first error is thrown. */
  readonly onError: ((error: PrometheusError) => void) | undefined;
}

/** The state between two lines. */
export class LineReader {
  readonly format: TextFormat;
  readonly #receiver: EntryReceiver;
  #lines = 0;
  #samples = 0;
  #exemplars = 0;
  #comments = 0;
  #errors = 0;
  /** True after `# EOF`. */
  #isComplete = false;
  #isClosed = false;
  #isBusy = false;

  constructor(format: TextFormat, receiver: EntryReceiver) {
    this.format = format;
    this.#receiver = receiver;
  }

  /** Runs work on the text. Refuses work inside of work, and after a failure or the end: `ERR_CLOSED`. */
  run(work: () => void): void {
    if (this.#isClosed || this.#isBusy)
      throw new MoonpackError(
        "ERR_CLOSED",
        `the parser ${this.#isBusy ? "is reading: a callback called it" : "has ended"}`,
      );
    this.#isBusy = this.#isClosed = true;
    try {
      work();
      this.#isClosed = false;
    } finally {
      this.#isBusy = false;
    }
  }

  /** Reads a line. `text` is null if its bytes are not UTF-8. */
  line(text: string | null): void {
    this.#lines++;
    const entry = this.#entry(text);
    if (entry?.kind === "sample") {
      this.#samples++;
      if (entry.sample.exemplar !== undefined) this.#exemplars++;
      this.#receiver.onSample(entry.sample, entry.series, this.#lines);
    } else if (entry?.kind === "metadata") this.#receiver.onMetadata?.(entry.metadata);
    else if (entry?.kind === "comment") this.#comments++;
    else if (entry?.kind === "eof") this.#isComplete = true;
  }

  /** Counts a line that is longer than `maxBytes`. */
  tooLong(maxBytes: number): void {
    this.#lines++;
    this.#fail(textError("ERR_LIMIT_BYTES", `the line is longer than ${maxBytes} bytes`, this.#lines, 1));
  }

  /** Ends the text. Returns the counts. */
  end(): MetricsCounts {
    this.run(() => {
      if (this.format === "openmetrics" && !this.#isComplete)
        this.#fail(textError("ERR_TRUNCATED", "the text does not end in # EOF", this.#lines + 1, 1));
    });
    this.#isClosed = true;
    return { samples: this.#samples, exemplars: this.#exemplars, comments: this.#comments, errors: this.#errors };
  }

  #entry(text: string | null): Entry | undefined {
    try {
      if (this.#isComplete) throw textError("ERR_TRAILING_BYTES", "there is more text after # EOF", this.#lines, 1);
      if (text === null) throw textError("ERR_INVALID_UTF8", "the line is not valid UTF-8", this.#lines, 1);
      return readEntry(text, this.#lines, this.format);
    } catch (error) {
      if (!(error instanceof PrometheusError)) throw error;
      this.#fail(error);
      return undefined;
    }
  }

  #fail(error: PrometheusError): void {
    if (this.#receiver.onError === undefined) throw error;
    this.#errors++;
    this.#receiver.onError(error);
  }
}
