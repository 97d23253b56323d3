/** The rows of CSV of any size, by csv-parse. */
import { TextDecoder } from "node:util";
import { type CsvError, type Parser, parse } from "csv-parse";
import type { ByteWindow } from "../shared/input.js";
import { RecordError } from "./record-error.js";

/** The longest row in bytes: without a limit, one open quote would swallow the rest of the file. */
const MAX_ROW = 1024 * 1024;

/** A row, and the line at which it ends. */
export interface CsvRow {
  readonly cells: readonly string[];
  readonly line: number;
}

/** A row that is not valid CSV. */
export interface BadCsvRow {
  readonly error: RecordError;
  readonly line: number;
  /** True if the start of the next row cannot be found, so reading stops here. */
  readonly isLast: boolean;
}

/**
 * Reads rows as they arrive. Stops after the first invalid row. With `skip`, it continues with the next row, unless a quote is
 * invalid: the start of the next row cannot be found then.
 */
export async function* csvRows(
  window: ByteWindow,
  skip: boolean,
  delimiter = ",",
): AsyncGenerator<readonly (CsvRow | BadCsvRow)[]> {
  const reader = new RowReader(skip, delimiter);
  try {
    for (let isMore = true; isMore && reader.failure === undefined; ) {
      isMore = window.size > 0 || (await window.more());
      // A copy, since csv-parse keeps parts of its input.
      const chunk = Buffer.from(window.view());
      window.consume(chunk.length);
      yield await reader.read(chunk, isMore);
    }
    if (reader.failure !== undefined) yield [reader.failure];
  } finally {
    reader.close();
  }
}

class RowReader {
  readonly #parser: Parser;
  readonly #ended: Promise<void>;
  // Rows of invalid UTF-8 contain U+FFFD.
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  #isUtf8 = true;
  #rows: (CsvRow | BadCsvRow)[] = [];
  /** The line at which the last row ended. */
  #line = 0;
  /** The error after which no further row can be found. */
  failure: BadCsvRow | undefined;

  constructor(skip: boolean, delimiter: string) {
    this.#parser = parse({
      bom: true,
      delimiter,
      // The caller checks the number of cells, since it knows the header.
      relax_column_count: true,
      record_delimiter: ["\r\n", "\n"],
      max_record_size: MAX_ROW,
      skip_records_with_error: skip,
      on_skip: (error) => {
        const row = this.#badRow(error!);
        if (error!.code === "INVALID_OPENING_QUOTE") this.#add({ ...row, isLast: false });
        else this.failure ??= row;
        return undefined;
      },
    });
    this.#parser.on("data", (cells: string[]) => this.#take(cells));
    this.#ended = new Promise((resolve) => {
      this.#parser.on("end", resolve);
      this.#parser.on("error", (error: CsvError) => {
        this.failure ??= this.#badRow(error);
        resolve();
      });
    });
  }

  /** The rows that end in a chunk. */
  async read(chunk: Uint8Array, isMore: boolean): Promise<readonly (CsvRow | BadCsvRow)[]> {
    this.#isUtf8 &&= this.#isDecodable(chunk, isMore);
    if (isMore) await Promise.race([new Promise<void>((done) => this.#parser.write(chunk, () => done())), this.#ended]);
    else {
      this.#parser.end();
      await this.#ended;
    }
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  close(): void {
    this.#parser.destroy();
  }

  #add(row: CsvRow | BadCsvRow): void {
    if (this.failure !== undefined) return;
    this.#rows.push(row);
    this.#line = row.line;
  }

  /** Counts lines itself: with its own line numbers, csv-parse takes four times as long. */
  #take(cells: string[]): void {
    let line = this.#line + 1;
    let isBroken = false;
    for (const cell of cells) {
      for (let at = cell.indexOf("\n"); at >= 0; at = cell.indexOf("\n", at + 1)) line++;
      isBroken ||= !this.#isUtf8 && cell.includes("\ufffd");
    }
    if (isBroken)
      this.#add({ error: new RecordError("ERR_INVALID_UTF8", "the row is not valid UTF-8"), line, isLast: false });
    else if (cells.length === 1 && cells[0] === "") this.#line = line;
    else this.#add({ cells, line });
  }

  #isDecodable(chunk: Uint8Array, isMore: boolean): boolean {
    try {
      this.#decoder.decode(chunk, { stream: isMore });
      return true;
    } catch {
      return false;
    }
  }

  #badRow(error: CsvError): BadCsvRow {
    const text = CSV_ERRORS.get(error.code) ?? error.message;
    const isTruncated = error.code === "CSV_QUOTE_NOT_CLOSED";
    // The parser stands at the end of the unfinished row; the row's start is more useful.
    const code = isTruncated ? "ERR_TRUNCATED" : "ERR_INVALID_BYTE";
    return { error: new RecordError(code, text), line: this.#line + 1, isLast: true };
  }
}

const CSV_ERRORS = new Map<string, string>([
  ["CSV_QUOTE_NOT_CLOSED", "a quote is not closed before the end of the file"],
  ["CSV_MAX_RECORD_SIZE", "the row is longer than 1 MiB: perhaps a quote is not closed"],
  [
    "CSV_INVALID_CLOSING_QUOTE",
    "expected a delimiter or the end of the row after a closing quote; quotes in cells are doubled",
  ],
  ["INVALID_OPENING_QUOTE", "a quote in a cell that does not start with one"],
]);
