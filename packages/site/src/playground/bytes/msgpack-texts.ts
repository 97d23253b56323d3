// Format, meaning and path of an item of MessagePack, made again from its bytes: millions of texts are not kept.
import { type Diagnosis, diagnose } from "moonpack";
import { type ItemStore, type ItemTexts, NONE } from "./item-store.ts";

/** A map of one pair begins with this byte, and a value of one byte. */
const MAP_OF_ONE = 0x81;
const NIL = 0xc0;

/** Describes an item. `isSequence`: the items at the top are messages. */
export function msgpackTexts(store: ItemStore, bytes: Uint8Array, item: number, isSequence: boolean): ItemTexts {
  const kept = store.texts(item);
  if (kept !== undefined) return kept;
  const { format, meaning } = firstItem(bytes.subarray(store.offset(item), store.end(item)));
  return { format, meaning, path: pathOf(store, bytes, item, isSequence) };
}

/** The path of an item; a key has the path of its map. */
export function pathOf(store: ItemStore, bytes: Uint8Array, item: number, isSequence: boolean): string {
  const steps: string[] = [];
  for (let at = item; at !== NONE; at = store.parent(at)) {
    if (store.isKey(at)) continue;
    if (store.parent(at) === NONE) steps.push(isSequence ? `[${store.position(at)}]` : "");
    else steps.push(stepTo(store, bytes, at));
  }
  return `$${steps.reverse().join("")}`;
}

function stepTo(store: ItemStore, bytes: Uint8Array, item: number): string {
  const key = keyOf(store, item);
  if (key === NONE) return `[${store.position(item)}]`;
  const content = bytes.subarray(store.offset(key), store.spanEnd(key));
  const pair = new Uint8Array(content.length + 2);
  pair[0] = MAP_OF_ONE;
  pair.set(content, 1);
  pair[content.length + 1] = NIL;
  let last: Diagnosis | undefined;
  for (last of diagnose(pair));
  return last!.path.slice(1);
}

/** The key that belongs to a value; {@link NONE} in an array. */
export function keyOf(store: ItemStore, item: number): number {
  if (item === 0 || store.isKey(item)) return NONE;
  // The item before a value is its key, a part of its key, or the element before it.
  let before = item - 1;
  while (before !== NONE && store.parent(before) !== store.parent(item)) {
    before = store.parent(before);
    if (before === store.parent(item)) return NONE;
  }
  return before !== NONE && store.isKey(before) ? before : NONE;
}

function firstItem(bytes: Uint8Array): Diagnosis {
  for (const item of diagnose(bytes)) return item;
  throw new RangeError("an item needs a byte");
}
