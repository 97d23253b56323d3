/** Checks all entries of a store for damage. */

import type { Damage } from "@moonpack/series";
import { CanonicalForms, ChunkIds, PagePoints, parseCanonical, TimeSlices, typeOfByte } from "@moonpack/series/driver";
import { DecodeError } from "moonpack/bytes";
import type { Store } from "../drivers/driver.js";
import { HOUR_SLOTS, PageReader } from "../page/page.js";
import { COLUMNS, HOURS, INDEX, META, METRICS, MINUTES } from "./columns.js";
import { ALL_SLOTS } from "./pages.js";
import { allEntries } from "./snapshot.js";

/** Returns all damaged entries. */
export async function checkStore(store: Store): Promise<Damage[]> {
  const checks = new EntryChecks();
  const damages: Damage[] = [];
  const slices = new TimeSlices();
  for (const column of [META, METRICS, INDEX, MINUTES, HOURS]) {
    for await (const piece of allEntries(store, column)) {
      for (const [key, value] of piece) {
        const message = checks.problem(column, key, value);
        if (message !== undefined) damages.push({ column: COLUMNS[column]!, key: key.slice(), message });
        await slices.pause();
      }
    }
  }
  return damages;
}

class EntryChecks {
  readonly #reader = new PageReader();
  readonly #points = new PagePoints();
  readonly #forms = new CanonicalForms();

  /** Returns the damage of an entry; undefined if it is valid. */
  problem(column: number, key: Uint8Array, value: Uint8Array): string | undefined {
    try {
      if (column === MINUTES) this.#reader.read(key, value, ALL_SLOTS, this.#points, () => undefined);
      else if (column === HOURS) return this.#hourProblem(key, value);
      else if (column === INDEX) return ChunkIds.parse(value) === undefined ? "not an entry of the index" : undefined;
      else if (column === METRICS) return this.#metricProblem(key, value);
      else return metaProblem(key, value);
      return undefined;
    } catch (error) {
      if (error instanceof DecodeError) return error.message;
      throw error;
    }
  }

  #hourProblem(key: Uint8Array, page: Uint8Array): string | undefined {
    let slots = 0;
    this.#reader.read(key, page, ALL_SLOTS, this.#points, (slot) => (slots = slot + 1));
    return slots > HOUR_SLOTS ? `an hour page has ${HOUR_SLOTS} metrics, this one has slot ${slots - 1}` : undefined;
  }

  #metricProblem(key: Uint8Array, value: Uint8Array): string | undefined {
    const isById = key[0] === 2;
    const form = isById ? value.subarray(1) : key.subarray(1);
    const typeByte = isById ? value[0] : value[4];
    const isWhole = isById ? key.length === 5 && value.length > 1 : key[0] === 1 && value.length === 5;
    if (!isWhole || typeOfByte(typeByte!) === undefined) return "not an entry of a metric";
    const canonical = this.#forms.of(parseCanonical(form));
    return Buffer.compare(canonical, form) === 0 ? undefined : "not the canonical form of a metric";
  }
}

function metaProblem(key: Uint8Array, value: Uint8Array): string | undefined {
  const name = Buffer.from(key).toString("latin1");
  if (name.startsWith("bad ")) return "a damaged page that was set aside";
  return value.length === 4 ? undefined : `meta ${name} has ${value.length} bytes instead of 4`;
}
