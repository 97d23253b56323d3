/**
 * Deletes that blocks have not seen: a tombstone hides the points of a metric in a span, in all blocks of the rounds of sealing up to
 * its own. Points written later are in blocks of later rounds, and stay.
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

/** A span that is hidden. */
export type Mask = Pick<Tombstone, "from" | "to">;

const NONE: readonly Mask[] = /* @__PURE__ */ Object.freeze([]);

/** All tombstones of a store. They are never changed: a new list takes the place of the old one. */
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

  /** The hidden spans of a metric in a block whose last round is `generation`, and whose times are in a span, both inclusive. */
  masks(id: number, generation: number, from: number, to: number): readonly Mask[] {
    const list = this.#byId.get(id);
    if (list === undefined) return NONE;
    return list.filter((one) => generation <= one.generation && one.from <= to && one.to > from);
  }
}

/** Removes hidden points from a run, in place: its memory must be the caller's. */
export function applyMasks(run: Run, masks: readonly Mask[]): void {
  const { times, values } = run;
  const { words } = values;
  let kept = run.from;
  for (let i = run.from; i < run.to; i++) {
    const time = times[i]!;
    if (masks.some(({ from, to }) => time >= from && time < to)) continue;
    times[kept] = time;
    words[2 * kept] = words[2 * i]!;
    words[2 * kept + 1] = words[2 * i + 1]!;
    kept++;
  }
  run.to = kept;
}
