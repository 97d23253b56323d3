import { DecodeError, invalidArgument } from "../bytes/errors.js";
import { CUT, expectItem, type Level, OPEN } from "./deep.js";
import { itemSize } from "./item-size.js";
import { beyond, MAX_RECURSION, type MessageReader, viewOf } from "./read.js";
import { readOn } from "./read-on.js";
import { SHORT } from "./resume.js";

/**
 * Reads one message, which is there as a whole, in slices: as resume.ts reads parts, but in place and with the input's end
 * known, so that the errors are those of the whole, too. One string, binary or extension is never cut.
 */
export class SlicedReader {
  /** Several may share one: it knows keys and shapes, and holds nothing between two slices. */
  readonly #shared: MessageReader;
  #r: MessageReader;
  readonly #src: Uint8Array<ArrayBuffer>;
  readonly #view: DataView<ArrayBuffer>;
  readonly #size: number;
  /** Where reading ends: the input's end, or what maxBytes allows of it. */
  readonly #end: number;
  readonly #levels: Level[] = [];
  readonly #cuts: Level[] = [];
  /** Maps are checked: every container is a level here, none is read by recursion. */
  readonly #checked: boolean;
  #pos = 0;

  constructor(reader: MessageReader, input: Uint8Array<ArrayBuffer>) {
    const { strict, maps, maxBytes } = reader.settings;
    this.#shared = this.#r = reader;
    this.#src = input;
    this.#view = viewOf(input);
    this.#size = input.length;
    this.#end = Math.min(input.length, maxBytes);
    this.#checked = strict || maps !== "auto";
  }

  /** Reads the next slice of about `size` bytes, at least an item. Answers the value, or OPEN while it is not complete. */
  read(size: number): unknown {
    const r = (this.#r = this.#shared.free());
    if (this.#src.length !== this.#size) throw invalidArgument("the input was detached while it was decoded");
    r.busy = true;
    try {
      this.#look(size);
      const value = this.#read();
      this.#pos = r.pos;
      if (value !== OPEN && r.pos !== this.#size) {
        throw new DecodeError("ERR_TRAILING_BYTES", "bytes after the value", r.pos);
      }
      return value;
    } catch (error) {
      r.flat = false;
      r.forget();
      const failure = r.familyError(error);
      throw this.#end < this.#size ? beyond(failure, this.#end, 0) : failure;
    } finally {
      r.busy = r.comes = false;
      r.letGo();
    }
  }

  /** Turns the reader to the next slice. */
  #look(size: number): void {
    const r = this.#r;
    const pos = this.#pos;
    r.src = this.#src;
    r.view = this.#view;
    r.pos = pos;
    r.end = Math.min(this.#end, Math.max(pos + size, pos + this.#itemSize(pos, this.#end)));
    r.mayCome = this.#end - r.end;
    r.comes = true;
    // The last slice is read as a whole message is: what it lacks will not come.
    r.cut = r.mayCome > 0 ? this.#cuts : null;
    r.careful = false;
  }

  #read(): unknown {
    const r = this.#r;
    const levels = this.#levels;
    do {
      const left = r.end - r.pos;
      const isShort = r.cut !== null && left < SHORT;
      if (isShort && this.#itemSize(r.pos, r.end) > left) return OPEN;
      r.depth = levels.length;
      const level = levels.at(-1);
      if (level === undefined) r.owed = 0;
      else expectItem(r, level);
      const value = readOn(r, levels, this.#checked || isShort || levels.length >= MAX_RECURSION);
      if (value === CUT) return OPEN;
      if (value !== OPEN) return value;
    } while (r.cut === null || r.pos < r.end);
    return OPEN;
  }

  #itemSize(pos: number, end: number): number {
    return pos < end ? itemSize(this.#src, this.#view, pos, end) : 1;
  }
}
