/** Finds the ids of matching metrics in the tag index: intersects sets of ids, probably small ones first. */

import type { ChunkIds } from "../metric/tag-index.js";
import { idsOfAll } from "./equal-values.js";
import { type IdSet, intersect, limitIds, subtract } from "./id-set.js";
import { IndexReader } from "./index-reader.js";
import type { CompiledMatch, Term } from "./match.js";
import type { TagIndex } from "./name-source.js";
import { withPrefix } from "./text-matcher.js";

/** The ids of one chunk. */
export interface SelectedChunk {
  readonly chunk: number;
  readonly ids: ChunkIds;
}

/**
 * Returns the ids of matching metrics up to `maxId`, by ascending chunk. No chunk is empty. Metrics that are not yet in the index are not
 * included. Throws `ERR_SERIES_CORRUPT` for a damaged entry.
 */
export async function* selectIds(
  index: TagIndex,
  match: CompiledMatch,
  maxId: number,
): AsyncGenerator<SelectedChunk, void, undefined> {
  const set = await matchingIds(index, match, maxId);
  const chunks = [...set.keys()].sort((a, b) => a - b);
  for (const chunk of chunks) yield { chunk, ids: set.get(chunk)! };
}

/** Like {@link selectIds}, as one set. It takes at most 512 bytes per 4,096 ids up to `maxId`. */
export async function matchingIds(index: TagIndex, match: CompiledMatch, maxId: number): Promise<IdSet> {
  if (maxId < 0) return new Map();
  const reader = new IndexReader(index, maxId);
  const required = match.terms.filter(({ isExclusion }) => !isExclusion).sort((a, b) => cost(a) - cost(b));
  const exclusions = match.terms.filter(({ isExclusion }) => isExclusion);
  const set = await idsOfRequired(reader, required);
  for (const { tag, values } of exclusions) {
    if (set.size === 0) break;
    subtract(set, await reader.ids(tag, values, set));
  }
  limitIds(set, maxId);
  return set;
}

/** Returns the ids of metrics that meet all terms. The terms must be sorted by ascending cost. */
async function idsOfRequired(reader: IndexReader, terms: readonly Term[]): Promise<IdSet> {
  // Every metric has a name.
  if (terms.length === 0) return await reader.ids("", withPrefix("", undefined));
  if (cost(terms[0]!) === 0) return new Map();
  const equal = terms.flatMap(({ tag, values }) =>
    values.list?.length === 1 ? [{ tag, value: values.list[0]! }] : [],
  );
  let set = equal.length > 0 ? await idsOfAll(reader, equal) : undefined;
  for (const { tag, values } of terms.slice(equal.length)) {
    if (set?.size === 0) break;
    const ids = await reader.ids(tag, values, set);
    if (set === undefined) set = ids;
    else intersect(set, ids);
  }
  return set!;
}

/** Estimates the cost of a term's ids: the number of values of a list; prefixes cost more, short ones most. */
function cost({ values }: Term): number {
  if (values.list !== undefined) return values.list.length;
  return 2 ** 32 + (values.test === undefined ? 0 : 2 ** 20) - Math.min(values.prefix.length, 2 ** 10);
}
