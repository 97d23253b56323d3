/**
 * Readers of lists and maps, made from readers of their content. Shared by the decoders of a codec and by `resolve`,
 * which reads elements as one type and returns them as another.
 */
import { keyFlood, MAX_LIST_ELEMENTS } from "moonpack/bytes";
import { type ListNode, type MapNode, minBytesOf, type NullableNode } from "../model/model.js";
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
  readPresent,
} from "../runtime/reader.js";
import { shortList } from "../runtime/short-list.js";
import type { Get } from "./closure.js";
import { comparisonOf } from "./comparison.js";
import { type AnyTypedArrayClass, isNumber } from "./representation.js";

/** Reads `count` numbers. */
export type GetNumbers = (r: PackReader, count: number) => unknown;

/** Returns a reader of lists of numbers; `isTyped`: as typed arrays, which do not grow. */
export function numbersReader({ length, element }: ListNode, get: GetNumbers, isTyped: boolean): Get {
  const min = minBytesOf(element);
  const most = isTyped ? Infinity : MAX_LIST_ELEMENTS;
  return (r, depth) => {
    checkDepth(r, depth + 1);
    return get(r, length === 0 ? readCount(r, min, 1, most) : length);
  };
}

/** Returns a reader of lists whose elements `get` reads. `Typed`: the class of a list that is a typed array. */
export function listReader(node: ListNode, weights: Weights, get: Get, Typed?: AnyTypedArrayClass): Get {
  const { length } = node;
  const min = minBytesOf(node.element);
  const weight = weights.of(node.element);
  const reservedEach = length === 0 ? min : 0;
  return (r, depth) => {
    checkDepth(r, depth + 1);
    const count = length === 0 ? readCount(r, min, weight) : length;
    const list: unknown[] = count < 5 ? shortList(count) : [];
    r.reserved += count * reservedEach;
    for (let i = 0; i < count; i++) {
      r.reserved -= reservedEach;
      list[i] = get(r, depth + 1);
    }
    return Typed === undefined ? list : Typed.from(list);
  };
}

/** Returns a reader of lists of bools (`get` undefined) or nullables (`get` reads those that are present). */
export function bitListReader(node: ListNode, weights: Weights, get: Get | undefined): Get {
  const { length, element } = node;
  const weight = element.kind === "nullable" ? weights.nullable(element.value) : 0;
  return (r, depth) => {
    checkDepth(r, depth + 1);
    const count = length === 0 ? readBitCount(r) : length;
    const start = readBits(r, count);
    const list: unknown[] = count < 5 ? shortList(count) : [];
    for (let i = 0; i < count; i++) {
      const bit = bitAt(r, start, i);
      if (bit && weight > 0) countElements(r, weight);
      list[i] = get === undefined ? bit : bit ? get(r, depth + 1) : null;
    }
    return list;
  };
}

/** Returns a reader of nullable map values, which begin with a flag. */
export function nullableReader({ value }: NullableNode, weights: Weights, get: Get): Get {
  const weight = weights.nullable(value);
  return (r, depth) => (readPresent(r, weight) ? get(r, depth) : null);
}

/** Returns a reader of maps. `resultOf` turns the Map into the decoded value. */
export function mapReader(
  node: MapNode,
  weights: Weights,
  getKey: Get,
  getValue: Get,
  resultOf: (map: Map<unknown, unknown>) => unknown,
): Get {
  const compare = comparisonOf(node.key);
  const min = minBytesOf(node.key) + minBytesOf(node.value);
  const weight = weights.pair(node);
  const isNumeric = isNumber(node.key);
  return (r, depth) => {
    checkDepth(r, depth + 1);
    const count = readMapCount(r, min, weight);
    r.reserved += count * min;
    const map = new Map<unknown, unknown>();
    const flood = isNumeric ? keyFlood(count) : null;
    let last: unknown;
    for (let i = 0; i < count; i++) {
      r.reserved -= min;
      const { pos } = r;
      const key = getKey(r, depth + 1);
      if (i > 0 && compare(last, key) >= 0) throw notAscending(pos);
      last = key;
      if (flood !== null) flood.add(key, pos);
      map.set(key, getValue(r, depth + 1));
    }
    return resultOf(map);
  };
}
