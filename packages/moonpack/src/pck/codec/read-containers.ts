/**
 * Readers of lists and maps, over readers of what is in them: the same for a codec, and for `resolve`, whose elements are read
 * as one type and answered as another.
 */
import { roomFor } from "../../bytes/pack-read-few.js";
import {
  bitAt,
  checkDepth,
  type PackReader,
  readBitCount,
  readBits,
  readCount,
  refused,
} from "../../bytes/pack-reader.js";
import { minBytesOf, type Node } from "../model/model.js";
import type { AnyTypedArrayClass } from "./presence.js";
import { comparisonOf } from "./write.js";

/** Reads a value of one type that lies in a struct or container at `depth`. */
export type Get = (r: PackReader, depth: number) => unknown;
export type ListNode = Node & { readonly kind: "array" };
export type MapNode = Node & { readonly kind: "map" };

/** Reads so many numbers. */
export type GetNumbers = (r: PackReader, count: number) => unknown;

/** A list of numbers. */
export function numbersReader({ length, element }: ListNode, get: GetNumbers): Get {
  const min = minBytesOf(element);
  return (r, depth) => {
    checkDepth(r, depth + 1);
    return get(r, length === 0 ? readCount(r, min) : length);
  };
}

/** A list of what `get` reads; `Typed` if it is a typed array. */
export function listReader(node: ListNode, get: Get, Typed?: AnyTypedArrayClass): Get {
  const { length } = node;
  const min = minBytesOf(node.element);
  const owedEach = length === 0 ? min : 0;
  return (r, depth) => {
    checkDepth(r, depth + 1);
    const count = length === 0 ? readCount(r, min) : length;
    const list: unknown[] = count < 5 ? roomFor(count) : [];
    r.owed += count * owedEach;
    for (let i = 0; i < count; i++) {
      r.owed -= owedEach;
      list[i] = get(r, depth + 1);
    }
    return Typed === undefined ? list : Typed.from(list);
  };
}

/** A list of bools or nullables, whose bits come before all else; `get` reads those nullables that are there. */
export function bitListReader(node: ListNode, get: Get | undefined): Get {
  const { length } = node;
  return (r, depth) => {
    checkDepth(r, depth + 1);
    const count = length === 0 ? readBitCount(r) : length;
    const start = readBits(r, count);
    const list: unknown[] = count < 5 ? roomFor(count) : [];
    for (let i = 0; i < count; i++) {
      const bit = bitAt(r, start, i);
      list[i] = get === undefined ? bit : bit ? get(r, depth + 1) : null;
    }
    return list;
  };
}

/** A map; `answer` makes of it what it is read as. */
export function mapReader(
  node: MapNode,
  getKey: Get,
  getValue: Get,
  answer: (map: Map<unknown, unknown>) => unknown,
): Get {
  const compare = comparisonOf(node.key);
  const min = minBytesOf(node.key) + minBytesOf(node.value);
  return (r, depth) => {
    checkDepth(r, depth + 1);
    const count = readCount(r, min);
    r.owed += count * min;
    const map = new Map<unknown, unknown>();
    let last: unknown;
    for (let i = 0; i < count; i++) {
      r.owed -= min;
      const { pos } = r;
      const key = getKey(r, depth + 1);
      if (i > 0 && compare(last, key) >= 0) throw refused("ERR_MAP_ORDER", "keys that do not ascend", pos);
      last = key;
      map.set(key, getValue(r, depth + 1));
    }
    return answer(map);
  };
}
