import { EncodeError, invalidArgument, MoonpackError } from "moonpack/bytes";
import { DecodeError } from "./errors.js";

/** The extension type of timestamps. */
export const EXT_TIMESTAMP = -1;

/** A point in time. */
export type TimeSpec = {
  /** Whole seconds since 1970-01-01T00:00Z. */
  sec: number;
  /** 0 to 999,999,999. */
  nsec: number;
};

/** Error text; repeated with the value's path where that is known. */
export const INVALID_DATE = "an invalid Date has no MessagePack form";
const MAX_NSEC = 999_999_999;
const INT64_LIMIT = 2 ** 63;

/**
 * Encodes a time as the data of a timestamp extension: the shortest of 4, 8 and 12 bytes. Fractions are truncated.
 * `ERR_OUT_OF_RANGE` for seconds beyond 64 bits and nanoseconds outside a second; the original wraps around.
 */
export function encodeTimeSpecToTimestamp({ sec, nsec }: TimeSpec): Uint8Array<ArrayBuffer> {
  const seconds = Math.trunc(sec);
  const nanoseconds = Math.trunc(nsec);
  if (!(seconds >= -INT64_LIMIT && seconds < INT64_LIMIT) || !(nanoseconds >= 0 && nanoseconds <= MAX_NSEC)) {
    throw new MoonpackError("ERR_OUT_OF_RANGE", "sec must fit in 64 bits, nsec must be between 0 and 999999999");
  }
  const short = seconds >= 0 && seconds < 0x400000000;
  const size = !short ? 12 : nanoseconds === 0 && seconds <= 0xffffffff ? 4 : 8;
  const data = new Uint8Array(size);
  const view = new DataView(data.buffer);
  if (size === 4) view.setUint32(0, seconds);
  else if (size === 8) {
    const high = Math.floor(seconds / 0x100000000);
    view.setUint32(0, nanoseconds * 4 + high);
    view.setUint32(4, seconds - high * 0x100000000);
  } else {
    view.setUint32(0, nanoseconds);
    view.setBigInt64(4, BigInt(seconds));
  }
  return data;
}

/** Converts a Date. `ERR_INVALID_ARGUMENT` for an invalid Date; the original returns NaN. */
export function encodeDateToTimeSpec(date: Date): TimeSpec {
  const ms = date.getTime();
  if (Number.isNaN(ms)) throw invalidArgument("an invalid Date");
  const sec = Math.floor(ms / 1000);
  return { sec, nsec: (ms - sec * 1000) * 1_000_000 };
}

/**
 * Encodes a Date as the data of a timestamp extension; returns null for other values. `ERR_UNSUPPORTED_TYPE` for an invalid
 * Date, which the original writes as 1970.
 */
export function encodeTimestampExtension(object: unknown): Uint8Array<ArrayBuffer> | null {
  if (!(object instanceof Date)) return null;
  if (Number.isNaN(object.getTime())) throw new EncodeError("ERR_UNSUPPORTED_TYPE", INVALID_DATE, "$");
  return encodeTimeSpecToTimestamp(encodeDateToTimeSpec(object));
}

/**
 * Decodes the data of a timestamp extension. Seconds beyond 2^53 are rounded. {@link DecodeError} unless the data have 4, 8 or
 * 12 bytes, and for nanoseconds of a second or more, which the specification forbids.
 */
export function decodeTimestampToTimeSpec(data: Uint8Array): TimeSpec {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  let sec: number;
  let nsec = 0;
  switch (data.byteLength) {
    case 4:
      sec = view.getUint32(0);
      break;
    case 8: {
      const high = view.getUint32(0);
      sec = (high & 3) * 0x100000000 + view.getUint32(4);
      nsec = high >>> 2;
      break;
    }
    case 12:
      sec = view.getInt32(4) * 0x100000000 + view.getUint32(8);
      nsec = view.getUint32(0);
      break;
    default:
      throw new DecodeError(
        `Unrecognized data size for timestamp (expected 4, 8, or 12): ${data.byteLength}`,
        "ERR_OUT_OF_RANGE",
      );
  }
  if (nsec > MAX_NSEC)
    throw new DecodeError(`A timestamp has ${nsec} nanoseconds, more than 999999999`, "ERR_OUT_OF_RANGE");
  return { sec, nsec };
}

/**
 * Decodes the data of a timestamp extension as a Date; fractions of a millisecond are lost. {@link DecodeError} beyond 100
 * million days from 1970, where the original returns an invalid Date.
 */
export function decodeTimestampExtension(data: Uint8Array): Date {
  const { sec, nsec } = decodeTimestampToTimeSpec(data);
  const date = new Date(sec * 1e3 + nsec / 1e6);
  if (Number.isNaN(date.getTime()))
    throw new DecodeError("A timestamp is out of the range of a Date", "ERR_OUT_OF_RANGE");
  return date;
}
