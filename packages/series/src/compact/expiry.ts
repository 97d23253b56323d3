/** The points that a merge leaves out, because their metrics are kept for a shorter time than others. */
import type { Block, BlockEntry } from "../blocks/block.js";
import type { Mask, Masks } from "../blocks/tombstones.js";
import { SeriesError } from "../errors.js";
import type { Registry } from "../registry/registry.js";
import type { MetricRetention } from "../retention/metric-retention.js";

/** Number of metrics that are looked up together. */
const LOOKED_UP = 1024;

/** Expired points by a reading of the clock. */
export class Expiry {
  readonly #registry: Registry;
  readonly #retention: MetricRetention;
  readonly #now: number;
  readonly #limit: (cut: number) => number;

  /** `limit` returns an earlier cut if points before a cut are needed. */
  constructor(registry: Registry, retention: MetricRetention, now: number, limit = (cut: number) => cut) {
    this.#registry = registry;
    this.#retention = retention;
    this.#now = now;
    this.#limit = limit;
  }

  /** Number of retentions that have passed for a time. */
  passed(time: number): number {
    return this.#retention.passed((keep) => time < this.#limit(this.#now - keep));
  }

  /** Finds the rules of metrics. Points of metrics that cannot be found are kept. */
  async prepare(ids: ArrayLike<number>): Promise<void> {
    const unknown = Array.from(ids).filter((id) => !this.#retention.isKnown(id));
    for (let i = 0; i < unknown.length; i += LOOKED_UP)
      await this.#registry.byIds(unknown.slice(i, i + LOOKED_UP)).catch(passOverDamage);
  }

  /** Returns masks that hide expired points, too. */
  masks(inner: Masks): Masks {
    return {
      masks: (id, generation, from, to): readonly Mask[] => {
        const masks = inner.masks(id, generation, from, to);
        const cut = this.cut(id);
        return from < cut ? [...masks, { from: 0, to: cut }] : masks;
      },
    };
  }

  /** True if a block has expired points. A damaged block is not written again. */
  async isIn(block: Block): Promise<boolean> {
    try {
      const { pages } = await block.footer();
      for (let number = 0; number < pages.offset.length; number++) {
        const page = await block.index(number);
        await this.prepare(page.ids);
        for (let i = 0; i < page.ids.length; i++)
          if (page.firstOf(page.starts[i]!) < this.cut(page.ids[i]!)) return true;
      }
    } catch (error) {
      passOverDamage(error);
    }
    return false;
  }

  /** Returns the time before which the points of a metric are expired. */
  cut(id: number): number {
    return this.#limit(this.#now - this.#retention.keepOf(id));
  }
}

function passOverDamage(error: unknown): void {
  if (!(error instanceof SeriesError) || error.code !== "ERR_SERIES_CORRUPT") throw error;
}

/** Finds blocks that must be written again without their expired points. */
export class ExpiredBlocks {
  /** How many retentions had passed for the newest point of a block when it had no expired points. */
  readonly #checked = new WeakMap<BlockEntry, number>();

  /**
   * Returns a block with expired points. A block is due when a retention has passed for all its times, so it is written again at most once for each
   * retention; `isForced`: when it has passed for some.
   */
  async find(
    entries: readonly BlockEntry[],
    expiry: Expiry,
    isForced: boolean,
    open: (entry: BlockEntry) => Block,
  ): Promise<BlockEntry | undefined> {
    for (const entry of entries) {
      const passed = expiry.passed(entry.to);
      const isDue = isForced ? expiry.passed(entry.from) > 0 : passed > (this.#checked.get(entry) ?? 0);
      if (!isDue) continue;
      if (await expiry.isIn(open(entry))) return entry;
      this.#checked.set(entry, passed);
    }
    return undefined;
  }
}
