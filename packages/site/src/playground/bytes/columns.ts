// Columns of numbers that grow. An item of a dump is a row of them: millions of items as objects would need gigabytes.

/** A column of unsigned numbers of 32 bits. */
export class Column {
  #values: Uint32Array<ArrayBuffer>;
  #length = 0;

  constructor(capacity = 1024) {
    this.#values = new Uint32Array(capacity);
  }

  /** The number of values. */
  get length(): number {
    return this.#length;
  }

  /** Adds a value at the end. */
  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Uint32Array(this.#values.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  /** The value of a row, which must exist. */
  at(row: number): number {
    return this.#values[row]!;
  }

  /** Changes the value of a row. */
  set(row: number, value: number): void {
    this.#values[row] = value;
  }
}
