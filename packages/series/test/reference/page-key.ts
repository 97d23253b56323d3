/** Keys of pages: eight bytes, so that pages of one week, then of one group, are neighbours. */
import { Cursor, fixedBE } from "./bytes.ts";

const MINUTES_OF_WEEK = 10_080;

export interface PageKey {
  /** The Unix minute in which the page starts. */
  readonly minute: number;
  /** Shared by sixteen metrics: id >>> 4. */
  readonly group: number;
}

export function encodePageKey({ minute, group }: PageKey): number[] {
  const week = Math.floor(minute / MINUTES_OF_WEEK);
  return [...fixedBE(week, 2), ...fixedBE(group, 4), ...fixedBE(minute % MINUTES_OF_WEEK, 2)];
}

export function decodePageKey(key: readonly number[]): PageKey {
  const cursor = new Cursor(key);
  const week = Number(cursor.fixedBE(2));
  const group = Number(cursor.fixedBE(4));
  return { minute: week * MINUTES_OF_WEEK + Number(cursor.fixedBE(2)), group };
}
