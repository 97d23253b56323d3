/** Finds the values of a tag. */

import { hasAnyOf, type IdSet } from "./id-set.js";
import { chunkOfKey } from "./index-keys.js";
import { IndexReader, type Visitor } from "./index-reader.js";
import type { TagIndex } from "./name-source.js";
import { checkedTag } from "./tag-key.js";

/** The greatest possible id. */
const LAST_ID = 2 ** 31 - 1;

/**
 * Returns the values of a tag, by ascending code units; with `within`, only values of its metrics. The empty key is the name. Throws
 * `ERR_INVALID_ARGUMENT` for an invalid key, `ERR_SERIES_CORRUPT` for a damaged entry.
 */
export async function tagValues(index: TagIndex, key: string, within?: IdSet): Promise<string[]> {
  if (key !== "") checkedTag(key);
  const values: string[] = [];
  const reader = new IndexReader(index, LAST_ID);
  await reader.walk(
    key,
    "",
    within === undefined ? allValues(values) : valuesWithin(values, within),
    within === undefined,
  );
  return values.sort();
}

/** Visits keys only: entries are never empty. */
function allValues(values: string[]): Visitor {
  return {
    begin(value) {
      values.push(value);
      return false;
    },
    take: () => false,
  };
}

function valuesWithin(values: string[], within: IdSet): Visitor {
  let current = "";
  return {
    begin(value) {
      current = value;
      return true;
    },
    take(key, ids) {
      const wanted = within.get(chunkOfKey(key));
      if (wanted === undefined || !hasAnyOf(wanted, key, ids)) return true;
      values.push(current);
      return false;
    },
  };
}
