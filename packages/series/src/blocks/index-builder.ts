/** Gathers the entries of an index page while its metrics are written. */
import type { WrittenColumn } from "./column-writer.js";
import { PAGE_METRICS, WEEK } from "./format.js";
import { ColumnTable, IndexPage } from "./index-page.js";
import { Summaries } from "./summary.js";

/** Builds one page. */
export class IndexBuilder {
  readonly isInt64: boolean;
  readonly summaries = new Summaries(PAGE_METRICS);
  #ids: number[] = [];
  #starts: number[] = [];
  #offsets: number[] = [];
  #lengths: number[] = [];
  #columnOf: number[] = [];
  #columns = new Map<WrittenColumn, number>();
  /** The column of the previous chunk, which the next one often shares. */
  #last: WrittenColumn | undefined;
  #lastNumber = 0;

  constructor(isInt64: boolean) {
    this.isInt64 = isInt64;
  }

  /** Metrics of the page. */
  get length(): number {
    return this.#ids.length;
  }

  /** Chunks of the page. */
  get chunks(): number {
    return this.#offsets.length;
  }

  /** Starts a metric. Returns its place in {@link summaries}. */
  startMetric(id: number): number {
    const i = this.#ids.length;
    this.#ids.push(id);
    this.#starts.push(this.#offsets.length);
    this.summaries.clear(i);
    return i;
  }

  /** Removes the last metric, which has no points. */
  dropMetric(): void {
    this.#ids.pop();
    this.#starts.pop();
  }

  addChunk(offset: number, length: number, column: WrittenColumn): void {
    if (column !== this.#last) {
      let number = this.#columns.get(column);
      if (number === undefined) this.#columns.set(column, (number = this.#columns.size));
      this.#last = column;
      this.#lastNumber = number;
    }
    this.#offsets.push(offset);
    this.#lengths.push(length);
    this.#columnOf.push(this.#lastNumber);
  }

  /** The page, with the first and the last time of its points. The builder is empty afterwards. */
  take(): { page: IndexPage; from: number; to: number; points: number } {
    const columns = [...this.#columns.keys()];
    const n = this.#ids.length;
    this.#starts.push(this.#offsets.length);
    const lists = {
      isInt64: this.isInt64,
      ids: new Uint32Array(this.#ids),
      starts: new Uint32Array(this.#starts),
      offsets: new Float64Array(this.#offsets),
      lengths: new Uint32Array(this.#lengths),
      columnOf: new Uint32Array(this.#columnOf),
      columns: tableOf(columns),
    };
    const page = new IndexPage(lists, new Uint8Array(0));
    const from = columns.reduce((least, { week, times }) => Math.min(least, week * WEEK + times[0]!), Infinity);
    const to = columns.reduce((most, { week, times }) => Math.max(most, week * WEEK + times.at(-1)!), 0);
    let points = 0;
    for (let i = 0; i < n; i++) points += page.pointsOf(i);
    this.#ids = [];
    this.#starts = [];
    this.#offsets = [];
    this.#lengths = [];
    this.#columnOf = [];
    this.#columns = new Map();
    this.#last = undefined;
    return { page, from, to, points };
  }
}

function tableOf(columns: readonly WrittenColumn[]): ColumnTable {
  const table = new ColumnTable(columns.length);
  columns.forEach(({ week, offset, length, times }, i) => {
    table.week[i] = week;
    table.offset[i] = offset;
    table.length[i] = length;
    table.count[i] = times.length;
    table.first[i] = times[0]!;
    table.last[i] = times.at(-1)!;
  });
  return table;
}
