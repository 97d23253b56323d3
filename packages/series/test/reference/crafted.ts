/** Bytes that no writer writes, but with a checksum that is right: only what is inside can be refused. */
import { type Bytes, fixed } from "./bytes.ts";
import { checksum } from "./checksum.ts";
import { padded } from "./log-points.ts";

/** The fields of a page. Those that are left out are as in the page of one slot and one column. */
export interface PageParts {
  readonly version?: number;
  readonly span?: number;
  /** Bit k: slot k is there. */
  readonly present?: number;
  readonly count?: number;
  readonly columns: readonly Bytes[];
  readonly slots: readonly Bytes[];
}

/** A page's bytes before its checksum. */
export function craftPageBody(parts: PageParts): number[] {
  const { version = 1, span = 1, present = 1, columns, slots, count = columns.length } = parts;
  return [version, span, ...fixed(present, 2), count, ...columns.flat(), ...slots.flat()];
}

/** A page of these bytes. */
export function sealPage(key: Bytes, body: Bytes): number[] {
  return [...body, ...checksum([...key, ...body])];
}

/** A log record of any type, flags and body. */
export function craftRecord(number: number, type: number, flags: Bytes, body: Bytes, length = body.length): number[] {
  const checked = [...fixed(number, 4), type, ...flags, ...body];
  return padded([...fixed(length, 4), ...checksum(checked), ...checked]);
}
