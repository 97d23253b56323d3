/** Reads the records of an input in each format, and passes their points to the writer. */
import type { ByteWindow } from "../shared/input.js";
import type { CsvMapping } from "./csv-header.js";
import type { Interruption } from "./interruption.js";
import { type BadLine, type Line, lineBlocks, MAX_LINE, skipMark } from "./lines.js";
import type { PointFormat } from "./point-formats.js";
import type { PointWriter } from "./point-writer.js";
import { RecordError } from "./record-error.js";
import type { LineParser, ParserOptions, Skipped } from "./record-parser.js";
import { type LineRecord, StringLines } from "./string-lines.js";
import type { TextTime } from "./text-time.js";
import type { TimeUnit } from "./times.js";
import { Timestamps } from "./timestamps.js";

/** The most bytes that are read before their points are written. */
const MAX_PIECE = 64 * 1024;

/** How an input is read. */
export interface ReadOptions extends Omit<ParserOptions, "times"> {
  /** The unit of timestamps, if the user names one. */
  readonly unit: TimeUnit | undefined;
  /** How texts are read as times. Default: ISO 8601, in UTC without a zone. */
  readonly textTime?: TextTime | undefined;
  /** The meaning of the columns of CSV. */
  readonly csv: CsvMapping;
}

/** Callbacks while the records of an input are read. */
export interface Watcher {
  readonly interruption: Interruption;
  /** True if invalid records are skipped. */
  readonly skips: boolean;
  /** Called when a part of the input arrives. */
  arrived(): void;
  /** Called for an invalid record. Throws unless invalid records are skipped. */
  refuse(error: RecordError, line: number): void;
  /** Called if the input cannot be imported at all. Throws. */
  fail(error: RecordError, line: number): never;
}

/** Reads an input until its end or a signal. */
export async function readRecords(
  format: PointFormat,
  window: ByteWindow,
  { unit, textTime, csv, ...given }: ReadOptions,
  watcher: Watcher,
): Promise<Skipped> {
  const option = format === "prometheus" ? "--format prometheus --unit" : "--unit";
  const times = new Timestamps(unit ?? (format === "line" ? "ns" : "ms"), unit !== undefined, option, textTime);
  const options: ParserOptions = { ...given, times };
  options.writer.setTimestamps(times);
  if (format === "csv" || format === "annotated-csv")
    return readCsv(window, options, { ...csv, isAnnotated: format === "annotated-csv" }, watcher);
  if (format === "prometheus" || format === "openmetrics") return readPrometheus(window, options, format, watcher);
  return readLines(window, await lineParser(format, options), options.writer, watcher);
}

/** Writes the waiting points, if their times are certain. */
async function write(writer: PointWriter, { refuse, fail }: Watcher, isEnd = false): Promise<void> {
  const unknownUnit = writer.takeUnitError(isEnd);
  if (unknownUnit !== undefined) fail(unknownUnit.error, unknownUnit.line);
  await writer.write(refuse, isEnd);
}

/** Loads a parser on first use. */
async function lineParser(format: PointFormat, options: ParserOptions): Promise<LineParser> {
  if (format === "line") return new (await import("./line-protocol.js")).LineProtocolParser(options);
  if (format === "tsdb-dump") return new (await import("./tsdb-dump.js")).TsdbDumpParser(options);
  if (format === "victoriametrics") return new (await import("./victoriametrics.js")).VictoriaMetricsParser(options);
  return new (await import("./ndjson.js")).NdjsonParser(options);
}

async function readLines(
  window: ByteWindow,
  parser: LineParser,
  writer: PointWriter,
  watcher: Watcher,
): Promise<Skipped> {
  const { endsInString } = parser;
  const strings = endsInString && new StringLines(endsInString);
  const read = (line: Line, first: number) =>
    readRecord(
      first,
      writer,
      watcher,
      () => {
        if (typeof line !== "string") throw badLine(line);
        parser.parse(line);
      },
      line,
    );
  const readAll = async (records: readonly LineRecord[]) => {
    for (const { line, first } of records) {
      read(line, first);
      if (writer.isFull) await write(writer, watcher);
    }
  };
  for await (const { lines, first } of parts(lineBlocks(window), watcher)) {
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i]!;
      const records = strings?.add(line, first + i);
      if (records !== undefined) await readAll(records);
      else read(line, first + i);
      if (writer.isFull) await write(writer, watcher);
    }
    await write(writer, watcher);
  }
  if (watcher.interruption.code === undefined) await readAll(strings?.end() ?? []);
  await write(writer, watcher, true);
  return { strings: parser.strings, histograms: parser.histograms };
}

