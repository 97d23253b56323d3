/**
 * Reads messages that arrive in parts. Each part is read at once, by the same recursion as a whole message. At its end, each open
 * container becomes a frame (PartReader.suspend), and the next part resumes these frames (resume-containers.ts). If the end cuts a
 * scalar, key or header, its bytes are kept as a partial item and read when they are complete (`#resumeCutItem`). Only these
 * bytes are read twice, so the work is linear in the bytes for parts of any size.
 */
import { ELEMENTS_PER_BYTE, grantedElements } from "../../../bytes/elements.js";
import { DecodeError, invalidArgument, shifted } from "../../../bytes/errors.js";
import { truncated } from "../../../bytes/input.js";
import { MAX_RECURSION, tooLong, trailingBytes, viewOf } from "../base.js";
import { isComplete, isContainer, itemSize } from "../formats.js";
import { INCOMPLETE } from "../incomplete.js";
import { beginItem, PENDING, place, readItem } from "../stack.js";
import { type DecoderStats, statsOf } from "../stats.js";
import { checkLength } from "../strict.js";
import { ITEMS_END, ItemsOfOne } from "./items-of-one.js";
import type { PartFrame } from "./part-frame.js";
import type { PartReader } from "./part-reader.js";
import { PartialItem } from "./partial-item.js";
import { readOn } from "./resume-containers.js";
import { StrictKeyBytes } from "./strict-key-bytes.js";

const EMPTY = /* @__PURE__ */ new Uint8Array(0);
const EMPTY_VIEW = /* @__PURE__ */ viewOf(EMPTY);
/** With fewer bytes left in a part, items are read one by one: with parts of 16 bytes that is 10 % faster than recursion. */
export const SHORT_BYTES = 64;

/** Reads consecutive messages from consecutive parts; with `itemsOfOne`, the items of one array or map. */
export class ResumableReader {
  /** May be shared with other ResumableReaders: it knows keys and shapes, and holds no input between two calls. */
  readonly #shared: PartReader;
  #r: PartReader;
  /** The open containers, outermost first. */
  readonly #frames: PartFrame[] = [];
  /** Receives the frames that a part's end interrupts. */
  readonly #suspended: PartFrame[] = [];
  /** The part being read, from `#pos` to `#end`; its first byte is byte `#base` of the stream. */
  #src: Uint8Array<ArrayBuffer> = EMPTY;
  #view: DataView<ArrayBuffer> = EMPTY_VIEW;
  #pos = 0;
  #end = 0;
  #base = 0;
  /** The start of an item that a part's end has cut, and its offset in the stream. */
  readonly #partial = new PartialItem();
  #partialStart = 0;
  /** Strict: the bytes of incomplete keys. */
  readonly #strictKeyBytes = new StrictKeyBytes();
  /** Offset in the stream of the first byte of the reader's input: the part, or the partial item. */
  #origin = 0;
  /** Offset in the stream of the message. */
  #start = 0;
  /** True if a key of the message also exists on Object.prototype. */
  #hasInheritedKey = false;
  /** Elements that the message may still create, stored between two calls. */
  #elementsLeft = 0;
  /** Elements that each byte adds to `#elementsLeft`: 0 if `maxElements` is set. */
  readonly #elementsPerByte: number;
  readonly #itemsOfOne: boolean;
  /** The frame of the one container, once its header has been read. */
  #items: ItemsOfOne | null = null;
  #busy = false;
  #messages = 0;
  #bytes = 0;
  #values = 0;

  constructor(reader: PartReader, itemsOfOne = false) {
    this.#shared = this.#r = reader;
    this.#itemsOfOne = itemsOfOne;
    this.#elementsPerByte = reader.settings.maxElements === 0 ? ELEMENTS_PER_BYTE : 0;
  }

