/** The values of one metric in a page (docs/series-format.md, "Value block"): the smallest of several codecs. */
import { type ByteReader, type ByteWriter, DecodeError } from "moonpack/bytes";
import {
  Decimals,
  EXACT,
  FLOAT32,
  fromDecimals,
  kindOf,
  MAX_RESIDUAL,
  NEGATIVE_ZERO,
  NONE,
  RESIDUAL,
  specialOf,
} from "./decimals.js";
import { forSize, readSmallFor, skipFor, writeFor } from "./frame-of-reference.js";
import {
  int64Deltas,
  int64sAsIntegers,
  integersAsInt64s,
  readInt64Deltas,
  skipInt64Deltas,
  writeInt64Deltas,
} from "./int64.js";
import { type Choice, chooseCodec, DELTA, readIntegers, skipIntegers, writeIntegers } from "./integers.js";
import { readUvar, uvarSize, writeUvar } from "./numbers.js";
import type { Values64 } from "./values.js";
import { readXor, skipXor, writeXor, xorSize } from "./xor.js";

const XOR = 4;
const INT64_DELTA = 5;
const CODEC = 0x07;
const HAS_SCALE = 0x08;
const IS_INT64 = 0x10;
const SCALE_E = 0x0f;
const IS_FLOAT32 = 0x10;
const HAS_RESIDUALS = 0x20;
const HAS_SPECIALS = 0x40;

/** Writes and reads value blocks, with reused memory. */
export class ValueBlocks {
  readonly #decimals = new Decimals();
  readonly #choice: Choice = { codec: 0, size: 0 };
  #deltas = new Float64Array(64);
  #integers = new Float64Array(64);

  /** Writes `n` floats, n from 1 up. Every NaN must be 7FF8000000000000. */
  writeFloats(w: ByteWriter, values: Values64, n: number): void {
    this.#reserve(n);
    const decimals = this.#decimals;
    const choice = this.#choice;
    decimals.convert(values, n);
    const { form, m, residuals, specialCount } = decimals;
    if (form !== NONE) chooseCodec(m, n, this.#deltas, choice);
    if (form === NONE || this.#isSmallerAsXor(values, n)) {
      w.u8(XOR);
      writeXor(w, values.words, n);
      return;
    }
    const scale =
      decimals.e |
      (form === FLOAT32 ? IS_FLOAT32 : form === RESIDUAL ? HAS_RESIDUALS : 0) |
      (specialCount > 0 ? HAS_SPECIALS : 0);
    if (scale === 0) w.u8(choice.codec);
    else {
      w.u8(choice.codec | HAS_SCALE);
      w.u8(scale);
    }
    writeIntegers(w, choice.codec, m, n, this.#deltas);
    if (form === RESIDUAL) writeFor(w, residuals, 0, n);
    if (specialCount > 0) this.#writeSpecials(w, values.floats);
  }

  /** Called only with residuals or specials: the other forms are always smaller. */
  #isSmallerAsXor(values: Values64, n: number): boolean {
    const { form, residuals, specialCount, specials } = this.#decimals;
    if (form !== RESIDUAL && specialCount === 0) return false;
    let size = this.#choice.size + 1;
    if (form === RESIDUAL) size += forSize(residuals, 0, n);
    if (specialCount > 0) {
      size += uvarSize(specialCount) + specialCount;
      for (let i = 0; i < specialCount; i++) size += uvarSize(specials[i]! - (i === 0 ? 0 : specials[i - 1]!));
    }
    return xorSize(values.words, n) < size;
  }

  #writeSpecials(w: ByteWriter, floats: Float64Array): void {
    const { specialCount, specials } = this.#decimals;
    writeUvar(w, specialCount);
    let before = 0;
    for (let i = 0; i < specialCount; i++) {
      const at = specials[i]!;
      writeUvar(w, at - before);
      w.u8(kindOf(floats[at]!));
      before = at;
    }
  }

