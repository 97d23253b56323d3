/** Series in memory as a source of queries. */
import { type LabelMatcher, type Labels, labelsTest, type SampleSeries, type SeriesSource } from "@moonpack/prometheus";

/** The value that stands for a staleness marker. */
export const STALE = Symbol("stale");
/** A value of a series: a number, a staleness marker, or a gap. */
export type Point = number | typeof STALE | undefined;

interface Stored {
  readonly labels: Labels;
  readonly samples: Map<number, number | typeof STALE>;
}

/** Keeps samples of series; the last one of a time counts. */
export class MemorySource implements SeriesSource {
  readonly #series = new Map<string, Stored>();
  /** Called with the conditions of each read. */
  onSelect: (holds: (labels: Labels) => boolean) => void = () => undefined;
  /** The number of reads. */
  reads = 0;

  /** Adds the points of a series, `gap` milliseconds apart. */
  add(labels: Labels, start: number, gap: number, points: readonly Point[]): void {
    const stored = this.#series.get(labels.key) ?? { labels, samples: new Map() };
    this.#series.set(labels.key, stored);
    points.forEach((point, i) => {
      if (point !== undefined) stored.samples.set(start + i * gap, point);
    });
  }

  clear(): void {
    this.#series.clear();
  }

  async *select(matchers: readonly LabelMatcher[], from: number, to: number): AsyncIterable<SampleSeries> {
    this.reads++;
    const holds = labelsTest(matchers);
    this.onSelect(holds);
    const sorted = [...this.#series.values()].sort((a, b) => a.labels.compare(b.labels));
    for (const { labels, samples } of sorted) {
      if (!holds(labels)) continue;
      const times = [...samples.keys()].filter((time) => time >= from && time <= to).sort((a, b) => a - b);
      if (times.length === 0) continue;
      const points = times.map((time) => samples.get(time)!);
      const stale = new Uint8Array((times.length + 7) >> 3);
      points.forEach((point, i) => {
        if (point === STALE) stale[i >> 3]! |= 1 << (i & 7);
      });
      yield {
        labels,
        timestamps: Float64Array.from(times),
        values: Float64Array.from(points, (point) => (point === STALE ? Number.NaN : point)),
        stale: points.includes(STALE) ? stale : undefined,
      };
    }
  }
}
