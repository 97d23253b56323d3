/**
 * Results that can be read row by row, in batches, or as one array. Reading row by row costs one resolved promise per row: no generator
 * is between the loop and the current batch.
 */
import type { Aggregate, Point, PointBatch, Points, Rows, WindowBatch, WindowRow, Windows } from "./api.js";
import { hasBit } from "./window/columns.js";

/** The common part of all batches. */
interface Batch {
  readonly length: number;
}

/** Rows from batches. `open` starts a read; it is called for each loop. */
abstract class BatchRows<Row, B extends Batch> implements Rows<Row, B> {
  readonly #open: () => AsyncIterable<B>;

  constructor(open: () => AsyncIterable<B>) {
    this.#open = open;
  }

  /** Returns row `i` of a batch as a new object. */
  protected abstract row(batch: B, i: number): Row;

  batches(): AsyncIterable<B> {
    return this.#open();
  }

  async toArray(): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const batch of this.#open()) for (let i = 0; i < batch.length; i++) rows.push(this.row(batch, i));
    return rows;
  }

  [Symbol.asyncIterator](): AsyncIterator<Row, undefined> {
    return new RowIterator(this.#open, (batch: B, i) => this.row(batch, i));
  }
}

/** The points of a query. */
export class PointRows extends BatchRows<Point, PointBatch> implements Points {
  protected override row({ timestamps, values }: PointBatch, i: number): Point {
    return { timestamp: timestamps[i]!, value: values[i]! };
  }
}

/** The windows of a query. */
export class WindowRows extends BatchRows<WindowRow, WindowBatch> implements Windows {
  readonly #aggregates: readonly Aggregate[];

  constructor(open: () => AsyncIterable<WindowBatch>, aggregates: readonly Aggregate[]) {
    super(open);
    this.#aggregates = aggregates;
  }

  protected override row({ starts, columns, nulls }: WindowBatch, i: number): WindowRow {
    const row: { start: number } & { [A in Aggregate]?: number | bigint | null } = { start: starts[i]! };
    for (const name of this.#aggregates) {
      row[name] = hasBit(nulls[name]!, i) ? null : columns[name]![i]!;
    }
    return row as WindowRow;
  }
}

/** Iterates over the rows of all batches. */
class RowIterator<Row, B extends Batch> implements AsyncIterator<Row, undefined> {
  readonly #open: () => AsyncIterable<B>;
  readonly #row: (batch: B, i: number) => Row;
  /** The batches; undefined before the first row is requested. */
  #batches: AsyncIterator<B> | undefined;
  #batch: B | undefined;
  #next = 0;
  #isDone = false;
  /** Waiting calls, and the last of them: calls are answered in order. */
  #waiting = 0;
  #last: Promise<unknown> | undefined;

  constructor(open: () => AsyncIterable<B>, row: (batch: B, i: number) => Row) {
    this.#open = open;
    this.#row = row;
  }

  next(): Promise<IteratorResult<Row, undefined>> {
    const batch = this.#batch;
    if (this.#waiting === 0 && batch !== undefined && this.#next < batch.length)
      return Promise.resolve({ value: this.#row(batch, this.#next++), done: false });
    return this.#inOrder(() => this.#advance());
  }

  /** Ends the loop, and closes the batches. */
  return(): Promise<IteratorResult<Row, undefined>> {
    return this.#inOrder(() => this.#close());
  }

  throw(error: unknown): Promise<IteratorResult<Row, undefined>> {
    return this.#inOrder(async () => {
      await this.#close();
      throw error;
    });
  }

  #inOrder<T>(act: () => Promise<T>): Promise<T> {
    const acted = this.#waiting === 0 ? act() : this.#last!.then(act);
    const ended = () => {
      this.#waiting--;
    };
    this.#waiting++;
    this.#last = acted.then(ended, ended);
    return acted;
  }

  async #advance(): Promise<IteratorResult<Row, undefined>> {
    while (!this.#isDone) {
      const batch = this.#batch;
      if (batch !== undefined && this.#next < batch.length)
        return { value: this.#row(batch, this.#next++), done: false };
      this.#batch = undefined;
      await this.#readBatch();
    }
    return { value: undefined, done: true };
  }

  async #readBatch(): Promise<void> {
    try {
      this.#batches ??= this.#open()[Symbol.asyncIterator]();
      const { value, done } = await this.#batches.next();
      this.#next = 0;
      if (done) this.#isDone = true;
      else this.#batch = value;
    } catch (error) {
      this.#isDone = true;
      throw error;
    }
  }

  async #close(): Promise<IteratorResult<Row, undefined>> {
    const isOpen = !this.#isDone;
    this.#isDone = true;
    this.#batch = undefined;
    if (isOpen) await this.#batches?.return?.();
    return { value: undefined, done: true };
  }
}
