/** Writes minutes of the head as a block. */
import { join } from "node:path";
import type { BlockEntry } from "../blocks/block.js";
import { BlockWriter } from "../blocks/block-writer.js";
import { blockName } from "../blocks/format.js";
import type { Head } from "../head/head.js";
import { groupsOf, type HeadMinute } from "../head/head-minute.js";
import { mergePoints } from "../page/merge.js";
import { PagePoints, SLOTS } from "../page/page.js";
import type { TimeSlices } from "../store/time-slices.js";
import type { FileStore } from "./file-store.js";

const MINUTE = 60_000;

/** Writes blocks, with reused memory for the points of one metric. */
export class BlockRound {
  readonly #store: FileStore;
  readonly #head: Head;
  readonly #points = new PagePoints();
  readonly #more = new PagePoints();
  readonly #scratch = new PagePoints();
  #times = new Float64Array(64);

  constructor(store: FileStore, head: Head) {
    this.#store = store;
    this.#head = head;
  }

  /** Writes frozen minutes, by ascending minute, for equal minutes the older part first. Returns undefined if they have no points. */
  async write(
    minutes: readonly HeadMinute[],
    generation: number,
    isWide: boolean,
    slices: TimeSlices,
  ): Promise<BlockEntry | undefined> {
    if (minutes.every(({ points }) => points === 0)) return undefined;
    const facts = { level: 0, generations: [generation, generation] as const, isWide };
    const file = this.#store.takeNumber();
    const written = await this.#store.newFile(blockName(file), async (target) => {
      const writer = new BlockWriter(target, file);
      for (const group of groupsOf(minutes)) {
        const slots = minutes.reduce((bits, minute) => bits | minute.slots(group), 0);
        for (let slot = 0; slot < SLOTS; slot++)
          if ((slots & (1 << slot)) !== 0) this.#writeMetric(writer, minutes, group * SLOTS + slot);
        if (writer.isFull) await writer.flush();
        const pause = slices.pause();
        if (pause !== undefined) await pause;
      }
      return await writer.finish(facts);
    });
    if (written.points > 0) return { file, ...facts, ...written };
    // All points were deleted since the round started.
    await this.#store.fileSystem.unlink(join(this.#store.path, blockName(file)));
    return undefined;
  }

  #writeMetric(writer: BlockWriter, minutes: readonly HeadMinute[], id: number): void {
    let isStarted = false;
    for (let i = 0; i < minutes.length; ) {
      const { minute } = minutes[i]!;
      let isThere = this.#head.collect(minutes[i]!, id, this.#points);
      for (i++; i < minutes.length && minutes[i]!.minute === minute; i++) {
        if (!this.#head.collect(minutes[i]!, id, this.#more)) continue;
        if (isThere) mergePoints(this.#points, this.#more, 0, this.#scratch);
        else this.#points.copyFrom(this.#more);
        isThere = true;
      }
      if (!isThere) continue;
      const { times, values, length, isInt64 } = this.#points;
      if (!isStarted) writer.startMetric(id, isInt64);
      isStarted = true;
      if (length > this.#times.length) this.#times = new Float64Array(2 * length);
      for (let k = 0; k < length; k++) this.#times[k] = minute * MINUTE + times[k]!;
      writer.add(this.#times, values, 0, length);
    }
    if (isStarted) writer.endMetric();
  }
}
