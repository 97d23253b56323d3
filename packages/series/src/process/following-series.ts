/**
 * Reads a store that another process may write. Each call sees all changes that are older than 100 ms. Reading needs no lock, so any number
 * of processes can read.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { MoonpackError, ownOption } from "moonpack/bytes";
import type {
  Aggregate,
  BlockSelection,
  Damage,
  Deletion,
  Fill,
  Match,
  MetricChoice,
  MetricRef,
  MetricSet,
  NewPoint,
  Point,
  PointQuery,
  Points,
  Rows,
  Selected,
  SelectedBlock,
  SelectedPoints,
  SelectedWindows,
  Selection,
  Selections,
  Series,
  SeriesStats,
  Values,
  WatchedBatch,
  Watching,
  WindowQuery,
  WindowSelection,
  Windows,
  WriteResult,
} from "../api.js";
import { SeriesError } from "../errors.js";
import type { FileStore } from "../files/file-store.js";
import { readManifest } from "../manifest/manifest-files.js";
import type { Metric, MetricHandle } from "../metric/metric.js";
import type { OpenSeries } from "../series.js";
import type { LogFollower } from "./log-follower.js";

/** The maximum age of the data that a call sees, without the time of reading it. */
const LAG = 100;
/** Number of attempts to read a manifest and its files: a busy writer may delete them at any time. */
const TRIES = 50;
const BETWEEN_TRIES = 2;

/** The store of one manifest. It grows with the log. */
export interface FollowedMoment {
  readonly series: OpenSeries;
  readonly log: LogFollower;
  /** Forgets the metrics that the log has recorded as forgotten. */
  settle(): Promise<void>;
}

/** A store of files that is open for reading. */
export class FollowingSeries implements Series {
  readonly unit: "ms" | "s";
  readonly #store: FileStore;
  readonly #begin: () => FollowedMoment;
  #moment: FollowedMoment | undefined;
  #looked = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;
  #isClosed = false;

  /** `begin` creates the series of the current manifest. */
  constructor(store: FileStore, unit: "ms" | "s", begin: () => FollowedMoment) {
    this.unit = unit;
    this.#store = store;
    this.#begin = begin;
  }

  get readOnly(): boolean {
    return true;
  }

