/** Finds the keys of a message among the wanted ones. Keys are compared by bytes, whatever the format of the text. */
import { truncated } from "../bytes/input.js";
import { numberAt, widthOf } from "../msgpack/read/formats.js";
import { type Candidates, endOf, type Node, type Wanted } from "./tree.js";

const NONE: readonly Wanted[] = [];

/** The wanted key whose bytes are the `size` bytes at `from`. */
export function matching({ list, byEnd }: Candidates, src: Uint8Array, from: number, size: number): Wanted | null {
  const wanted = byEnd === null ? list : (byEnd.get(endOf(src, from, size)) ?? NONE);
  for (let i = 0; i < wanted.length; i++) {
    const { bytes } = wanted[i]!;
    // Keys of one map often begin alike and end differently.
    if (size > 0 && src[from + size - 1] !== bytes[size - 1]) continue;
    let at = 0;
    while (at < size && src[from + at] === bytes[at]) at++;
    if (at === size) return wanted[i]!;
  }
  return null;
}

/** Finds the key at `pos`, which is not a fixstr. Keys that are not texts or numbers match nothing. */
export function otherKey(node: Node, src: Uint8Array, view: DataView, pos: number, end: number): Wanted | null {
  const token = src[pos]!;
  if (token < 0x80 || token >= 0xe0) return node.numbers?.get((token << 24) >> 24) ?? null;
  const isText = token >= 0xd9 && token < 0xdc;
  if (!isText && (node.numbers === null || token < 0xca || token >= 0xd4)) return null;
  const from = pos + 1 + widthOf(token);
  if (from > end) throw truncated(pos, from - end);
  if (!isText) return node.numbers!.get(numberKey(view, src, token, pos + 1)) ?? null;
  const size = numberAt(src, view, token, pos + 1);
  if (size > end - from) throw truncated(pos, size - (end - from));
  const wanted = node.textsOf(size);
  return wanted === null ? null : matching(wanted, src, from, size);
}

/** Finds the key at `pos`. */
export function anyKey(node: Node, src: Uint8Array, view: DataView, pos: number, end: number): Wanted | null {
  const token = src[pos]!;
  if (token < 0xa0 || token >= 0xc0) return otherKey(node, src, view, pos, end);
  const size = token & 31;
  const wanted = node.texts[size]!;
  return wanted === null || size >= end - pos ? null : matching(wanted, src, pos + 1, size);
}

/** The number at `at`, exactly. -0 is 0, as for the keys of a Map. */
function numberKey(view: DataView, src: Uint8Array, token: number, at: number): number | bigint {
  const n = numberAt(src, view, token, at);
  if ((token !== 0xcf && token !== 0xd3) || Number.isSafeInteger(n)) return n + 0;
  return token === 0xd3 ? view.getBigInt64(at) : view.getBigUint64(at);
}
