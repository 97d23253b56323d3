/** Checks the lengths in headers against the caller's limits, before the reader reads or waits for the content. */
import { MAX_KEYS, MAX_LIST_ELEMENTS } from "moonpack/bytes";
import { DecodeError } from "./errors.js";
import type { CheckedDecoderOptions } from "./options.js";

/** Checks a string of `n` bytes; its item begins at `start`. */
export function checkText({ maxStrLength }: CheckedDecoderOptions, n: number, start: number): void {
  if (n > maxStrLength) throw exceeded("UTF-8 byte", n, "maxStrLength", maxStrLength, start);
}

/** Checks a binary, or a string that is decoded as bytes. */
export function checkBinary({ maxBinLength }: CheckedDecoderOptions, n: number, start: number): void {
  if (n > maxBinLength) throw exceeded("bin", n, "maxBinLength", maxBinLength, start);
}

/** Checks an extension. `maxBinLength` applies too, as in the original. */
export function checkExtension(settings: CheckedDecoderOptions, n: number, start: number): void {
  const { maxExtLength } = settings;
  if (n > maxExtLength) throw exceeded("ext", n, "maxExtLength", maxExtLength, start);
  checkBinary(settings, n, start);
}

/** Checks an array of `n` elements or a map of `n` pairs, inside `open` containers. */
export function checkContainer(
  settings: CheckedDecoderOptions,
  isMap: boolean,
  n: number,
  open: number,
  start: number,
): void {
  const { maxMapLength, maxArrayLength, maxDepth } = settings;
  const max = isMap ? maxMapLength : maxArrayLength;
  if (n > max) throw exceeded(isMap ? "map" : "array", n, isMap ? "maxMapLength" : "maxArrayLength", max, start);
  const most = isMap ? MAX_KEYS : MAX_LIST_ELEMENTS;
  if (n > most) throw new DecodeError(`${n} elements at byte ${start}, more than ${most}`, "ERR_LIMIT_ELEMENTS", start);
  if (open >= maxDepth) {
    throw new DecodeError(`Nested deeper than maxDepth (${maxDepth}) at byte ${start}`, "ERR_LIMIT_DEPTH", start);
  }
}

function exceeded(what: string, n: number, option: string, max: number, start: number): DecodeError {
  const code = what === "map" || what === "array" ? "ERR_LIMIT_ELEMENTS" : "ERR_LIMIT_BYTES";
  return new DecodeError(
    `Max length exceeded: ${what} length (${n}) > ${option} (${max}) at byte ${start}`,
    code,
    start,
  );
}
