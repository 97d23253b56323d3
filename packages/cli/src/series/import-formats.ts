/** The formats that import reads, and the code that passes the records of each to the writer. */
import { extname } from "node:path";
import { UsageError } from "../shared/failure.js";
import type { ByteWindow } from "../shared/input.js";
import type { TagColumns } from "./csv.js";
import type { Interruption } from "./interruption.js";
import { type BadLine, type Line, lineBlocks, MAX_LINE } from "./lines.js";
import type { PointWriter } from "./point-writer.js";
import { RecordError } from "./record-error.js";
import type { LineParser, ParserOptions } from "./record-parser.js";
import { type LineRecord, StringLines } from "./string-lines.js";
import type { TimeUnit } from "./times.js";
import { Timestamps } from "./timestamps.js";

/** A format of points. */
export type PointFormat = "ndjson" | "csv" | "line" | "prometheus";

/** All formats, in the order of the help. */
export const POINT_FORMATS: readonly PointFormat[] = ["ndjson", "csv", "line", "prometheus"];

const BY_EXTENSION = new Map<string, PointFormat>([
  [".ndjson", "ndjson"],
  [".jsonl", "ndjson"],
  [".csv", "csv"],
  [".lp", "line"],
  [".line", "line"],
  [".prom", "prometheus"],
]);

/** The extensions of files that have one of some formats. */
export function extensionsOf(formats: readonly PointFormat[]): string {
  return [...BY_EXTENSION].flatMap(([extension, format]) => (formats.includes(format) ? [extension] : [])).join(" ");
}

/** Returns the format of the file name's extension, or undefined. */
export function pointFormatOf(path: string): PointFormat | undefined {
  return BY_EXTENSION.get(extname(path).toLowerCase());
}

/** Returns the format of an input: from the option, or else from the file name. */
export function settledFormat(path: string, option: PointFormat | undefined): PointFormat {
  const format = option ?? pointFormatOf(path);
  if (format !== undefined) return format;
  const what = path === "-" ? "the format of standard input is unknown" : `the format of ${path} is unknown`;
  throw new UsageError(`${what}: add --format ${POINT_FORMATS.join(", ")}`);
}

/** The unit of timestamps if neither `--unit` nor the input sets one. */
function defaultUnit(format: PointFormat): TimeUnit {
  return format === "line" ? "ns" : "ms";
}

/** How an input is read. */
export interface ReadOptions extends Omit<ParserOptions, "times"> {
  /** The unit of timestamps, if the user names one. */
  readonly unit: TimeUnit | undefined;
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

/** The parts of an input that were skipped without an error. */
export interface Ignored {
  /** Strings of line protocol. */
  readonly strings: number;
  /** Exemplars of OpenMetrics. */
  readonly exemplars: number;
  /** Columns of CSV. */
  readonly columns: readonly string[];
}

/** Reads an input until its end or a signal. */
export async function readRecords(
  format: PointFormat,
  window: ByteWindow,
  { unit, ...given }: ReadOptions,
  tags: TagColumns,
  watcher: Watcher,
): Promise<Ignored> {
  // Line protocol is defined in nanoseconds. The other formats occur with any unit.
  const isCertain = unit !== undefined || format === "line";
  const option = format === "prometheus" ? "--format prometheus --unit" : "--unit";
  const times = new Timestamps(unit ?? defaultUnit(format), isCertain, option);
  const options: ParserOptions = { ...given, times };
  options.writer.setTimestamps(times);
  if (format === "csv") return readCsv(window, options, tags, watcher);
  return readLines(window, await lineParser(format, options), options.writer, watcher);
}

/** Writes the waiting points, if their times are certain. */
async function write(writer: PointWriter, { refuse, fail }: Watcher, isEnd = false): Promise<void> {
  const unknownUnit = writer.takeUnitError(isEnd);
  if (unknownUnit !== undefined) fail(unknownUnit.error, unknownUnit.line);
  await writer.write(refuse, isEnd);
}

/** Loads a parser on first use. */
async function lineParser(format: Exclude<PointFormat, "csv">, options: ParserOptions): Promise<LineParser> {
  if (format === "ndjson") return new (await import("./ndjson.js")).NdjsonParser(options);
  if (format === "line") return new (await import("./line-protocol.js")).LineProtocolParser(options);
  return new (await import("./prometheus.js")).PrometheusParser(options);
}

async function readLines(
  window: ByteWindow,
  parser: LineParser,
  writer: PointWriter,
  watcher: Watcher,
): Promise<Ignored> {
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
  return { strings: parser.strings ?? 0, exemplars: parser.exemplars ?? 0, columns: [] };
}

function badLine({ bad }: BadLine): RecordError {
  return bad === "too long"
    ? new RecordError("ERR_LIMIT_BYTES", `the line is longer than ${MAX_LINE / 2 ** 20} MiB`)
    : new RecordError("ERR_INVALID_UTF8", "the line is not valid UTF-8");
}

async function readCsv(
  window: ByteWindow,
  options: ParserOptions,
  tags: TagColumns,
  watcher: Watcher,
): Promise<Ignored> {
  const { CsvParser } = await import("./csv.js");
  const { csvRows } = await import("./csv-rows.js");
  const parser = new CsvParser(options, tags);
  const { writer } = options;
  for await (const rows of parts(csvRows(window, watcher.skips), watcher)) {
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
  return { strings: 0, exemplars: 0, columns: parser.ignored };
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
