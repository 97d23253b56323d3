/** Lists of integers in index pages and footers: a codec, then the integers (docs/series-format.md, "Integers"). */
import { type ByteReader, type ByteWriter, DecodeError } from "moonpack/bytes";
import { type Choice, chooseCodec, DELTA, readIntegers, writeIntegers } from "../page/integers.js";

/** Writes and reads lists. They share reused memory. */
export class IntegerLists {
  readonly #choice: Choice = { codec: 0, size: 0 };
  #values = new Float64Array(256);
  #deltas = new Float64Array(256);

  /** Writes `n` integers, which may be none. */
  write(w: ByteWriter, integers: ArrayLike<number>, n: number): void {
    if (n === 0) return;
    this.#reserve(n);
    const values = this.#values;
    for (let i = 0; i < n; i++) values[i] = integers[i]!;
    chooseCodec(values, n, this.#deltas, this.#choice);
    w.u8(this.#choice.codec);
    writeIntegers(w, this.#choice.codec, values, n, this.#deltas);
  }

  /** Reads `n` integers, each from `least` to `greatest`, into `target`. Throws a DecodeError for others. */
  read(r: ByteReader, target: Uint32Array | Float64Array, n: number, least: number, greatest: number): void {
    if (n === 0) return;
    this.#reserve(n);
    const start = r.pos;
    const codec = r.u8();
    if (codec > DELTA) throw new DecodeError("ERR_INVALID_BYTE", `${codec} is not a codec of integers`, start);
    readIntegers(r, codec, this.#values, n);
    for (let i = 0; i < n; i++) {
      const value = this.#values[i]!;
      if (!(value >= least && value <= greatest))
        throw new DecodeError("ERR_OUT_OF_RANGE", `${value} is not from ${least} to ${greatest}`, start);
      target[i] = value;
    }
  }

  #reserve(n: number): void {
    if (n <= this.#values.length) return;
    this.#values = new Float64Array(2 * n);
    this.#deltas = new Float64Array(2 * n);
  }
}
