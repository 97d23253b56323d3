/**
 * Walks through one message and reads the wanted places. The hot loops of this folder: what is not wanted is skipped (skip.ts), what is
 * wanted is read by the decoder's own reader, so that values, options and errors are the decoder's.
 *
 * Invariant: `values[slot]` is the value of a path in the part of the message that has been walked, undefined if it was not there. Below
 * `each` it is the value in the current element. When a key comes again, the slots below it are cleared first: the last one counts.
 */
import { compileFunction } from "#runtime";
import { grantedElements, HEAVY_ELEMENTS, tooManyElements } from "../bytes/elements.js";
import { DecodeError } from "../bytes/errors.js";
import { type BytesInput, toBytes, truncated } from "../bytes/input.js";
import { copyOwned } from "../bytes/slab.js";
import { type BaseReader, limitError, trailingBytes, viewOf, WARM_BYTES } from "../msgpack/read/base.js";
import type { DecoderSettings } from "../msgpack/read/settings.js";
import { matching, otherKey } from "./keys.js";
import { Raw } from "./raw.js";
import { Records } from "./records.js";
import { ended, skipItems, tooDeep } from "./skip.js";
import type { Decoding } from "./source.js";
import type { Node, Tree, Wanted } from "./tree.js";

/** Input up to this size is copied into the reader's memory: its DataView exists, another one takes 190 ns. */
const COPIED_BYTES = 2048;
/** Returned instead of a position when all is found and the rest is ignored. */
const STOPPED = -1;

/** The rules for equal keys, and for the bytes after the last wanted value. */
export interface WalkRules {
  /** True: the second of equal wanted keys is `ERR_DUPLICATE_KEY`. */
  readonly refusesDuplicates: boolean;
  /** True: the first of equal keys counts, and the walk ends when all is found. */
  readonly ignoresRest: boolean;
}

/** The state of one walk. A walk that an extension starts during another one has a separate state. */
export class Walk {
  readonly tree: Tree;
  readonly rules: WalkRules;
  readonly settings: DecoderSettings;
  readonly decoding: Decoding;
  readonly values: unknown[];
  /** The offset after the message. */
  pos = 0;
  reader: BaseReader;
  src: Uint8Array<ArrayBuffer>;
  end = 0;
  hasView = true;
  /** True while the walk may end before the message. */
  stops = false;
  /** Values to find before it ends. */
  missing = 0;
  isBusy = false;
  /** True if walks of recurring maps are generated: the general loop has the rules for equal keys. */
  readonly learns: boolean;
  nested: Walk | null = null;

  constructor(tree: Tree, rules: WalkRules, decoding: Decoding) {
    this.tree = tree;
    this.rules = rules;
    this.decoding = decoding;
    this.settings = decoding.settings;
    this.values = new Array<unknown>(tree.size).fill(undefined);
    this.reader = decoding.reader;
    this.src = this.reader.src;
    this.learns =
      compileFunction !== null && this.settings.shapes !== null && !rules.refusesDuplicates && !rules.ignoresRest;
  }

  /** This walk or, while it is busy, the one for nested messages. */
  idle(): Walk {
    if (!this.isBusy) return this;
    return (this.nested ??= new Walk(this.tree, this.rules, this.decoding)).idle();
  }

  /** Walks through the one message that is the whole input. */
  whole(input: BytesInput): void {
    const n =
      this.settings.binary !== "view" && ArrayBuffer.isView(input) && input instanceof Uint8Array ? input.length : 0;
    if (n > 0 && n <= COPIED_BYTES) {
      this.reader = this.decoding.reader.idle();
      try {
        this.reader.src.set(input as Uint8Array);
        // A header that is cut must not be read from the bytes of an earlier message.
        for (let i = n; i < n + 8; i++) this.reader.src[i] = 0;
        this.hasView = true;
        return this.run(this.reader.src, 0, n, true);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        toBytes(input); // throws, since the input is detached
        throw error;
      }
    }
    const bytes = toBytes(input);
    this.reader = this.decoding.reader.idle();
    this.hasView = false;
    this.run(bytes, 0, bytes.length, true);
  }

  /** Walks through the message at `start`; its end is `pos`. */
  at(bytes: Uint8Array<ArrayBuffer>, start: number): void {
    this.reader = this.decoding.reader.idle();
    this.hasView = false;
    this.run(bytes, start, bytes.length, false);
  }

  /** Forgets the values, which a result has now. */
  clear(): void {
    const { values } = this;
    for (let i = 0; i < values.length; i++) values[i] = undefined;
  }

