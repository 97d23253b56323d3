/**
 * Takes wanted places from values that are decoded already, as their schema describes them: an object may also be a map, whose keys
 * are data, and bytes are not a list. For pickers and emitted code.
 */
import { countElements, type PackReader } from "./reader.js";

/** The place of a picked value: a property of the result, or an index. */
export type Key = string | number;
/** Receives picked values. */
export type Out = Record<Key, unknown>;
/** Names of fields or arms, each with its selection. */
export type Takes = readonly (readonly [name: string, take: Take])[];

/** The selected parts of a value: the value itself, fields of its struct, and fields of its arm in a union. */
export class Take {
  readonly #keys: readonly Key[];
  readonly #fields: Takes;
  readonly #discriminator: string;
  readonly #arms: ReadonlyMap<unknown, Take>;

  /** @internal `keys`: where the value itself goes. */
  constructor(keys: readonly Key[], fields: Takes = [], discriminator = "", arms: Takes = []) {
    this.#keys = keys;
    this.#fields = fields;
    this.#discriminator = discriminator;
    this.#arms = new Map(arms);
  }

  /** @internal Puts the wanted places of a value into `out`. What it lacks stays as it is there. */
  from(r: PackReader, value: unknown, out: Out): void {
    for (const key of this.#keys) out[key] = value;
    if (value !== null) this.inside(r, value, out);
  }

  /** @internal */
  protected inside(r: PackReader, value: unknown, out: Out): void {
    for (const [name, take] of this.#fields) take.from(r, (value as Out)[name], out);
    if (this.#arms.size > 0) this.#arms.get((value as Out)[this.#discriminator])?.inside(r, value, out);
  }
}

/** The selected parts of a list: the list itself, and parts of every element. */
export class TakeEach extends Take {
  readonly #lists: readonly Key[];
  readonly #each: Take;
  readonly #perSlot: number;

  /** `lists`: where each list goes. `perSlot`: elements of the list that count as one. */
  constructor(keys: readonly Key[], lists: readonly Key[], each: Take, perSlot: number) {
    super(keys);
    this.#lists = lists;
    this.#each = each;
    this.#perSlot = perSlot;
  }

  protected override inside(r: PackReader, value: unknown, out: Out): void {
    const elements = value as ArrayLike<unknown>;
    countElements(r, this.#lists.length * (1 + Math.ceil(elements.length / this.#perSlot)));
    const rows = new Rows(this.#lists, out);
    for (let i = 0; i < elements.length; i++) {
      this.#each.from(r, elements[i], rows.row);
      rows.next();
    }
  }
}

/** The lists of a `*` while they are filled. Lists and items are counted before. */
export class Rows {
  /** Receives the values of one element: the value at `i` goes to the list `i`. */
  readonly row: Out;
  readonly #lists: readonly unknown[][];

  /** Creates the lists, which are empty. `keys`: where each list goes. */
  constructor(keys: readonly Key[], out: Out) {
    this.row = keys.map(() => undefined) as unknown as Out;
    this.#lists = keys.map((key) => {
      const list: unknown[] = [];
      out[key] = list;
      return list;
    });
  }

  /** Moves the row to the lists. */
  next(): void {
    const { row } = this;
    const lists = this.#lists;
    for (let i = 0; i < lists.length; i++) {
      lists[i]!.push(row[i]);
      row[i] = undefined;
    }
  }
}
