/** Resumes the containers that the end of a part (resumable.ts) or of a slice (sliced.ts) has interrupted. */
import { INCOMPLETE } from "../incomplete.js";
import { PENDING, place, readItem, readWholeItem } from "../stack.js";
import { ItemsOfOne } from "./items-of-one.js";
import { LargeMap } from "./large-map.js";
import type { PartFrame } from "./part-frame.js";
import type { PartReader } from "./part-reader.js";

/** Longer keys must not stay on the reader's stack. */
const MAX_KEPT_UNITS = 31;

/**
 * Reads the rest of the innermost container, until the end of the input. With `oneItem` it reads only the next item, without
 * recursion. Returns the outermost value if it is complete, else PENDING. Returns INCOMPLETE if the input ends inside an item; its
 * enclosing containers are in `frames`.
 */
export function readOn(r: PartReader, frames: PartFrame[], oneItem: boolean): unknown {
  const frame = frames.at(-1);
  if (!oneItem && frame !== undefined) {
    frames.pop();
    const value = readRest(r, frame);
    if (value === INCOMPLETE) return takeSuspended(r, frames);
    if (value !== PENDING) return place(r, frames, value);
    frames.push(frame);
  }
  const item = oneItem ? readItem(r, frame) : readWholeItem(r, frame);
  return item === INCOMPLETE ? takeSuspended(r, frames) : place(r, frames, item);
}

/** Moves the suspended frames of the reader to `frames`, innermost last. */
function takeSuspended(r: PartReader, frames: PartFrame[]): typeof INCOMPLETE {
  for (let frame = r.suspended!.pop(); frame !== undefined; frame = r.suspended!.pop()) frames.push(frame);
  return INCOMPLETE;
}

/** Reads the rest of a container by recursion and returns it; PENDING if its items must be read one by one. */
function readRest(r: PartReader, frame: PartFrame): unknown {
  if (frame instanceof ItemsOfOne) return PENDING;
  if (frame instanceof LargeMap) return r.readLargeMap(frame) === INCOMPLETE ? INCOMPLETE : frame.close(r);
  if (frame.keys !== null) return readRestOfMap(r, frame, frame.keys);
  return r.elements(frame.left, frame.reserved, frame.values) === INCOMPLETE ? INCOMPLETE : frame.close(r);
}

/** Reads the rest of a map with the keys `present` and returns it; PENDING if one of them is not a string. */
function readRestOfMap(r: PartReader, frame: PartFrame, present: readonly unknown[]): unknown {
  for (let i = 0; i < present.length; i++) if (typeof present[i] !== "string") return PENDING;
  const { reserved } = frame;
  // The last key has no value yet.
  if (frame.left % 2 === 1) {
    const value = r.element(reserved + frame.left - 1);
    if (value === INCOMPLETE) return r.keep(frame);
    frame.values.push(value);
    frame.left--;
  }
  const { stack } = r;
  const { top } = stack;
  for (let i = 0; i < present.length; i++) {
    stack.keys[top + i] = present[i];
    stack.values[top + i] = frame.values[i];
    if ((present[i] as string).length > MAX_KEPT_UNITS) stack.hasLargeKeys = true;
  }
  const value = r.readPairs(present.length + frame.left / 2, present.length, reserved);
  r.depth--;
  r.reserved = reserved;
  return value;
}