  /** Writes `n` int64 values, n from 1 up. */
  writeInt64s(w: ByteWriter, values: Values64, n: number): void {
    this.#reserve(n);
    const { words } = values;
    const m = this.#integers;
    if (int64sAsIntegers(words, n, m)) {
      chooseCodec(m, n, this.#deltas, this.#choice);
      w.u8(this.#choice.codec | IS_INT64);
      writeIntegers(w, this.#choice.codec, m, n, this.#deltas);
    } else if (int64Deltas(words, n, this.#deltas)) {
      w.u8(INT64_DELTA | IS_INT64);
      writeInt64Deltas(w, words, n, this.#deltas);
    } else {
      w.u8(XOR | IS_INT64);
      writeXor(w, words, n);
    }
  }

  /** Reads `n` values, n from 1 up. Returns true if they are int64. Values before `first` and from `last` on may be left out. */
  read(r: ByteReader, values: Values64, n: number, first = 0, last = n): boolean {
    this.#reserve(n);
    const head = readHead(r);
    const codec = head & CODEC;
    const isInt64 = (head & IS_INT64) !== 0;
    const scale = readScale(r, head);
    if (codec === XOR) readXor(r, values.words, n);
    else if (codec === INT64_DELTA) readInt64Deltas(r, values.words, n, this.#deltas);
    else if (isInt64) {
      readIntegers(r, codec, this.#integers, n);
      integersAsInt64s(this.#integers, n, values.words);
    } else {
      readIntegers(r, codec, values.floats, n, first, last);
      const residuals = (scale & HAS_RESIDUALS) !== 0 ? this.#decimals.residuals : null;
      if (residuals !== null) readSmallFor(r, residuals, 0, n, -MAX_RESIDUAL, MAX_RESIDUAL);
      if ((scale & ~HAS_SPECIALS) !== 0)
        fromDecimals(values, n, scale & SCALE_E, (scale & IS_FLOAT32) !== 0, residuals);
      if ((scale & HAS_SPECIALS) !== 0) readSpecials(r, values.floats, n);
    }
    return isInt64;
  }

  /** Skips a block of `n` values. */
  skip(r: ByteReader, n: number): void {
    const head = readHead(r);
    const codec = head & CODEC;
    const scale = readScale(r, head);
    if (codec === XOR) skipXor(r, n);
    else if (codec === INT64_DELTA) skipInt64Deltas(r, n);
    else {
      skipIntegers(r, codec, n);
      if ((scale & HAS_RESIDUALS) !== 0) skipFor(r, n);
      if ((scale & HAS_SPECIALS) !== 0) readSpecials(r, null, n);
    }
  }

  #reserve(n: number): void {
    if (n > this.#deltas.length) {
      this.#deltas = new Float64Array(2 * n);
      this.#integers = new Float64Array(2 * n);
      this.#decimals.reserve(n);
    }
  }
}

function readHead(r: ByteReader): number {
  const head = r.u8();
  const codec = head & CODEC;
  const isInt64 = (head & IS_INT64) !== 0;
  const isKnown = (head & ~(CODEC | HAS_SCALE | IS_INT64)) === 0 && codec <= (isInt64 ? INT64_DELTA : XOR);
  // Only floats that are stored as integers have a scale.
  const mayScale = codec <= DELTA && !isInt64;
  if (!isKnown || ((head & HAS_SCALE) !== 0 && !mayScale))
    throw new DecodeError("ERR_INVALID_BYTE", `${head} is not a valid head of a value block`, r.pos - 1);
  return head;
}

function readScale(r: ByteReader, head: number): number {
  if ((head & HAS_SCALE) === 0) return EXACT;
  const scale = r.u8();
  const both = IS_FLOAT32 | HAS_RESIDUALS;
  if (scale === 0 || (scale & 0x80) !== 0 || (scale & both) === both)
    throw new DecodeError("ERR_INVALID_BYTE", `${scale} is not a scale`, r.pos - 1);
  return scale;
}

function readSpecials(r: ByteReader, floats: Float64Array | null, n: number): void {
  const start = r.pos;
  const count = readUvar(r);
  if (count === 0 || count > n) throw new DecodeError("ERR_OUT_OF_RANGE", `${count} special values of ${n}`, start);
  let at = 0;
  for (let i = 0; i < count; i++) {
    const step = readUvar(r);
    at += step;
    const kind = r.u8();
    if (at >= n || (i > 0 && step === 0) || kind > NEGATIVE_ZERO)
      throw new DecodeError("ERR_OUT_OF_RANGE", "a special value that is not in the block", r.pos - 1);
    if (floats !== null) floats[at] = specialOf(kind);
  }
}
