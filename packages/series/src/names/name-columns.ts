/** The names of a store as the columns `metrics` and `index` of a database: the registry and selections read either. */
import type { Entry, RangeOptions } from "../drivers/driver.js";
import type { IndexSource } from "../select/index-source.js";
import { METRICS } from "../select/index-source.js";
import type { Names } from "./names.js";

const BY_FORM = 1;
const ID_BYTES = 4;

/** The columns `metrics` and `index` of a store of files. `names` returns the current names. */
export class NameColumns implements IndexSource {
  readonly #names: () => Names;

  constructor(names: () => Names) {
    this.#names = names;
  }

  async getMany(column: number, keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    const names = this.#names();
    const values: (Uint8Array | undefined)[] = [];
    for (const key of keys) {
      if (column !== METRICS) values.push(await names.tag(key));
      else values.push(key[0] === BY_FORM ? await names.find(key.subarray(1)) : await byId(names, key));
    }
    return values;
  }

  range(_column: number, from: Uint8Array, to: Uint8Array, _options?: RangeOptions): AsyncIterable<readonly Entry[]> {
    return this.#names().tags(from, to);
  }
}

/** The value of an id's entry: its type, then its canonical form. */
async function byId(names: Names, key: Uint8Array): Promise<Uint8Array | undefined> {
  const entry = await names.byId(new DataView(key.buffer, key.byteOffset).getUint32(1));
  if (entry === undefined) return undefined;
  const [form, found] = entry;
  const value = new Uint8Array(form.length + 1);
  value[0] = found[ID_BYTES]!;
  value.set(form, 1);
  return value;
}
