/** Time zones: their offsets from UTC, by `Intl.DateTimeFormat`. All times are milliseconds. */
import { invalidArgument, suggestion } from "moonpack/bytes";

const SECOND = 1000;
const DAY = 86_400_000;
/** Offsets are smaller: the largest one since 1800 is 15:13. */
const MAX_OFFSET = 16 * 3_600_000;
/** Number of days whose offsets are kept. */
const MAX_DAYS = 4096;
/** Number of zones that are kept: a formatter takes 50 us to create. */
const MAX_ZONES = 64;

/** A part of a UTC day with one offset: the local time is the time plus `offset`. */
export interface OffsetSpan {
  /** The first time, inclusive. */
  readonly from: number;
  /** The last time, exclusive. */
  readonly to: number;
  readonly offset: number;
}

/** A time zone. A day of UTC has at most one change of the offset, which is on a full second. */
export class Zone {
  readonly #format: Intl.DateTimeFormat;
  /** The spans of days, by number of the day since 1970: one or two. */
  readonly #days = new Map<number, readonly OffsetSpan[]>();

  /** Throws a RangeError for an unknown name. */
  constructor(timeZone: string) {
    const [year, month, day, hour, minute, second] = Array<"numeric">(6).fill("numeric");
    const parts = { year, month, day, hour, minute, second, hourCycle: "h23", timeZone };
    this.#format = new Intl.DateTimeFormat("en-US", Object.assign(Object.create(null), parts));
  }

  /** Returns the span that contains a time. */
  at(time: number): OffsetSpan {
    const day = Math.floor(time / DAY);
    let spans = this.#days.get(day);
    if (spans === undefined) {
      if (this.#days.size === MAX_DAYS) this.#days.clear();
      spans = this.#spansOf(day * DAY);
      this.#days.set(day, spans);
    }
    return time < spans[0]!.to ? spans[0]! : spans[1]!;
  }

  /** Returns the local time, as if it were UTC. */
  toLocal(time: number): number {
    return time + this.at(time).offset;
  }

  /** Returns the first time at which clocks show a local time or a later one: clocks may show it twice, or skip it. */
  first(local: number): number {
    let span = this.at(local - MAX_OFFSET);
    while (span.to + span.offset <= local) span = this.at(span.to);
    return Math.max(span.from, local - span.offset);
  }

  #spansOf(from: number): OffsetSpan[] {
    const to = from + DAY;
    const offset = this.#offsetAt(from);
    const after = this.#offsetAt(to);
    if (offset === after) return [{ from, to, offset }];
    let low = from;
    let high = to;
    while (high - low > SECOND) {
      const middle = low + Math.floor((high - low) / (2 * SECOND)) * SECOND;
      if (this.#offsetAt(middle) === offset) low = middle;
      else high = middle;
    }
    const spans = [
      { from, to: high, offset },
      { from: high, to, offset: after },
    ];
    return high === to ? spans.slice(0, 1) : spans;
  }

  /** Returns the offset at a full second. */
  #offsetAt(time: number): number {
    const [month, day, year, hour, minute, second] = this.#format.format(time).match(/\d+/g)!.map(Number);
    return Date.UTC(year!, month! - 1, day, hour, minute, second) - time;
  }
}

/** The zones of a store's queries: each is created once. */
export class Zones {
  readonly #zones = new Map<string, Zone>();

  /** Returns a zone by its name; undefined for undefined. Throws `ERR_INVALID_ARGUMENT` for other unknown names. */
  of(name: unknown): Zone | undefined {
    if (name === undefined) return undefined;
    if (typeof name !== "string") throw invalidArgument('timeZone must be a name such as "Europe/Berlin"');
    const known = this.#zones.get(name);
    if (known !== undefined) return known;
    const zone = namedZone(name);
    if (this.#zones.size === MAX_ZONES) this.#zones.clear();
    this.#zones.set(name, zone);
    return zone;
  }
}

function namedZone(name: string): Zone {
  try {
    // Offsets such as "+01:00" are not accepted by each version of Node.
    if (/^[A-Z]/i.test(name)) return new Zone(name);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  const hint = suggestion(name, Intl.supportedValuesOf("timeZone"));
  throw invalidArgument(`${JSON.stringify(name)} is not a known time zone${hint || ', such as "Europe/Berlin"'}`);
}