  run(bytes: Uint8Array<ArrayBuffer>, start: number, end: number, isAll: boolean): void {
    const reader = this.reader;
    const { maxBytes, maxElements } = this.settings;
    const isLimited = end - start > maxBytes;
    this.isBusy = reader.busy = true;
    this.src = reader.src = bytes;
    this.end = reader.end = isLimited ? start + maxBytes : end;
    reader.isWarm ||= (reader.work.bytes += end - start) > WARM_BYTES;
    reader.elementsLeft = grantedElements(maxElements, end - start);
    this.stops = this.rules.ignoresRest && isAll;
    this.missing = this.tree.ends;
    try {
      this.pos = this.place(this.tree.root, start, 0);
      if (this.pos !== STOPPED && isAll && this.pos !== end) throw trailingBytes(this.pos);
    } catch (error) {
      this.clear();
      reader.depth = reader.reserved = 0;
      const failure = reader.decodeError(error);
      throw isLimited ? limitError(failure, maxBytes, start) : failure;
    } finally {
      this.isBusy = reader.busy = false;
      reader.release();
      this.src = reader.src;
    }
  }

  /** Walks through the item at `pos`, which is at the place of `node`. `depth`: the containers around it. */
  place(node: Node, pos: number, depth: number): number {
    let next = STOPPED;
    if (node.slot >= 0) {
      next = node.isRaw ? this.rawItem(node, pos, depth) : this.value(node, pos, depth);
      if (this.stops && !node.inEach && --this.missing === 0) return STOPPED;
    }
    if (!node.isInner) return node.slot >= 0 ? next : this.skip(pos, 1, depth);
    if (pos >= this.end) throw ended(pos, this.end);
    const token = this.src[pos]!;
    if (token >= 0x80 && token < 0x90) return this.map(node, token & 15, pos, pos + 1, depth);
    if (token >= 0x90 && token < 0xa0) return this.array(node, token & 15, pos, pos + 1, depth);
    if (token >= 0xdc && token < 0xe0) return this.large(node, token, pos, depth);
    return next >= 0 ? next : this.skip(pos, 1, depth);
  }

  /** Walks through a container with a count of 16 or 32 bits. */
  large(node: Node, token: number, pos: number, depth: number): number {
    const src = this.src;
    const body = pos + (token & 1 ? 5 : 3);
    if (body > this.end) throw truncated(pos, body - this.end);
    const high = (src[pos + 1]! << 8) | src[pos + 2]!;
    const n = token & 1 ? high * 0x10000 + ((src[pos + 3]! << 8) | src[pos + 4]!) : high;
    return token < 0xde ? this.array(node, n, pos, body, depth) : this.map(node, n, pos, body, depth);
  }

  skip(pos: number, count: number, depth: number): number {
    return skipItems(this.src, pos, this.end, count, depth, this.decoding.stack);
  }

  /** Reads the value at `pos`. */
  value(node: Node, pos: number, depth: number): number {
    const reader = this.reader;
    if (!this.hasView) {
      reader.view = viewOf(this.src);
      this.hasView = true;
    }
    reader.pos = pos;
    reader.depth = depth;
    reader.reserved = 0;
    this.values[node.slot] = reader.read();
    return reader.pos;
  }

  rawItem(node: Node, pos: number, depth: number): number {
    const next = this.skip(pos, 1, depth);
    // A Raw, a Uint8Array and its buffer.
    this.charge(2 * HEAVY_ELEMENTS, pos);
    this.values[node.slot] = new Raw(copyOwned(this.src, pos, next), true);
    return next;
  }

  /** Walks through the map of `n` pairs whose header is at `start`, and whose first key is at `pos`. */
  map(node: Node, n: number, start: number, pos: number, depth: number): number {
    this.open(2 * n, start, pos, depth);
    const { records } = node;
    if (records === null || records.size !== n) return this.pairs(node, n, n, pos, depth + 1);
    records.hits++;
    return records.walk!(this, pos, depth + 1);
  }

