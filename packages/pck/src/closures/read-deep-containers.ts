/**
 * Reads lists and maps whose values are nested deeper than recursion may go: as read-containers.ts, as tasks of the
 * trampoline. Shared by the decoders of a codec and by `resolve`, which reads values as one type and returns them as
 * another.
 */
import { keyFlood } from "moonpack/bytes";
import { type ListNode, type MapNode, minBytesOf } from "../model/model.js";
import type { Weights } from "../model/weights.js";
import {
  bitAt,
  checkDepth,
  countElements,
  notAscending,
  type PackReader,
  readBitCount,
  readBits,
  readCount,
  readMapCount,
} from "../runtime/reader.js";
import type { Get } from "./closure.js";
import { comparisonOf } from "./comparison.js";
import { isNumber } from "./representation.js";
import type { Task } from "./trampoline.js";

/** Reads a list at `depth`. `get` reads an element; of nullable elements, the value of one that is present. */
export function* readDeepList(
  r: PackReader,
  { element, length }: ListNode,
  weights: Weights,
  depth: number,
  get: () => Task,
): Task {
  checkDepth(r, depth);
  const list: unknown[] = [];
  if (element.kind === "nullable") {
    const count = length === 0 ? readBitCount(r) : length;
    const start = readBits(r, count);
    const weight = weights.nullable(element.value);
    for (let i = 0; i < count; i++) {
      const isPresent = bitAt(r, start, i);
      if (isPresent) countElements(r, weight);
      list.push(isPresent ? yield get() : null);
    }
    return list;
  }
  const min = length === 0 ? minBytesOf(element) : 0;
  const count = length === 0 ? readCount(r, min, weights.of(element)) : length;
  r.reserved += count * min;
  for (let i = 0; i < count; i++) {
    r.reserved -= min;
    list.push(yield get());
  }
  return list;
}

/** Reads a map at `depth` and returns a Map. `get` reads a value. */
export function* readDeepMap(
  r: PackReader,
  node: MapNode,
  weights: Weights,
  depth: number,
  getKey: Get,
  get: () => Task,
): Task {
  checkDepth(r, depth);
  const min = minBytesOf(node.key) + minBytesOf(node.value);
  const count = readMapCount(r, min, weights.pair(node));
  const compare = comparisonOf(node.key);
  const map = new Map<unknown, unknown>();
  const flood = isNumber(node.key) ? keyFlood(count) : null;
  let last: unknown;
  r.reserved += count * min;
  for (let i = 0; i < count; i++) {
    r.reserved -= min;
    const { pos } = r;
    const key = getKey(r, depth);
    if (i > 0 && compare(last, key) >= 0) throw notAscending(pos);
    last = key;
    flood?.add(key, pos);
    map.set(key, yield get());
  }
  return map;
}
