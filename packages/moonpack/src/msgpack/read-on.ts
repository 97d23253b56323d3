/** Going on with containers that were cut: for messages in parts (resume.ts) and in slices (slices.ts). */
import { accept, CUT, type Level, OPEN, readItem } from "./deep.js";
import { Dictionary } from "./dictionary.js";
import { isContainer } from "./item-size.js";
import { Pieces } from "./pieces.js";
import type { MessageReader } from "./read.js";

/** Longer keys are not left on the reader's stack. */
const MAX_KEPT_UNITS = 31;

/**
 * Reads the next item with all that it contains, or what is left of the innermost container, as far as the input goes.
 * Answers what that completes of the outermost one, OPEN, or CUT: then the reader stands at the item that is cut, and the
 * containers around it are on `levels`. `isDeep`: no recursion.
 */
export function readOn(r: MessageReader, levels: Level[], isDeep: boolean): unknown {
  const level = levels.at(-1);
  if (!isDeep && level !== undefined) {
    levels.pop();
    const value = readRest(r, level);
    if (value === CUT) return takeCut(r, levels);
    if (value !== OPEN) return accept(r, levels, value);
    levels.push(level);
  }
  r.flat = isDeep && isContainer(r.src[r.pos]!);
  const item = readItem(r, level);
  r.flat = false;
  return item === CUT ? takeCut(r, levels) : accept(r, levels, item);
}

function takeCut(r: MessageReader, levels: Level[]): typeof CUT {
  for (let cut = r.cut!.pop(); cut !== undefined; cut = r.cut!.pop()) levels.push(cut);
  return CUT;
}

/** Reads the items that are left of a container by recursion and answers it; OPEN when they are to be read one by one. */
function readRest(r: MessageReader, level: Level): unknown {
  if (level instanceof Pieces) return OPEN;
  if (level instanceof Dictionary) return r.pairs(level) === CUT ? CUT : level.close(r);
  if (level.keys !== null) return readPairs(r, level, level.keys);
  return r.elements(level.left, level.owed, level.values) === CUT ? CUT : level.close(r);
}

/** The same of a map of which these keys are there; OPEN when one of them is no string. */
function readPairs(r: MessageReader, level: Level, met: readonly unknown[]): unknown {
  for (let i = 0; i < met.length; i++) if (typeof met[i] !== "string") return OPEN;
  const { owed, slot } = level;
  if (level.left % 2 === 1) {
    const value = r.element(owed + level.left - 1);
    if (value === CUT) return r.keep(level);
    level.values.push(value);
    level.left--;
  }
  const { top } = r;
  for (let i = 0; i < met.length; i++) {
    r.keys[top + i] = met[i];
    r.values[top + i] = level.values[i];
    if ((met[i] as string).length > MAX_KEPT_UNITS) r.hasLargeKeys = true;
  }
  if (level.careful) r.careful = true;
  const value = r.gather(met.length + level.left / 2, met.length, owed, slot);
  r.depth--;
  r.owed = owed;
  return value;
}
