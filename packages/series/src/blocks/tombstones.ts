/**
 * Deletes that are not yet applied to blocks. A tombstone hides the points of a metric in a range, in all blocks of rounds of sealing up to
 * the round of the tombstone. Points that are written later are in blocks of later rounds, and are not hidden.
 */
import type { Run } from "./run.js";

/** A delete. Times are milliseconds, `to` exclusive. */
export interface Tombstone {
  readonly id: number;
  readonly from: number;
  readonly to: number;
  /** The last round of sealing whose points it hides. */
  readonly generation: number;
}

/** A hidden range. */
export type Mask = Pick<Tombstone, "from" | "to">;

/** Returns hidden ranges: see {@link Tombstones.masks}. */
export type Masks = Pick<Tombstones, "masks">;

const NONE: readonly Mask[] = /* @__PURE__ */ Object.freeze([]);

/** All tombstones of a store. The list is immutable: changes create a new one. */
export class Tombstones {
  readonly all: readonly Tombstone[];
  readonly #byId: ReadonlyMap<number, readonly Tombstone[]>;

  constructor(all: readonly Tombstone[]) {
    this.all = all;
    const byId = new Map<number, Tombstone[]>();
    for (const one of all) {
      const list = byId.get(one.id);
      if (list === undefined) byId.set(one.id, [one]);
      else list.push(one);
    }
    this.#byId = byId;
  }

  /** Returns the hidden ranges of a metric in a block with the last round `generation`, and with times in a range, both inclusive. */
  masks(id: number, generation: number, from: number, to: number): readonly Mask[] {
    const list = this.#byId.get(id);
    if (list === undefined) return NONE;
    return list.filter((one) => generation <= one.generation && one.from <= to && one.to > from);
  }
}

/** Removes hidden points from a run, in place: the memory must belong to the caller. */
export function applyMasks(run: Run, masks: readonly Mask[]): void {
  const { times, values } = run;
  const { words } = values;
  let end = run.from;
  for (let i = run.from; i < run.to; i++) {
    const time = times[i]!;
    if (masks.some(({ from, to }) => time >= from && time < to)) continue;
    times[end] = time;
    words[2 * end] = words[2 * i]!;
    words[2 * end + 1] = words[2 * i + 1]!;
    end++;
  }
  run.to = end;
}
