/** The weeks of a store, counted from 1970: no block, and no page of a database, has points of two weeks. */

const MINUTES_A_WEEK = 10_080;
/** The first Unix minute that a store cannot hold: the keys of pages in a database have two bytes for the week. */
export const END_OF_MINUTES = 65_536 * MINUTES_A_WEEK;

/** Returns the week of a Unix minute. */
export function weekOf(minute: number): number {
  return Math.floor(minute / MINUTES_A_WEEK);
}
