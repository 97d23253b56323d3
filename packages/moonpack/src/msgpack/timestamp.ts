import { invalidArgument } from "../bytes/errors.js";

const MAX_NANOSECONDS = 999_999_999;

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

  /** `ERR_INVALID_ARGUMENT` unless seconds are an integer of 64 bits (a bigint beyond 2^53) and nanoseconds in their range. */
  constructor(seconds: number | bigint, nanoseconds = 0) {
    const isInt64 =
      typeof seconds === "bigint" ? BigInt.asIntN(64, seconds) === seconds : Number.isSafeInteger(seconds);
    if (!isInt64 || !Number.isInteger(nanoseconds) || nanoseconds < 0 || nanoseconds > MAX_NANOSECONDS) {
      throw invalidArgument(`a Timestamp has int64 seconds and 0 to ${MAX_NANOSECONDS} nanoseconds`);
    }
    const number = Number(seconds) + 0; // no -0
    this.seconds = Number.isSafeInteger(number) ? number : seconds;
    this.nanoseconds = nanoseconds;
  }

  /** True when a Date holds this time without loss: whole milliseconds, within 100 million days of 1970. */
  get isDate(): boolean {
    return this.nanoseconds % 1e6 === 0 && this.toDate().getTime() * 0 === 0;
  }

  /** As a Date: what is finer than a millisecond is cut off, what lies beyond a Date's range is an invalid Date. */
  toDate(): Date {
    return new Date(Number(this.seconds) * 1000 + Math.floor(this.nanoseconds / 1e6));
  }
}