function badLine({ bad }: BadLine): RecordError {
  return bad === "too long"
    ? new RecordError("ERR_LIMIT_BYTES", `the line is longer than ${MAX_LINE / 2 ** 20} MiB`)
    : new RecordError("ERR_INVALID_UTF8", "the line is not valid UTF-8");
}

async function readPrometheus(
  window: ByteWindow,
  options: ParserOptions,
  named: "prometheus" | "openmetrics",
  watcher: Watcher,
): Promise<Skipped> {
  const { PrometheusReader, textFormatOf } = await import("./prometheus-text.js");
  const { interruption } = watcher;
  await interruption.orInterrupted(skipMark(window));
  // With a unit of the user, timestamps are whole numbers: OpenMetrics always has seconds.
  const isDetected = named === "prometheus" && !options.times.isCertain;
  const format = isDetected ? await interruption.orInterrupted(textFormatOf(window)) : named;
  if (format === undefined) return {};
  if (format === "openmetrics") options.times.confirm();
  const reader = new PrometheusReader(format, options, watcher.refuse);
  for await (const bytes of parts(pieces(window), watcher)) {
    reader.read(bytes);
    await write(options.writer, watcher);
  }
  if (interruption.code === undefined) reader.end();
  await write(options.writer, watcher, true);
  return { exemplars: reader.exemplars };
}

/** The bytes of an input as they arrive. Each piece is valid until the next one. */
async function* pieces(window: ByteWindow): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  while (window.size > 0 || (await window.more())) {
    const size = Math.min(window.size, MAX_PIECE);
    yield window.bytes.subarray(window.start, window.start + size);
    window.consume(size);
  }
}

async function readCsv(
  window: ByteWindow,
  options: ParserOptions,
  mapping: CsvMapping,
  watcher: Watcher,
): Promise<Skipped> {
  const { CsvParser } = await import("./csv.js");
  const { csvRows } = await import("./csv-rows.js");
  const parser = new CsvParser(options, mapping);
  const { writer } = options;
  for await (const rows of parts(csvRows(window, watcher.skips, mapping.delimiter), watcher)) {
    for (const row of rows) {
      // No row can be read without a header or after an invalid quote, even if invalid records are skipped.
      const isEnd = parser.needsHeader || ("error" in row && row.isLast);
      const refuse = isEnd ? watcher.fail : watcher.refuse;
      readRecord(row.line, writer, { refuse }, () => {
        if ("error" in row) throw row.error;
        parser.parse(row.cells);
      });
      if (writer.isFull) await write(writer, watcher);
    }
    await write(writer, watcher);
  }
  if (parser.needsHeader && watcher.interruption.code === undefined)
    watcher.fail(new RecordError("ERR_TRUNCATED", "the input is empty, but CSV needs a header"), 1);
  await write(writer, watcher, true);
  return parser.skipped;
}

/** The parts of an input, until a signal arrives. */
async function* parts<Part>(all: AsyncGenerator<Part>, { interruption, arrived }: Watcher): AsyncGenerator<Part> {
  for (;;) {
    const next = await interruption.orInterrupted(all.next());
    if (next === undefined || next.done === true) return;
    arrived();
    yield next.value;
  }
}

/** Parses a record, which may have several lines. If it is invalid, none of its points are kept. */
function readRecord(
  line: number,
  writer: PointWriter,
  { refuse }: Pick<Watcher, "refuse">,
  parse: () => void,
  text: Line = "",
): void {
  const before = writer.length;
  writer.startRecord(line);
  try {
    parse();
  } catch (error) {
    writer.dropFrom(before);
    if (!(error instanceof RecordError)) throw error;
    const { column } = error;
    const lines = column === undefined || typeof text !== "string" ? [] : text.slice(0, column - 1).split("\n");
    if (lines.length <= 1) refuse(error, line);
    else refuse(new RecordError(error.code, error.message, lines.at(-1)!.length + 1), line + lines.length - 1);
  }
}
