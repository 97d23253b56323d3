/** Reads a text in pieces of any size. */
import {
  type BytesInput,
  choiceOption,
  countOption,
  invalidArgument,
  ownOptions,
  readUtf8,
  readUtf8Lossy,
  refuseUnknown,
  toBytes,
} from "moonpack/bytes";
import type { PrometheusError } from "../errors.js";
import { isComment } from "./entry.js";
import { LineReader } from "./line-reader.js";
import { LineSplitter } from "./split-lines.js";
import type { MetricMetadata, MetricSample, MetricsCounts, TextFormat } from "./types.js";

/** The default of `maxLineBytes`: 1 MiB. */
export const MAX_LINE_BYTES = 2 ** 20;
const KNOWN = ["format", "onSample", "onMetadata", "onError", "maxLineBytes"];

/** Options of {@link metricsParser}. */
export interface MetricsParserOptions {
  /** The format. Default `"prometheus"`. */
  readonly format?: TextFormat | undefined;
  /**
   * Called for each sample. `series` is the part of the line with the name and the labels: equal texts are the same series, so it can be the
   * key of a cache. `line` is the number of the line, from 1.
   */
  readonly onSample: (sample: MetricSample, series: string, line: number) => void;
  /** Called for each line of metadata. */
  readonly onMetadata?: ((metadata: MetricMetadata) => void) | undefined;
  /** Called for each line that is not valid; the others are read. Default: the first error is thrown, as Prometheus drops a scrape. */
  readonly onError?: ((error: PrometheusError) => void) | undefined;
  /** The longest line in bytes. Default 1 MiB. */
  readonly maxLineBytes?: number | undefined;
}

/** Reads a text in pieces. Made by {@link metricsParser}. */
export interface MetricsParser {
  /** Reads the next piece. Throws the errors that {@link metricsParser} lists. */
  write(chunk: BytesInput): void;
  /** Ends the text. Returns its counts. Throws `ERR_TRUNCATED` for OpenMetrics without `# EOF`. */
  end(): MetricsCounts;
}

/**
 * Creates a parser for a text that arrives in pieces, such as the body of a response. It keeps one line in memory.
 *
 * It throws PrometheusErrors with `line` and `column`: `ERR_INVALID_BYTE`, `ERR_TRUNCATED`, `ERR_TRAILING_BYTES`, `ERR_INVALID_UTF8`,
 * `ERR_INVALID_METRIC` (no name), `ERR_DUPLICATE_KEY` (a label), `ERR_OUT_OF_RANGE` (a number) and `ERR_LIMIT_BYTES` (a line). After an
 * error that it throws, and after the end, its methods throw `ERR_CLOSED`. `ERR_INVALID_ARGUMENT` for invalid options.
 *
 * @example
 * const parser = metricsParser({ onSample: ({ name, labels, value }) => console.log(name, labels, value) });
 * for await (const chunk of body) parser.write(chunk);
 * parser.end(); // { samples: 120, exemplars: 0, comments: 3, errors: 0 }
 */
export function metricsParser(options: MetricsParserOptions): MetricsParser {
  const given = ownOptions<MetricsParserOptions>(options);
  refuseUnknown(given, KNOWN);
  const onSample = callOption("onSample", given.onSample);
  const onMetadata = callOption("onMetadata", given.onMetadata);
  const onError = callOption("onError", given.onError);
  if (onSample === undefined) throw invalidArgument("onSample must be a function");
  const format = choiceOption("format", given.format, ["prometheus", "openmetrics"]);
  const maxLineBytes = countOption("maxLineBytes", given.maxLineBytes, MAX_LINE_BYTES, 1, 2 ** 30);
  return bytesParser(new LineReader(format, { onSample, onMetadata, onError }), maxLineBytes);
}

/** Checks an option that is a function or undefined. */
export function callOption<T>(name: string, value: T | undefined): T | undefined {
  if (value === undefined || typeof value === "function") return value;
  throw invalidArgument(`${name} must be a function`);
}

/** Returns the parser that gives the lines of bytes to a reader. */
export function bytesParser(lines: LineReader, maxLineBytes: number): MetricsParser {
  const splitter = new LineSplitter(maxLineBytes, {
    line: (bytes, view, start, end) => lines.line(textOf(bytes, view, start, end, lines.format)),
    tooLong: () => lines.tooLong(maxLineBytes),
  });
  return {
    write(chunk) {
      const bytes = toBytes(chunk);
      lines.run(() => splitter.write(bytes));
    },
    end() {
      lines.run(() => splitter.end());
      return lines.end();
    },
  };
}

/** The text of a line; null if it is not UTF-8. Prometheus does not look into comments. */
function textOf(bytes: Uint8Array, view: DataView, start: number, end: number, format: TextFormat): string | null {
  const text = readUtf8(bytes, view, start, end);
  if (text !== null) return text;
  const lossy = readUtf8Lossy(bytes, start, end);
  return isComment(lossy, format) ? lossy : null;
}
