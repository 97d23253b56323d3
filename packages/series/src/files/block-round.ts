/** Writes minutes of the head as a block. */
import type { BlockEntry } from "../blocks/block.js";
import type { BlockWriter } from "../blocks/block-writer.js";
import type { Head } from "../head/head.js";
import { groupsOf, type HeadMinute } from "../head/head-minute.js";
import { HeadPoints } from "../head/head-points.js";
import { SLOTS } from "../page/page.js";
import type { TimeSlices } from "../store/time-slices.js";
import type { FileStore } from "./file-store.js";
import { HeadCopies } from "./head-source.js";

/** Writes blocks, with reused memory for the points of one metric. */
export class BlockRound {
  readonly #store: FileStore;
  readonly #copies: HeadCopies;
  readonly #points = new HeadPoints();

  constructor(store: FileStore, head: Head) {
    this.#store = store;
    this.#copies = new HeadCopies(head);
  }

  /** Writes frozen minutes, by ascending minute, for equal minutes the older part first. Returns undefined if they have no points. */
  async write(
    minutes: readonly HeadMinute[],
    generation: number,
    isWide: boolean,
    slices: TimeSlices,
  ): Promise<BlockEntry | undefined> {
    if (minutes.every(({ points }) => points === 0)) return undefined;
    // All points may have been deleted since the round started.
    return await this.#store.newBlock({ level: 0, generations: [generation, generation], isWide }, async (writer) => {
      for (const group of groupsOf(minutes)) {
        const slots = minutes.reduce((bits, minute) => bits | minute.slots(group), 0);
        for (let slot = 0; slot < SLOTS; slot++)
          if ((slots & (1 << slot)) !== 0) this.#writeMetric(writer, minutes, group * SLOTS + slot);
        if (writer.isFull) await writer.flush();
        const pause = slices.pause();
        if (pause !== undefined) await pause;
      }
    });
  }

  #writeMetric(writer: BlockWriter, minutes: readonly HeadMinute[], id: number): void {
    const points = this.#points;
    let isStarted = false;
    for (let i = 0; i < minutes.length; ) {
      points.length = 0;
      i = this.#copies.addMinute(minutes, i, id, points);
      if (points.length === 0) continue;
      if (!isStarted) writer.startMetric(id, points.isInt64);
      isStarted = true;
      writer.add(points.times, points.values, 0, points.length);
    }
    if (isStarted) writer.endMetric();
  }
}
