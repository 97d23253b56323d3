/**
 * The timestamps of an input. If the user names no unit, the unit is a guess: seconds that are read as milliseconds are dates in 1970,
 * and would be imported without a warning. Points therefore wait until a time confirms the guess, or the input states its unit.
 */
import { isoTime } from "moonpack/bytes";
import { RecordError } from "./record-error.js";
import type { TextTime } from "./text-time.js";
import { checkedTime, isoText, TIME_UNITS, type TimeUnit, timestampOf, timestampOfNumber, UNIT_NS } from "./times.js";

/** The end of 1970: times that are read in too fine a unit are before it. */
const END_OF_1970 = Date.UTC(1971);
/** From here on, a time is plausible: used to test another unit. */
const LIKELY_FROM = Date.UTC(1973);
const LIKELY_TO = Date.UTC(2100);
/** A year, or a date without hyphens. */
const DATE = /^((?:19|20)\d\d)(?:(\d\d)(\d\d))?$/;

/** Reads the timestamps of one input. */
export class Timestamps {
  readonly #option: string;
  readonly #unit: TimeUnit;
  readonly #textTime: TextTime | undefined;
  /** False while the unit is a guess that no time has confirmed. */
  #isCertain: boolean;
  /** True if there are times in 1970. */
  #isOpen = false;
  /** Another meaning of the first doubtful time in 1970, and the remedy. */
  #doubtful: { readonly what: string; readonly remedy: string } | undefined;

  /** `option`: the option that sets the unit. `textTime`: how texts are read; default: numbers and ISO 8601. */
  constructor(unit: TimeUnit, isCertain: boolean, option = "--unit", textTime?: TextTime) {
    this.#textTime = textTime;
    this.#unit = unit;
    this.#isCertain = isCertain;
    this.#option = option;
  }

  get isCertain(): boolean {
    return this.#isCertain;
  }

  /** True while points must wait, since their times may have another unit. */
  get isOpen(): boolean {
    return this.#isOpen && !this.#isCertain;
  }

  /** A timestamp as text, in milliseconds: see `timestampOf`. */
  of(text: string, column?: number): number {
    const local = this.#textTime?.of(text, column);
    if (local !== undefined) return checkedTime(local, undefined, column);
    const time = timestampOf(text, this.#unit, column);
    // A text with a hyphen is ISO 8601, which has no unit; a number has no hyphen.
    if (!this.#isCertain && !text.includes("-")) this.#look(time, text);
    return time;
  }

  /** The same for a number. */
  ofNumber(value: number, column?: number): number {
    const time = timestampOfNumber(value, this.#unit, column);
    if (!this.#isCertain) this.#look(time);
    return time;
  }

  /** The input states its unit. */
  confirm(): void {
    this.#isCertain = true;
  }

  /** The error if the unit of the waiting points is not known; undefined if they can be imported. */
  get unitError(): RecordError | undefined {
    if (!this.isOpen || this.#doubtful === undefined) return undefined;
    const { what, remedy } = this.#doubtful;
    return new RecordError(
      "ERR_OUT_OF_RANGE",
      `are the timestamps in ${this.#unit}? All are in 1970 then, but ${what}: ` +
        `${remedy}, or ${this.#option} ${this.#unit} if 1970 is right`,
    );
  }

  #look(time: number, text = ""): void {
    if (time >= END_OF_1970) this.#isCertain = true;
    else {
      // Later times may be any numbers: 2024 is one of the times from 0 to 5000.
      this.#doubtful ??= this.#doubt(time, this.#isOpen ? "" : text);
      this.#isOpen = true;
    }
  }

  #doubt(time: number, text: string): { what: string; remedy: string } | undefined {
    const [, year, month = "01", day = "01"] = (this.#unit === "ms" && DATE.exec(text)) || [];
    const date = `${year}-${month}-${day}`;
    if (isoTime(date) !== undefined)
      return text === year
        ? { what: `${text} may be a year`, remedy: `write it as ${date}` }
        : { what: `${text} may be a date`, remedy: "add --time-format %Y%m%d" };
    for (const unit of TIME_UNITS) {
      const other = time * (UNIT_NS[unit] / UNIT_NS[this.#unit]);
      if (other >= LIKELY_FROM && other < LIKELY_TO) {
        const from = isoText(other).slice(0, 10);
        return { what: `from ${from} on in ${unit}`, remedy: `add ${this.#option} ${unit}` };
      }
    }
    return undefined;
  }
}

/** True for a time in 1970, whose point waits for the unit: see {@link Timestamps.isOpen}. */
export function isIn1970(time: number): boolean {
  return time < END_OF_1970;
}