  /** Walks through the last `left` of the `n` pairs of a map. */
  pairs(node: Node, n: number, left: number, pos: number, depth: number): number {
    const { src, end } = this;
    const first = pos;
    const seen: Wanted[] | null = this.rules.refusesDuplicates || this.rules.ignoresRest ? [] : null;
    const { texts } = node;
    for (let i = left; i > 0; i--) {
      if (pos >= end) throw ended(pos, end);
      const key = pos;
      const token = src[pos]!;
      let found: Wanted | null = null;
      if (token >= 0xa0 && token < 0xc0) {
        const size = token & 31;
        pos += size + 1;
        if (pos > end) throw truncated(key, pos - end);
        const wanted = texts[size]!;
        if (wanted !== null) found = matching(wanted, src, key + 1, size);
      } else {
        found = otherKey(node, src, this.viewOfSource(), pos, end);
        pos = this.skip(pos, 1, depth);
      }
      if (found === null || (seen !== null && this.isRepeated(seen, found, key))) {
        // Inlined from `skipItems`: most values of small messages are short texts and small numbers.
        const head = pos < end ? src[pos]! : 0xc1;
        if (head < 0x80) pos++;
        else if (head >= 0xa0 && head < 0xc0) pos += head - 0x9f;
        else pos = this.skip(pos, 1, depth);
      } else {
        pos = this.wanted(found, pos, depth);
        if (pos === STOPPED) return STOPPED;
      }
    }
    if (pos > end) throw truncated(end, pos - end);
    if (this.learns && left === n) (node.records ??= new Records(node)).count(src, first, end, n, this.decoding.stack);
    return pos;
  }

  /** Walks through the array of `n` elements whose header is at `start`. */
  array(node: Node, n: number, start: number, pos: number, depth: number): number {
    this.open(n, start, pos, depth);
    const { each, elements, lastElement } = node;
    if (each !== null) return this.everyElement(node, each, n, pos, depth + 1);
    let at = 0;
    if (elements !== null) {
      for (; at < n && at <= lastElement; at++) {
        const found = elements.get(at);
        pos = found === undefined ? this.skip(pos, 1, depth + 1) : this.wanted(found, pos, depth + 1);
        if (pos === STOPPED) return STOPPED;
      }
    }
    return this.skip(pos, n - at, depth + 1);
  }

  /** Collects the values of all elements in lists; values that an element lacks are undefined. */
  everyElement(node: Node, each: Node, n: number, pos: number, depth: number): number {
    const { values } = this;
    const { slots } = each;
    // An absent value takes a place in a list, and no byte of the message.
    this.charge(slots.length * (n + 1), pos);
    const lists: unknown[][] = slots.map(() => []);
    for (let at = 0; at < n; at++) {
      clearSlots(values, slots);
      const start = pos;
      pos = this.place(each, start, depth);
      for (let i = 0; i < slots.length; i++) lists[i]!.push(values[slots[i]!]);
      const found = node.elements?.get(at);
      if (found !== undefined && this.wanted(found, start, depth) === STOPPED) return STOPPED;
    }
    for (let i = 0; i < slots.length; i++) values[slots[i]!] = lists[i];
    return this.stops && !node.inEach && --this.missing === 0 ? STOPPED : pos;
  }

  /** Walks through the item of a wanted key or element. */
  wanted({ node, also }: Wanted, pos: number, depth: number): number {
    clearSlots(this.values, node.slots);
    const next = this.place(node, pos, depth);
    for (const other of also ?? []) {
      clearSlots(this.values, other.slots);
      if (this.place(other, pos, depth) === STOPPED) return STOPPED;
    }
    return next;
  }

  /** Checks a container as the decoder does: its depth, and that its items fit into the bytes left. */
  open(items: number, start: number, pos: number, depth: number): void {
    if (depth >= this.settings.maxDepth) throw tooDeep(this.settings.maxDepth, start);
    if (items > this.end - pos) throw truncated(start, items - (this.end - pos));
  }

  /** Takes elements from the budget of the message. */
  charge(elements: number, offset: number): void {
    if ((this.reader.elementsLeft -= elements) < 0) throw tooManyElements(offset);
  }

  viewOfSource(): DataView<ArrayBuffer> {
    if (!this.hasView) {
      this.reader.view = viewOf(this.src);
      this.hasView = true;
    }
    return this.reader.view;
  }

  /** True if the key was there before and the first one counts. */
  isRepeated(seen: Wanted[], found: Wanted, key: number): boolean {
    if (!seen.includes(found)) {
      seen.push(found);
      return false;
    }
    if (this.rules.refusesDuplicates) throw new DecodeError("ERR_DUPLICATE_KEY", "duplicate key", key);
    return true;
  }
}

function clearSlots(values: unknown[], slots: readonly number[]): void {
  for (let i = 0; i < slots.length; i++) values[slots[i]!] = undefined;
}
