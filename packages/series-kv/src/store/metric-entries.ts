/** The metrics of a store in a database: two entries of each in the column `metrics` (docs/series-format.md, section 2). */
import { type NameSource, nameValue, type PendingMetric, type StoredName, storedName } from "@moonpack/series/driver";
import type { Entry, Store } from "../drivers/driver.js";
import { INDEX, METRICS } from "./columns.js";

const BY_FORM = 1;
const BY_ID = 2;

/** Returns the key of the entry that maps a canonical form to its id. */
export function formKey(form: Uint8Array): Uint8Array<ArrayBuffer> {
  return Buffer.concat([Uint8Array.of(BY_FORM), form]);
}

/** Returns the key of the entry that maps an id to its canonical form. */
export function idKey(id: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.of(BY_ID, id >>> 24, id >>> 16, id >>> 8, id);
}

/** Returns the value for {@link idKey}: the type, then the form. */
export function idValue({ metric, form }: PendingMetric): Uint8Array<ArrayBuffer> {
  return Buffer.concat([nameValue(metric).subarray(4), form]);
}

/** Reads the metrics and the tag index of a database. */
export class DatabaseNames implements NameSource {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async byForm(forms: readonly Uint8Array[]): Promise<(StoredName | undefined)[]> {
    const values = await this.#store.getMany(METRICS, forms.map(formKey));
    return values.map((value, i) => value && storedName(forms[i]!, value, formKey(forms[i]!)));
  }

  async byId(ids: readonly number[]): Promise<(StoredName | undefined)[]> {
    const keys = ids.map(idKey);
    const values = await this.#store.getMany(METRICS, keys);
    return values.map((value, i) => {
      // A value by form has the id first, then the type.
      return (
        value && storedName(value.subarray(1), Buffer.concat([keys[i]!.subarray(1), value.subarray(0, 1)]), keys[i]!)
      );
    });
  }

  get(keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    return this.#store.getMany(INDEX, keys);
  }

  range(from: Uint8Array, to: Uint8Array, keysOnly: boolean): AsyncIterable<readonly Entry[]> {
    return this.#store.range(INDEX, from, to, { keysOnly });
  }
}
