/** The unsealed points of one minute, by group of 16 metrics. */
import { SLOTS } from "../page/page.js";
import { CHUNK_BITS, type PointPool } from "./point-pool.js";

/**
 * Numbers in a group's record: the first chunk of each slot, then the position after each slot's last point (0 for empty slots), then a
 * bit for each int64 slot.
 */
const RECORD = 2 * SLOTS + 1;
/** Estimated bytes of a group besides its chunks: its record and its map entry. */
const GROUP_BYTES = 4 * RECORD + 40;
/** Estimated bytes of a minute besides its groups. */
const MINUTE_BYTES = 512;
const FIRST_RECORDS = 4;

/** One minute of the head. */
export class HeadMinute {
  /** The Unix minute. */
  readonly minute: number;
  /** The first log file with points of this minute. */
  readonly firstFile: number;
  /** Records of the groups, one after the other. */
  records = new Int32Array(FIRST_RECORDS * RECORD);
  /** The start of each group's record. */
  readonly groups = new Map<number, number>();
  /** Number of points. */
  points = 0;
  readonly #pool: PointPool;

  constructor(pool: PointPool, minute: number, firstFile: number) {
    this.#pool = pool;
    this.minute = minute;
    this.firstFile = firstFile;
    pool.otherBytes += MINUTE_BYTES;
  }

  /** Returns the start of a group's record in `records`. Creates the record if needed. */
  recordOf(group: number): number {
    const known = this.groups.get(group);
    if (known !== undefined) return known;
    const at = this.groups.size * RECORD;
    if (at === this.records.length) {
      const larger = new Int32Array(2 * at);
      larger.set(this.records);
      this.records = larger;
    }
    this.groups.set(group, at);
    this.#pool.otherBytes += GROUP_BYTES;
    return at;
  }

  /** Returns the position for the next point of a slot whose last chunk is full or missing. */
  extend(record: number, slot: number, isInt64: boolean): number {
    const { records } = this;
    const chunk = this.#pool.take();
    const end = records[record + SLOTS + slot]!;
    if (end !== 0) this.#pool.link((end - 1) >>> CHUNK_BITS, chunk);
    else {
      records[record + slot] = chunk;
      if (isInt64) records[record + 2 * SLOTS]! |= 1 << slot;
      else records[record + 2 * SLOTS]! &= ~(1 << slot);
    }
    return chunk << CHUNK_BITS;
  }

  /** Returns true if a slot's values are int64. */
  isInt64(record: number, slot: number): boolean {
    return (this.records[record + 2 * SLOTS]! & (1 << slot)) !== 0;
  }

  /** Frees a slot's chunks. The slot is then empty. */
  clearSlot(record: number, slot: number): void {
    const pool = this.#pool;
    const at = record + slot;
    const first = this.records[at]!;
    const end = this.records[at + SLOTS]!;
    if (end === 0) return;
    const last = (end - 1) >>> CHUNK_BITS;
    let count = 1;
    for (let chunk = first; chunk !== last; chunk = pool.after(chunk)) count++;
    pool.giveBack(first, last, count);
    this.records[at] = this.records[at + SLOTS] = 0;
  }

  /** Frees all chunks. The minute must not be used afterwards. */
  clear(): void {
    // Backwards, so that the list of free chunks ascends again.
    const records = [...this.groups.values()];
    for (let i = records.length - 1; i >= 0; i--)
      for (let slot = SLOTS - 1; slot >= 0; slot--) this.clearSlot(records[i]!, slot);
    this.#pool.otherBytes -= MINUTE_BYTES + this.groups.size * GROUP_BYTES;
    this.groups.clear();
    this.points = 0;
  }
}
