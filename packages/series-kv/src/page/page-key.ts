/**
 * The key of a page (docs/series-format.md, section 3): the week first, so that whole weeks can be dropped, then the group of
 * metrics, then the minute within the week.
 */
import { weekOf } from "@moonpack/series/driver";
import { invalidArgument } from "moonpack/bytes";

const MINUTES_A_WEEK = 10_080;
/** The number of weeks that a key can represent. */
const WEEKS = 65_536;
/** Bytes of a key. */
const KEY_BYTES = 8;

/** Returns the key of the page that starts at a Unix minute. `group` is the id of a metric, shifted right by four. */
export function pageKey(minute: number, group: number): Uint8Array<ArrayBuffer> {
  const week = weekOf(minute);
  const within = minute - week * MINUTES_A_WEEK;
  // Uint8Array.of takes twice as long.
  const key = new Uint8Array(KEY_BYTES);
  key[0] = week >>> 8;
  key[1] = week;
  key[2] = group >>> 24;
  key[3] = group >>> 16;
  key[4] = group >>> 8;
  key[5] = group;
  key[6] = within >>> 8;
  key[7] = within;
  return key;
}

/** Returns the smallest key after a group's minutes from `minute` to `minute + minutes`, which must be in one week. */
export function pageKeyAfter(minute: number, minutes: number, group: number): Uint8Array<ArrayBuffer> {
  const key = pageKey(minute, group);
  const end = key[6]! * 256 + key[7]! + minutes;
  key[6] = end >>> 8;
  key[7] = end;
  return key;
}

/** Returns the smallest key of a week; for week 65,536 a key after all others. */
export function weekKey(week: number): Uint8Array<ArrayBuffer> {
  return week < WEEKS ? pageKey(week * MINUTES_A_WEEK, 0) : new Uint8Array(KEY_BYTES + 1).fill(0xff);
}

/** Returns the Unix minute at which the page of a key starts. */
export function minuteOfKey(key: Uint8Array): number {
  checkKey(key);
  return (key[0]! * 256 + key[1]!) * MINUTES_A_WEEK + key[6]! * 256 + key[7]!;
}

/** Returns the group of a key. */
export function groupOfKey(key: Uint8Array): number {
  checkKey(key);
  return ((key[2]! << 24) | (key[3]! << 16) | (key[4]! << 8) | key[5]!) >>> 0;
}

function checkKey(key: Uint8Array): void {
  if (key.length !== KEY_BYTES)
    throw invalidArgument(`the key of a page must have ${KEY_BYTES} bytes, not ${key.length}`);
}
