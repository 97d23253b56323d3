import { isInstance } from "../bytes/brand.js";
import { invalidArgument } from "../bytes/errors.js";

const MAX_NANOSECONDS = 999_999_999;

/** Error text for an invalid Timestamp. */
export const TIMESTAMP_RULE: string = `a Timestamp has int64 seconds and 0 to ${MAX_NANOSECONDS} nanoseconds`;

/** True for int64 seconds (beyond 2^53 a bigint) and nanoseconds in range. */
export function isTime(seconds: unknown, nanoseconds: unknown): boolean {
  const isInt64 = typeof seconds === "bigint" ? BigInt.asIntN(64, seconds) === seconds : Number.isSafeInteger(seconds);
  return (
    isInt64 &&
    Number.isInteger(nanoseconds) &&
    (nanoseconds as number) >= 0 &&
    (nanoseconds as number) <= MAX_NANOSECONDS
  );
}

/** Seconds in their only form: a number if it is a safe integer, else a bigint. */
export function secondsOf(seconds: number | bigint): number | bigint {
  const number = Number(seconds) + 0; // no -0
  return Number.isSafeInteger(number) ? number : seconds;
}

/**
 * A point in time with nanoseconds, as in MessagePack's timestamp extension (type -1): 64-bit seconds since 1970, and 0 to
 * 999,999,999 nanoseconds. Encoding checks both fields again: `ERR_OUT_OF_RANGE`.
 *
 * @example
 * encode(new Timestamp(1700000000, 1)); // 10 bytes: d7 ff ..
 */
export class Timestamp {
  /** Returns true for instances of every copy of moonpack in the process. */
  static [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: in a subclass, `this` is the subclass.
    return isInstance(this, value);
  }
  /** @internal */
  static get brand(): symbol {
    return Symbol.for("moonpack.Timestamp");
  }
  /** Seconds since 1970-01-01T00:00Z: a number if it is a safe integer, else a bigint. */
  readonly seconds: number | bigint;
  /** 0 to 999,999,999; added to the seconds, also before 1970. */
  readonly nanoseconds: number;

  /** Throws `ERR_INVALID_ARGUMENT` unless the seconds are an int64 (beyond 2^53 a bigint) and the nanoseconds in range. */
  constructor(seconds: number | bigint, nanoseconds = 0) {
    if (!isTime(seconds, nanoseconds)) throw invalidArgument(TIMESTAMP_RULE);
    this.seconds = secondsOf(seconds);
    this.nanoseconds = nanoseconds;
  }

  /** True if a Date holds this time exactly: whole milliseconds, within 100 million days of 1970. */
  get isDate(): boolean {
    return this.nanoseconds % 1e6 === 0 && this.toDate().getTime() * 0 === 0;
  }

  /** Returns the time as a Date, truncated to milliseconds; an invalid Date if it is out of range. */
  toDate(): Date {
    return new Date(Number(this.seconds) * 1000 + Math.floor(this.nanoseconds / 1e6));
  }
}
