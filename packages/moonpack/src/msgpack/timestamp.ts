import { invalidArgument } from "../bytes/errors.js";

/** Largest magnitude of a Date in milliseconds (ECMA-262, time values). */
const MAX_DATE_MS = 8.64e15;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/**
 * A point in time with nanoseconds, as MessagePack's timestamp extension (type -1) holds it: seconds since 1970 in 64
 * bits, and 0 to 999,999,999 nanoseconds after them.
 *
 * @example
 * encode(new Timestamp(1700000000, 1)); // 10 bytes: d7 ff ..
 */
export class Timestamp {
  /** Seconds since 1970-01-01T00:00Z: a number when it is a safe integer, else a bigint. */
  readonly seconds: number | bigint;
  /** 0 to 999,999,999, counted forward also before 1970. */
  readonly nanoseconds: number;

  /** `ERR_INVALID_ARGUMENT` unless seconds are an integer of 64 bits and nanoseconds one from 0 to 999,999,999. */
  constructor(seconds: number | bigint, nanoseconds = 0) {
    const valid = typeof seconds === "bigint" ? seconds >= INT64_MIN && seconds <= INT64_MAX : Number.isSafeInteger(seconds);
    if (!valid) throw invalidArgument("seconds must be an integer of 64 bits (a bigint beyond 2^53)");
    if (!Number.isInteger(nanoseconds) || nanoseconds < 0 || nanoseconds > 999_999_999) {
      throw invalidArgument("nanoseconds must be an integer from 0 to 999999999");
    }
    this.seconds = typeof seconds === "bigint" && Number.isSafeInteger(Number(seconds)) ? Number(seconds) : seconds;
    if (this.seconds === 0) this.seconds = 0; // no -0
    this.nanoseconds = nanoseconds;
  }

  /** The Date's time; `ERR_INVALID_ARGUMENT` for an invalid Date. */
  static fromDate(date: Date): Timestamp {
    const ms = date.getTime();
    if (ms !== ms) throw invalidArgument("an invalid Date");
    const seconds = Math.floor(ms / 1000);
    return new Timestamp(seconds, (ms - seconds * 1000) * 1_000_000);
  }

  /** True when a Date holds this time without loss: whole milliseconds, within 100 million days of 1970. */
  get isDate(): boolean {
    return this.nanoseconds % 1_000_000 === 0 && Math.abs(this.milliseconds) <= MAX_DATE_MS;
  }

  /** Milliseconds since 1970; nanoseconds below a millisecond are cut off, seconds beyond 2^53 are rounded. */
  get milliseconds(): number {
    return Number(this.seconds) * 1000 + Math.floor(this.nanoseconds / 1_000_000);
  }

  /** As a Date: what is finer than a millisecond is cut off, what lies beyond a Date's range is an invalid Date. */
  toDate(): Date {
    return new Date(this.milliseconds);
  }
}
