/**
 * Prometheus' text format 0.0.4 and OpenMetrics 1.0, read by `@moonpack/prometheus/text`. Samples of histograms and summaries are metrics
 * like others, with the tags `le` and `quantile`.
 */
import { type MetricSample, metricsParser, type PrometheusError, type TextFormat } from "@moonpack/prometheus/text";
import type { ByteWindow } from "../shared/input.js";
import { MAX_LINE } from "./lines.js";
import { RecordError } from "./record-error.js";
import type { ParserOptions } from "./record-parser.js";

/** Bytes at the start of an input that show which of the two formats it has. */
const HEAD = 64 * 1024;
const LINE_FEED = 0x0a;

/** Receives an invalid record, with its line. */
export type Refuse = (error: RecordError, line: number) => void;

/** Reads a text in pieces. */
export class PrometheusReader {
  /** Exemplars of OpenMetrics, which are not stored. */
  exemplars = 0;
  readonly #options: ParserOptions;
  readonly #refuse: Refuse;
  readonly #parser: ReturnType<typeof metricsParser>;

  constructor(format: TextFormat, options: ParserOptions, refuse: Refuse) {
    this.#options = options;
    this.#refuse = refuse;
    this.#parser = metricsParser({
      format,
      maxLineBytes: MAX_LINE,
      onSample: (sample, series, line) => this.#add(sample, series, line),
      onError: (error) => refuse(recordError(error, format), error.line!),
    });
  }

  /** Adds the points of the lines that end in a piece. */
  read(bytes: Uint8Array<ArrayBuffer>): void {
    this.#parser.write(bytes);
  }

  /** Reads a last line without a line break. OpenMetrics must end in `# EOF`. */
  end(): void {
    this.#parser.end();
  }

  #add({ name, labels, value, timestamp, exemplar }: MetricSample, series: string, line: number): void {
    const { metrics, writer, times, isInt64, timestamp: now } = this.#options;
    if (exemplar !== undefined) this.exemplars++;
    writer.startRecord(line);
    try {
      const time = timestamp === undefined ? now() : times.ofNumber(Math.floor(timestamp));
      if (isInt64) checkInteger(value);
      writer.add(metrics.find(series) ?? metrics.add(series, { name, tags: labels }), time, value, isInt64);
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      this.#refuse(error, line);
    }
  }
}

/** Values are floats in both formats: an integer beyond 2^53 may be another one in the text. */
function checkInteger(value: number): void {
  if (Number.isSafeInteger(value)) return;
  const why = Number.isInteger(value) ? "is beyond 2^53, so it may be rounded" : "is not an integer";
  throw new RecordError("ERR_OUT_OF_RANGE", `the value ${value} ${why}`);
}

/** The error without the place in its text. Text after a sample is usually an exemplar. */
function recordError({ code, message, line, column }: PrometheusError, format: TextFormat): RecordError {
  const text = message.slice(`line ${line}, column ${column}: `.length);
  const hint = format === "prometheus" && code === "ERR_TRAILING_BYTES" ? "; exemplars need --format openmetrics" : "";
  return new RecordError(code, text + hint, column);
}

/** Reads the start of an input. Returns OpenMetrics for what only OpenMetrics allows: its last line, exemplars, fractions, types. */
export async function textFormatOf(window: ByteWindow): Promise<TextFormat> {
  await window.reach(HEAD);
  const head = window.view() as Uint8Array<ArrayBuffer>;
  if (window.ended && /(?:^|\n)# EOF\n?$/.test(Buffer.from(head.subarray(-7)).toString("latin1"))) return "openmetrics";
  const lines = head.subarray(0, window.ended ? head.length : head.lastIndexOf(LINE_FEED) + 1);
  return errorsIn(lines, "prometheus") > 0 && errorsIn(lines, "openmetrics") === 0 ? "openmetrics" : "prometheus";
}

/** Counts the lines that are not valid. */
function errorsIn(lines: Uint8Array<ArrayBuffer>, format: TextFormat): number {
  let errors = 0;
  const parser = metricsParser({ format, maxLineBytes: MAX_LINE, onSample() {}, onError: () => void errors++ });
  parser.write(lines);
  return errors;
}
