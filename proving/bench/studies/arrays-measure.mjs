// The measurements of arrays.mjs.
import { Decoder, encode } from "moonpack";
import { readU8s } from "../../../packages/pck/build/runtime/read-lists.js";
import { PackReader } from "../../../packages/pck/build/runtime/reader.js";
import { bytesEach, bytesOf, firstWhere, ownCopy, race } from "./measure.mjs";
import { elementsKind } from "./natives.mjs";
import { isSmoke } from "./size.mjs";

/** Most elements that V8 keeps in one block: 32 x 2^20 according to the article. */
export const LARGEST = 32 * 2 ** 20;
export const SLOT_BYTES = 8;
/** Size of an array object, and of the header of its elements. */
const FIXED_BYTES = 32 + 16;

const byPush = (bytes) => {
  const list = [];
  for (let i = 0; i < bytes.length; i++) list.push(bytes[i]);
  return list;
};
const byNewArray = (bytes) => {
  const list = new Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) list[i] = bytes[i];
  return list;
};
const byCopy = (bytes) => readU8s(new PackReader(bytes, 0, 512), bytes.length);

const numbers = (n) => new Uint8Array(n).map((_, i) => i % 100);

/** An array in dictionary mode, created by an index far behind the others. */
function dictionaryOf(n) {
  const list = [];
  list[LARGEST * 2] = 0;
  for (let i = 0; i < n; i++) list[i] = i % 100;
  list.length = n;
  if (elementsKind(list) !== "dictionary") throw new Error(`expected a dictionary, got ${elementsKind(list)}`);
  return list;
}

export function kinds() {
  const decoder = new Decoder();
  const decoded = (value) => elementsKind(decoder.decode(encode(value)));
  const jumped = [1, 2, 3];
  jumped[5] = 6;
  return {
    "kind.push": elementsKind(byPush(numbers(1000))),
    "kind.new": elementsKind(byNewArray(numbers(1000))),
    "kind.jump": elementsKind(jumped),
    "kind.decode": decoded(Array.from({ length: 1000 }, (_, i) => i)),
    "kind.decode-floats": decoded(Array.from({ length: 1000 }, (_, i) => i + 0.5)),
    "kind.decode-texts": decoded(Array.from({ length: 1000 }, (_, i) => `text ${i}`)),
    "kind.copy": elementsKind(byCopy(numbers(100_000))),
    "gap.dictionary": firstWhere(1, 5000, (gap) => {
      const list = [];
      list[gap] = 1;
      return elementsKind(list) === "dictionary";
    }),
  };
}

const pushed = (n) => () => {
  const list = [];
  for (let i = 0; i < n; i++) list.push(i);
  return list;
};
const popped = () => {
  const list = pushed(200)();
  while (list.length > 50) list.pop();
  return list;
};

/**
 * Capacity of arrays that `make` creates. Measured over many arrays, since the heap's figure is off by up to 150 KB; the median
 * of three, since at times it is off by more: once by 4 bytes for each of 60,000 arrays.
 */
async function slots(count, make) {
  const measured = [await bytesEach(count, make), await bytesEach(count, make), await bytesEach(count, make)];
  const [, median] = measured.sort((a, b) => a - b);
  return Math.round((median - FIXED_BYTES) / SLOT_BYTES);
}

export async function growth() {
  const figures = {
    "slots.literal": await slots(100_000, (i) => [i]),
    "slots.push-1": await slots(200_000, pushed(1)),
  };
  if (isSmoke) return figures;
  const cut = () => {
    const list = pushed(200)();
    list.length = 50;
    return list;
  };
  return {
    ...figures,
    "slots.push-18": await slots(60_000, pushed(18)),
    "slots.push-44": await slots(40_000, pushed(44)),
    "slots.pop-50": await slots(10_000, popped),
    "slots.length-50": await slots(10_000, cut),
  };
}

export async function optimizedPop() {
  return { "slots.optimized-pop-50": await slots(20_000, popped) };
}

/** Memory that a decoder would allocate if it trusted five bytes that declare this many elements. */
export async function limits() {
  const kind = (n) => elementsKind(new Array(n));
  return {
    "kind.largest": kind(LARGEST),
    "kind.larger": kind(LARGEST + 1),
    "bytes.largest": await bytesOf(() => new Array(LARGEST)),
  };
}

export function iterate() {
  const n = 100_000;
  const sum = (list) => {
    let total = 0;
    for (let i = 0; i < list.length; i++) total += list[i];
    return total;
  };
  const lists = { packed: byPush(numbers(n)), holey: byNewArray(numbers(n)), dictionary: dictionaryOf(n) };
  return race(
    "sum.packed",
    Object.entries(lists).map(([name, list]) => {
      const id = `sum.${name}`;
      const own = ownCopy(id, sum);
      return { id, call: () => own(list), bytes: 100_000 };
    }),
  );
}

export function filling() {
  const figures = {};
  for (const [name, n, pace] of [
    ["10k", 10_000, {}],
    ["1m", 1_000_000, { rounds: 11, warmUpRounds: 3 }],
    ["10m", 10_000_000, { rounds: 5, warmUpRounds: 1 }],
  ]) {
    const bytes = numbers(n);
    const contestants = Object.entries({ push: byPush, new: byNewArray, copy: byCopy }).map(([way, fill]) => ({
      id: `fill-${name}.${way}`,
      call: () => fill(bytes),
      bytes: n * SLOT_BYTES,
    }));
    Object.assign(figures, race(`fill-${name}.push`, contestants, pace));
  }
  return figures;
}

export function pushAndPop(prefix) {
  const through = (list) => () => {
    for (let i = 0; i < 1000; i++) list.push(i);
    for (let i = 0; i < 1000; i++) list.pop();
    return list.length;
  };
  const far = [];
  far[LARGEST * 2] = 0;
  const [packed, dictionary] = [`${prefix}.packed`, `${prefix}.dictionary`];
  return race(
    dictionary,
    [
      { id: packed, call: ownCopy(packed, through)([1, 2, 3]), bytes: 20_000 },
      { id: dictionary, call: ownCopy(dictionary, through)(far), bytes: 300_000 },
    ],
    { rounds: 11 },
  );
}
