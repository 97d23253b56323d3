/** The names of a store of files, as the registry and selections read them. */
import type { Entry } from "../drivers/driver.js";
import { type StoredName, storedName } from "../metric/stored-name.js";
import type { NameSource } from "../select/name-source.js";
import type { Names } from "./names.js";

/** Reads names. `names` returns the current ones. */
export class CurrentNames implements NameSource {
  readonly #names: () => Names;

  constructor(names: () => Names) {
    this.#names = names;
  }

  byForm(forms: readonly Uint8Array[]): Promise<(StoredName | undefined)[]> {
    const names = this.#names();
    return each(forms, async (form) => {
      const value = await names.find(form);
      return value && storedName(form, value);
    });
  }

  byId(ids: readonly number[]): Promise<(StoredName | undefined)[]> {
    const names = this.#names();
    return each(ids, async (id) => {
      const entry = await names.byId(id);
      return entry && storedName(entry[0], entry[1]);
    });
  }

  get(keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    const names = this.#names();
    return each(keys, (key) => names.tag(key));
  }

  range(from: Uint8Array, to: Uint8Array): AsyncIterable<readonly Entry[]> {
    return this.#names().tags(from, to);
  }
}

async function each<T, R>(list: readonly T[], read: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const one of list) results.push(await read(one));
  return results;
}
