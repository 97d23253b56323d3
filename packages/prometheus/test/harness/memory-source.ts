/** Series in memory as a source of queries. */
import { type LabelMatcher, type Labels, labelsTest, type SampleSeries, type SeriesSource } from "@moonpack/prometheus";

/** The value that stands for a staleness marker. */
export const STALE = Symbol("stale");
/** A value of a series: a number, a staleness marker, or a gap. */
export type Point = number | typeof STALE | undefined;

interface Stored {
  readonly labels: Labels;
  readonly samples: Map<number, number | typeof STALE>;
  /** The samples in the order of their times; undefined after a change. */
  sorted: readonly (readonly [time: number, point: number | typeof STALE])[] | undefined;
}

/** Keeps samples of series; the last one of a time counts. */
export class MemorySource implements SeriesSource {
  readonly #series = new Map<string, Stored>();
  #sorted: readonly Stored[] | undefined;
  /** Called with the conditions of each read. */
  onSelect: (holds: (labels: Labels) => boolean) => void = () => undefined;
  /** The number of reads. */
  reads = 0;

  /** Adds the points of a series, `gap` milliseconds apart. */
  add(labels: Labels, start: number, gap: number, points: readonly Point[]): void {
    this.addAt(
      labels,
      points.map((_, i) => start + i * gap),
      points,
    );
  }

  /** Adds the points of a series at these times. */
  addAt(labels: Labels, times: readonly number[], points: readonly Point[]): void {
    const stored = this.#series.get(labels.key) ?? { labels, samples: new Map(), sorted: undefined };
    this.#series.set(labels.key, stored);
    points.forEach((point, i) => {
      if (point !== undefined) stored.samples.set(times[i]!, point);
    });
    stored.sorted = undefined;
    this.#sorted = undefined;
  }

  clear(): void {
    this.#series.clear();
    this.#sorted = undefined;
  }

  async *select(matchers: readonly LabelMatcher[], from: number, to: number): AsyncIterable<SampleSeries> {
    this.reads++;
    const holds = labelsTest(matchers);
    this.onSelect(holds);
    this.#sorted ??= [...this.#series.values()].sort((a, b) => a.labels.compare(b.labels));
    for (const stored of this.#sorted) {
      if (!holds(stored.labels)) continue;
      stored.sorted ??= [...stored.samples].sort(([a], [b]) => a - b);
      const read = stored.sorted.filter(([time]) => time >= from && time <= to);
      if (read.length > 0) yield { labels: stored.labels, ...columnsOf(read) };
    }
  }
}

function columnsOf(read: NonNullable<Stored["sorted"]>): Omit<SampleSeries, "labels"> {
  const stale = new Uint8Array((read.length + 7) >> 3);
  read.forEach(([, point], i) => {
    if (point === STALE) stale[i >> 3]! |= 1 << (i & 7);
  });
  return {
    timestamps: Float64Array.from(read, ([time]) => time),
    values: Float64Array.from(read, ([, point]) => (point === STALE ? Number.NaN : point)),
    stale: read.some(([, point]) => point === STALE) ? stale : undefined,
  };
}
