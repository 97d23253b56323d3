/**
 * Generated walks for maps that have the same keys again and again, such as the lines of a log. The general loop (walk.ts) takes a branch
 * by the type of each item that the processor cannot predict; the generated code has its own branches for each key, and knows how many
 * bytes come next. Measured: two of forty fields take half the time.
 *
 * Invariant: generated code only decides that a key is not wanted, or is one wanted key, as the general loop would. At the first key that
 * differs from the expected ones the general loop reads the rest of the map.
 */
import { compileFunction } from "#runtime";
import { type SkipStack, skipItems } from "./skip.js";
import type { MapRecords, Node, PairsWalker, Wanted } from "./tree.js";

/** Maps with more keys get no code: it would be long. */
const MAX_KEYS = 64;
/** Every 61st map is a sample. A prime number, so that all kinds are sampled when a few kinds alternate. */
const SAMPLING = 61;
/** Samples with equal keys before code is generated. More for long code: V8 takes longer to optimise it than it saves. */
const EQUAL_SAMPLES = 3;
const EQUAL_SAMPLES_LARGE = 16;
const LARGE_KEYS = 16;
/** The code is dropped when this many maps had other keys, and more than half of all. */
const MIN_MISSES = 64;

/** The keys of the maps at one place, and the generated walk of the frequent ones. */
export class Records implements MapRecords {
  size = -1;
  walk: MapRecords["walk"] = null;
  hits = 0;
  readonly #node: Node;
  #misses = 0;
  #untilSample = SAMPLING;
  /** The keys of the last sample. */
  #keys = "";
  #equal = 0;
  /** Doubled with each generated function, so that their number stays small for any input. */
  #patience = 1;

  constructor(node: Node) {
    this.#node = node;
  }

  count(src: Uint8Array, pos: number, end: number, n: number, stack: SkipStack): void {
    if (--this.#untilSample > 0) return;
    this.#untilSample = SAMPLING;
    const sample = n > 0 && n <= MAX_KEYS ? pairsOf(src, pos, end, n, stack) : null;
    if (sample === null) return;
    const { keys, tokens } = sample;
    const text = keys.join();
    this.#equal = text === this.#keys ? this.#equal + 1 : 1;
    this.#keys = text;
    if (this.#equal < this.#patience * (n > LARGE_KEYS ? EQUAL_SAMPLES_LARGE : EQUAL_SAMPLES)) return;
    this.#equal = this.hits = this.#misses = 0;
    this.#patience *= 2;
    this.walk = generate(this, this.#node, keys, tokens);
    if (this.walk === null) this.#untilSample = Number.POSITIVE_INFINITY;
    else this.size = n;
  }

  /** Walks through the last `left` of the pairs: the next key is not the expected one, or the input ends. */
  other(walker: PairsWalker, left: number, pos: number, depth: number): number {
    const { size } = this;
    if (++this.#misses >= MIN_MISSES && 2 * this.#misses > this.hits) {
      this.size = -1;
      this.walk = null;
    }
    return walker.pairs(this.#node, size, left, pos, depth);
  }
}

/** The keys of a valid map, and the first bytes of its values; null if a key has no fixstr header or is there twice. */
function pairsOf(
  src: Uint8Array,
  pos: number,
  end: number,
  n: number,
  stack: SkipStack,
): { readonly keys: readonly Uint8Array[]; readonly tokens: readonly number[] } | null {
  const keys: Uint8Array[] = [];
  const tokens: number[] = [];
  for (let i = 0; i < n; i++) {
    const token = src[pos]!;
    if (token < 0xa0 || token > 0xbf) return null;
    const value = pos + token - 0x9f;
    keys.push(src.slice(pos, value));
    tokens.push(src[value]!);
    pos = skipItems(src, value, end, 1, 0, stack);
  }
  return new Set(keys.map(String)).size === n ? { keys, tokens } : null;
}

/** Generates the walk; null if code generation is forbidden. Bytes of messages enter the code only as numbers. */
function generate(
  records: Records,
  node: Node,
  keys: readonly Uint8Array[],
  tokens: readonly number[],
): MapRecords["walk"] {
  const found: (Wanted | null)[] = [];
  const pairs = keys.map((key, i) => {
    const wanted = node.texts[key.length - 1]?.list;
    const match = wanted?.find(({ bytes }) => bytes.every((byte, at) => byte === key[at + 1])) ?? null;
    found.push(match);
    const places = match === null ? placesThatDiffer(key, wanted ?? []) : key.keys();
    const differs = [...places].map((at) => `||b[p+${at}]!==${key[at]}`).join("");
    const read =
      match === null
        ? skipCode(tokens[i]!)
        : isValue(match)
          ? `p=w.value(f[${i}].node,p,d)`
          : `p=w.wanted(f[${i}],p,d)`;
    return `if(p+${key.length}>=e${differs})return r.other(w,${keys.length - i},p,d);t=b[p+=${key.length}];${read};`;
  });
  const code = `"use strict";return(w,p,d)=>{const b=w.src,e=w.end;let t;${pairs.join("\n")}return p>e?r.other(w,0,p,d):p}`;
  try {
    return (compileFunction?.(["r", "f"], code)(records, found) as MapRecords["walk"]) ?? null;
  } catch {
    return null; // forbidden by a policy
  }
}

/** True if the place is read whole: then nothing below it, and nothing of an earlier map, is to be forgotten. */
function isValue({ node, also }: Wanted): boolean {
  return node.slot >= 0 && !node.isRaw && !node.isInner && also === null;
}

/** Offsets at which a key, header included, differs from all wanted keys: of its length alone, or of bytes too. */
function placesThatDiffer(key: Uint8Array, wanted: readonly Wanted[]): Set<number> {
  const places = new Set([0]);
  // Keys of one map often begin alike and end differently.
  for (const { bytes } of wanted) places.add(1 + bytes.findLastIndex((byte, at) => byte !== key[at + 1]));
  return places;
}

/** Code that skips a value whose first byte is `t`, at `p`; values of the sample's format first. */
function skipCode(token: number): string {
  const size = FIXED_SIZES[token - 0xc0] ?? 0;
  const likely = size === 0 ? "" : `if(t===${token})p+=${size};else `;
  return `${likely}if(t<128)p++;else if(t>159&&t<192)p+=t-159;else p=w.skip(p,1,d)`;
}

/** Bytes of the formats from nil (0xc0) to int 64 (0xd3); 0 where the size is not fixed. */
const FIXED_SIZES = [1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 5, 9, 2, 3, 5, 9, 2, 3, 5, 9];
