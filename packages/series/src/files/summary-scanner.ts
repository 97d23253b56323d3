/** Scans the points of a metric in blocks, and summarizes them. */
import type { Block } from "../blocks/block.js";
import type { OnDamage } from "../blocks/chunk-cursor.js";
import { CHUNK_POINTS } from "../blocks/format.js";
import { MetricScan } from "../blocks/metric-scan.js";
import type { Masks } from "../blocks/tombstones.js";
import { Values64 } from "../page/values.js";
import type { TimeRange } from "../read/time-range.js";
import { FloatSum } from "../window/float-sum.js";
import { SummaryRows } from "./summary-rows.js";

/** A metric, and a range of whole windows. */
export interface ScannedWindows extends TimeRange {
  readonly id: number;
  readonly isInt64: boolean;
}

/** Memory for scans, one after the other. */
export class SummaryScanner {
  readonly #window: number;
  readonly #onDamage: OnDamage;
  readonly #values = new Values64(CHUNK_POINTS);
  /** The windows of the metric. */
  readonly rows: SummaryRows;
  readonly #counted: SummaryRows;

  constructor(window: number, onDamage: OnDamage) {
    this.#window = window;
    this.#onDamage = onDamage;
    this.rows = new SummaryRows(window);
    this.#counted = new SummaryRows(window);
  }

  /** Adds windows to those of the metric, which {@link rows} must have started. */
  async scan(of: ScannedWindows, blocks: readonly Block[], tombstones: Masks): Promise<void> {
    const { rows } = this;
    const first = rows.length;
    await this.#fill(rows, of, blocks, tombstones);
    if (of.isInt64) return;
    for (let row = rows.infiniteFrom(first); row >= 0; row = rows.infiniteFrom(row + 1)) {
      const from = rows.starts[row]!;
      const sum = new FloatSum();
      const scan = this.#points({ ...of, from, to: from + this.#window }, blocks, tombstones);
      for (let run = await scan.next(); run !== undefined; run = await scan.next())
        sum.add(run.values.floats, run.from, run.to);
      rows.setSum(row, sum.parts);
    }
  }

  /** Returns the number of points of each window. */
  async counts(of: ScannedWindows, blocks: readonly Block[], tombstones: Masks): Promise<Map<number, number>> {
    const rows = this.#counted;
    rows.clear(of.isInt64);
    await this.#fill(rows, of, blocks, tombstones);
    return new Map(Array.from({ length: rows.length }, (_, row) => [rows.starts[row]!, rows.count(row)] as const));
  }

  async #fill(rows: SummaryRows, of: ScannedWindows, blocks: readonly Block[], tombstones: Masks): Promise<void> {
    if (of.from >= of.to) return;
    const scan = this.#points(of, blocks, tombstones);
    for (let run = await scan.next(); run !== undefined; run = await scan.next()) rows.add(run);
  }

  #points(of: ScannedWindows, blocks: readonly Block[], tombstones: Masks): MetricScan {
    const sources = { blocks, memory: undefined, tombstones, onDamage: this.#onDamage, values: this.#values };
    return new MetricScan({ ...of, reverse: false }, sources);
  }
}