  /** Returns the series. Reads changes of the files first if the last time was too long ago. */
  async current(): Promise<OpenSeries> {
    this.#assertOpen();
    if (performance.now() - this.#looked >= LAG || this.#moment === undefined) {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = undefined;
      });
      await this.#looking;
      this.#assertOpen();
    }
    return this.#moment!.series;
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new MoonpackError("ERR_CLOSED", "the store is closed");
  }

  async #look(): Promise<void> {
    const { fileSystem, path } = this.#store;
    for (let left = TRIES; left > 0; left--) {
      const looked = performance.now();
      const manifest = await readManifest(fileSystem, path).catch((error: NodeJS.ErrnoException) => {
        // The newest manifest was deleted between listing and reading.
        if (error.code === "ENOENT") return null;
        throw error;
      });
      if (manifest === undefined) throw new SeriesError("ERR_SERIES_STORE", `the store in ${path} is gone`);
      if (manifest !== null) {
        if (this.#moment === undefined || manifest.number !== this.#store.manifest.number) {
          this.#store.follow(manifest);
          this.#moment = this.#begin();
        }
        if (await this.#moment.log.look()) {
          await this.#moment.settle();
          this.#looked = looked;
          return;
        }
        this.#moment = undefined;
      }
      await sleep(BETWEEN_TRIES);
    }
    throw new SeriesError("ERR_SERIES_STORE", `the files of ${path} change faster than they can be read`);
  }

  /** Checks the arguments of a call before any file is read. */
  get #any(): OpenSeries {
    this.#assertOpen();
    return this.#moment!.series;
  }

  query<const A extends readonly Aggregate[], F extends Fill = "none">(query: WindowQuery<A, F>): Windows<A, F>;
  query(query: PointQuery): Points;
  query(query: PointQuery | WindowQuery): Rows<never, never> {
    // Throws for invalid options at once.
    this.#any.query(query as PointQuery);
    return new FollowedRows(async () => (await this.current()).query(query as PointQuery)) as Points as Rows<
      never,
      never
    >;
  }

  select<const A extends readonly Aggregate[], F extends Fill = "none">(
    selection: WindowSelection<A, F>,
  ): Selections<Windows<A, F>, SelectedWindows<A>>;
  select(selection: Selection): Selections<Points, SelectedPoints>;
  select(selection: Selection): Selections<never, never> {
    const own = withList(selection);
    this.#any.select(own);
    const selected: Selections<Points, SelectedPoints> = new FollowedSelections(async () =>
      (await this.current()).select(own),
    );
    return selected as Selections<never, never>;
  }

  blocks(selection: BlockSelection): AsyncIterable<SelectedBlock> {
    const own = withList(selection);
    this.#any.blocks(own);
    const current = () => this.current();
    return {
      async *[Symbol.asyncIterator]() {
        yield* (await current()).blocks(own);
      },
    };
  }

  watch(watching?: Watching): AsyncIterable<WatchedBatch> {
    return this.#any.watch(watching);
  }

  async last(metric: MetricRef): Promise<Point | undefined> {
    return await (await this.current()).last(metric);
  }

  async metric(metric: Metric): Promise<MetricHandle> {
    return await (await this.current()).metric(metric);
  }

  async *metrics(match?: Match): AsyncGenerator<MetricHandle> {
    yield* (await this.current()).metrics(match);
  }

  async tagValues(key: string, match?: Match): Promise<string[]> {
    return await (await this.current()).tagValues(key, match);
  }

  async stats(): Promise<SeriesStats> {
    return await (await this.current()).stats();
  }

  async check(): Promise<readonly Damage[]> {
    return await (await this.current()).check();
  }

  async backup(to: string): Promise<void> {
    await (await this.current()).backup(to);
  }

  async write(points: Iterable<NewPoint>): Promise<WriteResult> {
    return await this.#any.write(points);
  }

  async metricSet(metrics: Iterable<MetricRef>): Promise<MetricSet> {
    return await this.#any.metricSet(metrics);
  }

  async writeScrape(timestamp: number, set: MetricSet, values: Values): Promise<WriteResult> {
    return await this.#any.writeScrape(timestamp, set, values);
  }

  async writeColumn(metric: MetricRef, timestamps: Float64Array, values: Values): Promise<WriteResult> {
    return await this.#any.writeColumn(metric, timestamps, values);
  }

  async delete(deletion: Deletion): Promise<void> {
    await this.#any.delete(deletion);
  }

  async flush(): Promise<void> {
    await this.#any.flush();
  }

  async compact(): Promise<void> {
    await this.#any.compact();
  }

  async dropOld(): Promise<void> {
    await this.#any.dropOld();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#looking?.catch(() => undefined);
    await this.#moment?.series.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Rows whose query starts when they are read. */
class FollowedRows<Row, Batch> implements Rows<Row, Batch> {
  readonly #open: () => Promise<Rows<Row, Batch>>;

  constructor(open: () => Promise<Rows<Row, Batch>>) {
    this.#open = open;
  }

  async *batches(): AsyncGenerator<Batch> {
    yield* (await this.#open()).batches();
  }

  async toArray(): Promise<Row[]> {
    return await (await this.#open()).toArray();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row> {
    yield* await this.#open();
  }
}

/** Returns a selection whose list of metrics can be read several times. */
function withList<Choice extends MetricChoice>(selection: Choice): Choice {
  if (typeof selection !== "object" || selection === null) return selection;
  const metrics = ownOption(selection, "metrics") as Partial<Iterable<MetricRef>> | undefined;
  return typeof metrics?.[Symbol.iterator] === "function"
    ? { ...selection, metrics: [...(metrics as Iterable<MetricRef>)] }
    : selection;
}

/** A selection that starts when it is read. */
class FollowedSelections<Result, Batch> implements Selections<Result, Batch> {
  readonly #open: () => Promise<Selections<Result, Batch>>;

  constructor(open: () => Promise<Selections<Result, Batch>>) {
    this.#open = open;
  }

  async *batches(): AsyncGenerator<Batch> {
    yield* (await this.#open()).batches();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Selected<Result>> {
    yield* await this.#open();
  }
}
