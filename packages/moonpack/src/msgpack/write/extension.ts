import { lengthOf } from "../../bytes/input.js";
import { fixextOf } from "../read/formats.js";
import { detached } from "./failure.js";
import type { WriterState } from "./writer-state.js";

/** Writes the header of an extension with `n` bytes of data. */
export function writeExtensionHeader(w: WriterState, type: number, n: number): void {
  w.room(6);
  const fixext = fixextOf(n);
  if (fixext > 0) w.bytes[w.pos++] = fixext;
  else w.length(0xc7, n);
  w.bytes[w.pos++] = type;
}

/** Writes a whole extension. Its length is the array's real one: a subclass may override the property `length`. */
export function writeExtension(w: WriterState, type: number, data: Uint8Array): void {
  const n = lengthOf(data);
  writeExtensionHeader(w, type, n);
  w.room(n);
  try {
    w.bytes.set(data, w.pos);
  } catch (cause) {
    throw detached(cause);
  }
  w.pos += n;
}