  /** Counters of the work; keys and shapes are counted by the shared reader. */
  stats(): DecoderStats {
    return { ...statsOf(this.#shared), messages: this.#messages, bytes: this.#bytes, values: this.#values };
  }

  /** Bytes of the stream that have been read. */
  get offset(): number {
    return this.#base + this.#pos;
  }

  /** Bytes of the part that have not been read. */
  get left(): number {
    return this.#end - this.#pos;
  }

  /** True while it reads, which only an extension that calls back can see. */
  get busy(): boolean {
    return this.#busy;
  }

  /** True between two messages. */
  get isBetween(): boolean {
    return this.#frames.length === 0 && this.#partial.size === 0;
  }

  /** Bytes kept of the partial item. */
  get buffered(): number {
    return this.#partial.size;
  }

  /** Takes the next part; the previous one must be fully read. It is read in place, and released when `next` returns PENDING. */
  give(bytes: Uint8Array<ArrayBuffer>, view: DataView<ArrayBuffer>, size: number): void {
    this.#base += this.#pos;
    this.#src = bytes;
    this.#view = view;
    this.#pos = 0;
    this.#end = size;
    this.#elementsLeft += this.#elementsPerByte * size;
  }

  /** Returns the next message, or PENDING if it is not complete in this part. The stream cannot continue after an error. */
  next(): unknown {
    const r = (this.#r = this.#shared.idle());
    const before = r.values;
    r.suspended = this.#suspended;
    r.endIsKnown = false;
    r.streamsItems = this.#itemsOfOne;
    r.busy = this.#busy = true;
    r.stack.hasInheritedKey = this.#hasInheritedKey;
    r.elementsLeft = this.#elementsLeft;
    this.#origin = this.#base;
    try {
      this.#checkSource();
      return this.#next(r);
    } catch (error) {
      this.#releaseAll();
      throw shifted(r.decodeError(error), this.#origin);
    } finally {
      r.busy = this.#busy = r.streamsItems = false;
      this.#hasInheritedKey = r.stack.hasInheritedKey;
      this.#elementsLeft = r.elementsLeft;
      r.release();
      this.#values += r.values - before;
    }
  }

  #checkSource(): void {
    if (this.#src.length < this.#end) throw invalidArgument("the input was detached before it was read");
  }

  #next(r: PartReader): unknown {
    if (this.isBetween) {
      if (this.#pos === this.#end) return this.#releasePart();
      if (this.#itemsOfOne && this.#items === null && !mayBeContainer(this.#src[this.#pos]!)) {
        throw new DecodeError("ERR_UNSUPPORTED_TYPE", "neither an array nor a map", this.offset - this.#origin);
      }
      this.#start = this.offset;
      r.stack.hasInheritedKey = false;
      r.elementsLeft = grantedElements(r.settings.maxElements, this.left);
    }
    if (this.#partial.size > 0) {
      const value = this.#itemsOfOne ? this.#asItem(this.#resumeCutItem(r)) : this.#resumeCutItem(r);
      if (value !== PENDING) return this.#done(r, value);
      if (this.#partial.size > 0) return this.#releasePart();
      this.#checkSource(); // an extension may have detached it
    }
    this.#setInput(this.#src, this.#view, this.#pos, this.#end, this.#base);
    while (r.pos < r.end) {
      if (this.#items !== null && this.#frames.length === 0) throw trailingBytes(r.pos);
      const value = this.#itemsOfOne ? this.#asItem(this.#readFromPart(r)) : this.#readFromPart(r);
      if (value !== PENDING) {
        this.#pos = r.pos;
        return this.#done(r, value);
      }
      if (this.#partial.size > 0) return this.#releasePart();
    }
    if (r.end < this.#end) throw this.#tooLong();
    this.#keepOpenKeys(r, r.pos);
    return this.#releasePart();
  }

  /** Ends the stream. Throws `ERR_TRUNCATED` inside a message, with the offset of the incomplete item. */
  finish(): void {
    const frame = this.#frames.at(-1);
    const { size } = this.#partial;
    const at = size > 0 ? this.#partialStart : this.offset;
    // The least number of missing bytes: one for each declared item, and the rest of the partial item.
    let missing = frame === undefined ? 0 : frame.reserved + frame.left;
    if (size > 0) {
      missing += this.#partial.declared - size - (frame === undefined ? 0 : 1);
    } else if (this.#itemsOfOne && this.#items === null) missing = 1;
    this.#releaseAll();
    if (missing > 0) throw truncated(at, missing);
  }

  /**
   * Only with `itemsOfOne`. Returns the element or pair that an item has completed, or PENDING if there is none yet. The first item
   * is the container's header: an ItemsOfOne replaces its frame.
   */
  #asItem(value: unknown): unknown {
    const frames = this.#frames;
    const items = this.#items;
    if (items === null) {
      const outermost = frames[0];
      if (outermost === undefined && value === PENDING) return PENDING; // its header is cut
      this.#items = new ItemsOfOne(outermost?.keys ?? null, [], outermost?.left ?? 0, 0);
      if (outermost !== undefined) frames[0] = this.#items;
      return PENDING;
    }
    if (value === ITEMS_END) return items.take();
    return frames.length === 1 && items.values.length > 0 ? items.take() : PENDING;
  }

  #done(r: PartReader, value: unknown): unknown {
    this.#bytes = this.offset;
    if (this.#frames.length === 0) {
      r.values++;
      this.#messages++;
    }
    return value;
  }

  /** Releases the part to the caller after all of it is read. */
  #releasePart(): typeof PENDING {
    this.#base += this.#end;
    this.#pos = this.#end = 0;
    this.#src = EMPTY;
    this.#view = EMPTY_VIEW;
    return PENDING;
  }

  #releaseAll(): void {
    this.#frames.length = this.#suspended.length = 0;
    this.#partial.release();
    this.#strictKeyBytes.release();
    this.#releasePart();
  }

  #tooLong(): DecodeError {
    return tooLong(this.#r.settings.maxBytes, this.#start - this.#origin);
  }

  /** Sets the reader's input to `src[pos..end)`, up to `maxBytes`. Its first byte is byte `origin` of the stream. */
  #setInput(src: Uint8Array<ArrayBuffer>, view: DataView<ArrayBuffer>, pos: number, end: number, origin: number): void {
    const r = this.#r;
    const allowed = this.#start + r.settings.maxBytes - origin;
    this.#origin = origin;
    r.src = src;
    r.view = view;
    r.pos = pos;
    r.end = Math.min(end, allowed);
    r.bytesToCome = allowed - r.end;
  }

  /** Reads the next item of the part with its content, until the end of the part. */
  #readFromPart(r: PartReader): unknown {
    const frames = this.#frames;
    const frame = frames.at(-1);
    const { pos, src } = r;
    const left = r.end - pos;
    r.depth = frames.length;
    if (frame === undefined) r.reserved = 0;
    else beginItem(r, frame);
    if (left < SHORT_BYTES && !isComplete(src, r.view, pos, r.end)) return this.#keepPartial(r, pos);
    const isHeaderOfItems = this.#itemsOfOne && this.#items === null;
    const isShort = left < SHORT_BYTES && frame !== undefined;
    const oneItem = r.checksMaps || isShort || frames.length >= MAX_RECURSION || isHeaderOfItems;
    const value = readOn(r, frames, oneItem);
    return value === INCOMPLETE ? this.#keepPartial(r, r.pos) : value;
  }

  #readerAtPartial(): void {
    const { bytes, view, size } = this.#partial;
    this.#setInput(bytes, view, 0, size, this.#partialStart);
  }

  /** Keeps the bytes of the item at `pos`, which the part's end cuts. */
  #keepPartial(r: PartReader, pos: number): typeof PENDING {
    if (r.end < this.#end) throw this.#tooLong();
    this.#keepOpenKeys(r, pos);
    this.#partialStart = this.#base + pos;
    this.#partial.append(r.src, pos, this.#end, itemSize(r.src, r.view, pos, this.#end));
    this.#pos = this.#end;
    this.#declaredSize(r);
    return PENDING;
  }

  /** The size of the partial item, as far as it is known. Throws if it exceeds the limits. */
  #declaredSize(r: PartReader): number {
    const { header } = this.#partial;
    const payload = this.#partial.payload(header);
    const { maxBufferedBytes, maxBytes } = r.settings;
    this.#origin = this.#partialStart;
    if (this.#partialStart + header + payload - this.#start > maxBytes) throw this.#tooLong();
    if (payload > maxBufferedBytes) {
      const message = `${payload} bytes to hold back, maxBufferedBytes ${maxBufferedBytes}`;
      throw new DecodeError("ERR_LIMIT_BYTES", message, 0);
    }
    if (r.settings.strict && payload > 0) {
      this.#readerAtPartial();
      checkLength(r, 0, payload);
    }
    return header + payload;
  }

  /** Completes the partial item from the part and reads it. Returns PENDING if the item or its message is still incomplete. */
  #resumeCutItem(r: PartReader): unknown {
    for (;;) {
      const declared = this.#declaredSize(r);
      const missing = declared - this.#partial.size;
      if (missing <= 0) break;
      const n = Math.min(missing, this.#end - this.#pos);
      this.#partial.append(this.#src, this.#pos, this.#pos + n, declared);
      this.#pos += n;
      if (n < missing) return PENDING;
    }
    const { size } = this.#partial;
    this.#readerAtPartial();
    r.depth = this.#frames.length;
    // Not `beginItem`: a key started where it was cut.
    const frame = this.#frames.at(-1);
    r.reserved = frame === undefined ? 0 : frame.reserved + frame.left - 1;
    const value = place(r, this.#frames, readItem(r, frame));
    this.#keepOpenKeys(r, size);
    this.#moveOpenKeys(this.#pos);
    if (r.settings.binary === "view") this.#partial.release();
    else this.#partial.clear();
    return value;
  }

  /** Keeps the bytes of open keys when the reader's input ends at `to`, and makes the positions of keys relative to `to`. */
  #keepOpenKeys(r: PartReader, to: number): void {
    if (!r.checksMaps) return;
    if (r.settings.strict) this.#strictKeyBytes.append(this.#frames, r.src, to);
    for (const frame of this.#frames) {
      if (!frame.awaitsKey) continue;
      frame.keyStart -= to;
      frame.keyRest = 0;
    }
  }

  /** Moves the positions of open keys to `pos`, where reading continues in the part. */
  #moveOpenKeys(pos: number): void {
    if (!this.#r.checksMaps) return;
    for (const frame of this.#frames) {
      frame.keyStart += pos;
      frame.keyRest += pos;
    }
  }
}

/** True for arrays, maps and c1. No format starts with c1: it is refused as invalid, not as another type. */
function mayBeContainer(token: number): boolean {
  return isContainer(token) || token === 0xc1;
}
