/** The unsealed points of one minute, by group of 16 metrics. */
import { SLOTS } from "../page/page.js";
import { CHUNK_BITS, FLAGS, GROUP, NEXT, type PointPool } from "./point-pool.js";

/** Estimated bytes of a minute besides its groups: the object and its places in lists. */
const MINUTE_BYTES = 128;
/** Groups are searched one by one up to this number, then by a map. */
const FEW = 4;
/** Estimated bytes of a group's map entry. */
const ENTRY_BYTES = 40;

/** One minute of the head. A minute with few points costs one object: 60 days are 86,400 minutes. */
export class HeadMinute {
  /** The Unix minute. */
  readonly minute: number;
  /** The first log file with points of this minute. */
  readonly firstFile: number;
  /** Number of points. */
  points = 0;
  readonly #pool: PointPool;
  /** The record of the last group; each record has the one before. */
  #last = 0;
  #count = 0;
  #byGroup: Map<number, number> | undefined;

  constructor(pool: PointPool, minute: number, firstFile: number) {
    this.#pool = pool;
    this.minute = minute;
    this.firstFile = firstFile;
    pool.otherBytes += MINUTE_BYTES;
  }

  /** True after {@link clear}. */
  get isCleared(): boolean {
    return this.#last === 0;
  }

  /** Calls a function with each group, and the start of its record in the pool. */
  eachGroup(see: (group: number, record: number) => void): void {
    const { records } = this.#pool;
    for (let at = this.#last; at !== 0; at = records[at + NEXT]!) see(records[at + GROUP]!, at);
  }

  /** Returns the start of a group's record in the pool; 0 without one. */
  find(group: number): number {
    if (this.#byGroup !== undefined) return this.#byGroup.get(group) ?? 0;
    const { records } = this.#pool;
    let at = this.#last;
    while (at !== 0 && records[at + GROUP] !== group) at = records[at + NEXT]!;
    return at;
  }

  /** Returns the start of a group's record in the pool. Creates the record if needed. */
  recordOf(group: number): number {
    const known = this.find(group);
    if (known !== 0) return known;
    const at = this.#pool.takeRecord(group, this.#last);
    this.#last = at;
    if (++this.#count <= FEW) return at;
    if (this.#byGroup === undefined) {
      const byGroup = new Map<number, number>();
      this.eachGroup((one, record) => byGroup.set(one, record));
      this.#byGroup = byGroup;
    } else this.#byGroup.set(group, at);
    this.#pool.otherBytes += ENTRY_BYTES;
    return at;
  }

  /** Returns the position for the next point of a slot whose last chunk is full or missing. */
  extend(record: number, slot: number, isInt64: boolean): number {
    const { records } = this.#pool;
    const end = records[record + slot]!;
    if (end === 0) {
      records[record + FLAGS]! |= 1 << (SLOTS + slot);
      if (isInt64) records[record + FLAGS]! |= 1 << slot;
      else records[record + FLAGS]! &= ~(1 << slot);
    }
    return this.#pool.take(end === 0 ? 0 : (end - 1) >>> CHUNK_BITS) << CHUNK_BITS;
  }

  /** Returns true if a slot's values are int64. */
  isInt64(record: number, slot: number): boolean {
    return (this.#pool.records[record + FLAGS]! & (1 << slot)) !== 0;
  }

  /** Returns a bit for each slot of a group with points. */
  slots(group: number): number {
    const record = this.find(group);
    return record === 0 ? 0 : this.#pool.records[record + FLAGS]! >>> SLOTS;
  }

  /** Frees a slot's chunks. The slot is then empty. */
  clearSlot(record: number, slot: number): void {
    const { records } = this.#pool;
    const end = records[record + slot]!;
    if (end === 0) return;
    this.#pool.giveBack((end - 1) >>> CHUNK_BITS);
    records[record + slot] = 0;
    records[record + FLAGS]! &= ~(1 << (SLOTS + slot));
  }

  /** Frees all chunks. The minute must not be used afterwards. */
  clear(): void {
    const pool = this.#pool;
    // The last record first, so that the list of free chunks ascends again.
    for (let record = this.#last; record !== 0; record = pool.records[record + NEXT]!)
      for (let slot = SLOTS - 1; slot >= 0; slot--) this.clearSlot(record, slot);
    if (this.#last !== 0) pool.giveBackRecords(this.#last);
    pool.otherBytes -= MINUTE_BYTES + Math.max(0, this.#count - FEW) * ENTRY_BYTES;
    this.#byGroup = undefined;
    this.#last = this.#count = 0;
    this.points = 0;
  }
}

/** Returns the groups of minutes, ascending. */
export function groupsOf(minutes: readonly HeadMinute[]): number[] {
  const groups = new Set<number>();
  for (const minute of minutes) minute.eachGroup((group) => groups.add(group));
  return [...groups].sort((a, b) => a - b);
}
