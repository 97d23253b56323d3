/** The caller's limits on what a header declares: asked before anything is read, or waited for, on its word. */
import { DecodeError } from "./errors.js";
import type { DecoderSettings } from "./options.js";

/** A string of `n` bytes, whose item begins at `start`. */
export function checkText({ maxStrLength }: DecoderSettings, n: number, start: number): void {
  if (n > maxStrLength) throw exceeded("UTF-8 byte", n, "maxStrLength", maxStrLength, start);
}

/** A binary, or a string that comes as its bytes. */
export function checkBinary({ maxBinLength }: DecoderSettings, n: number, start: number): void {
  if (n > maxBinLength) throw exceeded("bin", n, "maxBinLength", maxBinLength, start);
}

/** An extension; `maxBinLength` counts here too, as in the original. */
export function checkExtension(settings: DecoderSettings, n: number, start: number): void {
  const { maxExtLength } = settings;
  if (n > maxExtLength) throw exceeded("ext", n, "maxExtLength", maxExtLength, start);
  checkBinary(settings, n, start);
}

/** An array of `n` elements or a map of `n` pairs, inside of `open` containers. */
export function checkContainer(
  settings: DecoderSettings,
  isMap: boolean,
  n: number,
  open: number,
  start: number,
): void {
  const { maxMapLength, maxArrayLength, maxDepth } = settings;
  const max = isMap ? maxMapLength : maxArrayLength;
  if (n > max) throw exceeded(isMap ? "map" : "array", n, isMap ? "maxMapLength" : "maxArrayLength", max, start);
  if (open >= maxDepth) {
    throw new DecodeError(`More than ${maxDepth} containers are open at byte ${start}`, "ERR_LIMIT_DEPTH", start);
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
