// The measurements of shapes.mjs.
import { buildDictionary, emptyObject, MAX_FAST_KEYS } from "../../../packages/moonpack/build/msgpack/read/objects.js";
import { bytesEach, race } from "./measure.mjs";
import { hasFastProperties, haveSameMap } from "./natives.mjs";
import { isSmoke } from "./size.mjs";

/** The most keys that are tried. */
const MOST = 1300;

const names = (n, prefix = "key") => Array.from({ length: n }, (_, i) => `${prefix}${i}`);
const literalMaker = (keys) => new Function(`return { ${keys.map((key) => `${key}: 1`).join()} };`);
const values = (keys, value = 1) => keys.map(() => value);
/** As the decoder fills an object with numbers: each field is null first. */
function built(keys, value = 1) {
  const object = emptyObject(keys.length);
  for (const key of keys) {
    object[key] = null;
    object[key] = value;
  }
  return object;
}
/** The same without null first, and as a dictionary. */
function fast(keys, list = values(keys)) {
  const object = emptyObject(keys.length);
  for (let i = 0; i < keys.length; i++) object[keys[i]] = list[i];
  return object;
}
const dictionary = (keys, list = values(keys)) => buildDictionary(keys, list, 0, keys.length);

function stored(object, keys) {
  for (const key of keys) object[key] = 1;
  return object;
}

function defined(object, keys) {
  const property = { value: 1, writable: true, enumerable: true, configurable: true };
  for (const key of keys) Object.defineProperty(object, key, property);
  return object;
}

/** Ways to create an object with some keys. */
const WAYS = {
  literal: (keys) => literalMaker(keys)(),
  store: (keys) => stored({}, keys),
  define: (keys) => defined({}, keys),
  json: (keys) => JSON.parse(`{${keys.map((key) => `"${key}":1`).join()}}`),
  entries: (keys) => Object.fromEntries(keys.map((key) => [key, 1])),
  ours: (keys) => built(keys),
};

/** The most keys with which an object is still fast. Objects are fast up to one limit. */
function largestFast(make) {
  const keys = names(MOST);
  let fast = 0;
  let slow = MOST;
  while (slow - fast > 1) {
    const middle = (fast + slow) >> 1;
    if (hasFastProperties(make(keys.slice(0, middle)))) fast = middle;
    else slow = middle;
  }
  return fast;
}

export function limits() {
  const figures = {};
  for (const [way, make] of Object.entries(WAYS)) figures[`largest.${way}`] = largestFast(make);
  const without = (key) => {
    const object = { first: 1, second: 2, last: 3 };
    delete object[key];
    return hasFastProperties(object);
  };
  return {
    ...figures,
    "largest.constant": MAX_FAST_KEYS,
    "fast.null-prototype": hasFastProperties(stored(Object.create(null), ["a"])),
    "fast.delete-last": without("last"),
    "fast.delete-first": without("first"),
  };
}

export function classes() {
  const pair = (make) => haveSameMap(make(1), make(1.5));
  const keys = ["a", "b", "c", "d", "e"];
  const template = literalMaker(["p", "q", "r"])();
  const parsed = (value) => JSON.parse(`{"m":${value},"n":1}`);
  return {
    "same.stored": pair((value) => Object.assign({}, { x: value, y: 1 })),
    "same.parsed": pair(parsed),
    "same.ours": pair((value) => built(keys, value)),
    "same.spread": haveSameMap({ ...template }, { ...template }),
    "same.spread-literal": haveSameMap({ ...template }, template),
  };
}

/** Bytes per key in objects that share their keys. */
async function sharedBytes(n) {
  const keys = names(n, `size${n}_`);
  const count = Math.round(600_000 / n / (isSmoke ? 2 : 1));
  return {
    [`bytes-${n}.fast`]: round((await bytesEach(count, () => fast(keys))) / n),
    [`bytes-${n}.dictionary`]: round((await bytesEach(count, () => dictionary(keys))) / n),
  };
}

/** The same for objects with different keys. The memory of the keys themselves is subtracted. */
async function newBytes(n) {
  let next = 0;
  const bytesWith = (make) =>
    bytesEach(400, () => {
      const keys = names(n, `new${next++}_`);
      return [keys, make(keys)];
    });
  const texts = await bytesWith(() => null);
  return {
    "bytes-new.fast": round(((await bytesWith(fast)) - texts) / n),
    "bytes-new.dictionary": round(((await bytesWith(dictionary)) - texts) / n),
  };
}

export async function bytes() {
  if (isSmoke) return { ...(await sharedBytes(100)), ...(await newBytes(100)) };
  const nine = names(9, "nine");
  return {
    "bytes-9.grown": Math.round(await bytesEach(30_000, () => stored({}, nine))),
    "bytes-9.room": Math.round(await bytesEach(30_000, () => fast(nine))),
    ...(await sharedBytes(24)),
    ...(await sharedBytes(100)),
    ...(await sharedBytes(505)),
    ...(await newBytes(100)),
  };
}

const round = (value) => Math.round(value * 10) / 10;

export function building() {
  const figures = {};
  for (const n of [9, 16]) {
    const keys = names(n, `build${n}_`);
    const input = () => values(keys);
    Object.assign(
      figures,
      race(`build-${n}.grown`, [
        { id: `build-${n}.grown`, call: () => stored({}, keys), bytes: 300 },
        { id: `build-${n}.room`, call: (list) => fast(keys, list), bytes: 300, input },
      ]),
    );
  }
  const seen = names(100, "seen");
  const input = () => values(seen);
  let next = 0;
  const newKeys = () => names(100, `fresh${next++}_`);
  return {
    ...figures,
    ...race("known.dictionary", [
      { id: "known.dictionary", call: (list) => dictionary(seen, list), bytes: 10_000, input },
      { id: "known.fast", call: (list) => fast(seen, list), bytes: 10_000, input },
    ]),
    ...race(
      "new.fast",
      [
        { id: "new.dictionary", call: (keys) => dictionary(keys), bytes: 40_000, input: newKeys },
        { id: "new.fast", call: (keys) => fast(keys), bytes: 40_000, input: newKeys },
      ],
      { rounds: 9, warmUpRounds: 2 },
    ),
  };
}

export function reading() {
  const keys = names(24, "read");
  const [quick, slow] = [built(keys), dictionary(keys)];
  const body = "let sum = 0; for (let i = 0; i < 100; i++) sum += o.read0 + o.read9 + o.read23; return sum;";
  const reader = (name) => new Function("o", `/* ${name} */ ${body}`);
  const [readFast, readSlow] = [reader("fast"), reader("slow")];
  const small = Array.from({ length: 64 }, (_, i) => ({
    id: i,
    name: "name",
    price: i,
    tags: null,
    stock: true,
    at: 5,
  }));
  let turn = 0;
  const input = () => small[turn++ & 63];
  const viaForIn = (object) => {
    let sum = 0;
    for (const key in object) sum += key.length + (object[key] === null ? 1 : 0);
    return sum;
  };
  const viaKeys = (object) => {
    let sum = 0;
    for (const key of Object.keys(object)) sum += key.length + (object[key] === null ? 1 : 0);
    return sum;
  };
  return {
    ...race("read.dictionary", [
      { id: "read.dictionary", call: () => readSlow(slow) },
      { id: "read.fast", call: () => readFast(quick) },
    ]),
    ...race("walk.keys", [
      { id: "walk.keys", call: viaKeys, input },
      { id: "walk.for-in", call: viaForIn, input },
    ]),
  };
}
