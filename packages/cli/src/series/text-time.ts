/** Times in texts, by the format and the time zone of the user. */
import { isoTime } from "moonpack/bytes";
import { quoted, RecordError } from "./record-error.js";
import type { ReadTime, TimeFormat } from "./time-format.js";
import type { TimeZone } from "./time-zone.js";

/** A time of ISO 8601 with a zone. A date alone also ends in a hyphen and two digits. */
const ZONED = /[Tt ].*(?:[Zz]|[+-]\d\d(?::?\d\d)?)$/;

/** Reads texts as times. */
export class TextTime {
  readonly #format: TimeFormat | undefined;
  readonly #zone: TimeZone | undefined;
  /** Times at which clocks were set back, so that they occur twice. They are read as the first one. */
  ambiguous = 0;

  constructor(format: TimeFormat | undefined, zone: TimeZone | undefined) {
    this.#format = format;
    this.#zone = zone;
  }

  /** Returns the time of a text in milliseconds; undefined for a number without a format. Throws a RecordError. */
  of(text: string, column?: number): number | undefined {
    const found = this.#format === undefined ? isoOf(text) : this.#format.of(text);
    if (found !== undefined) return this.#inZone(found, text, column);
    if (this.#format === undefined) return undefined;
    const form = `the form ${quoted(this.#format.format)}`;
    throw new RecordError("ERR_OUT_OF_RANGE", `the timestamp ${quoted(text)} does not have ${form}`, column);
  }

  #inZone({ time, hasZone }: ReadTime, text: string, column: number | undefined): number {
    if (hasZone || this.#zone === undefined) return time;
    const [first, second] = this.#zone.timesOf(time);
    if (second !== undefined) this.ambiguous++;
    if (first !== undefined) return first;
    const where = `in ${this.#zone.name}: clocks were set forward`;
    throw new RecordError("ERR_OUT_OF_RANGE", `the time ${quoted(text)} does not exist ${where}`, column);
  }
}

function isoOf(text: string): ReadTime | undefined {
  const time = isoTime(text);
  return time === undefined ? undefined : { time, hasZone: ZONED.test(text) };
}
