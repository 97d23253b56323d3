// Objects: which are fast, which share a hidden class, and what a key costs in either kind.
import {
  buildDictionary,
  buildObject,
  MAX_FAST_KEYS,
  MAX_UNPREPARED_KEYS,
} from "../../moonpack/dist/msgpack/objects.js";
import { bytesEach, race } from "./measure.mjs";
import { hasFastProperties, haveSameMap } from "./natives.mjs";
import { isSmoke } from "./size.mjs";

const OBJECTS = "packages/moonpack/src/msgpack/objects.ts";
const RECORDS = "packages/moonpack/src/msgpack/records.ts";
const WRITE = "packages/moonpack/src/msgpack/write.ts";
/** No way of making objects is looked at beyond. */
const MOST = 1300;

const names = (n, prefix = "key") => Array.from({ length: n }, (_, i) => `${prefix}${i}`);
const literalMaker = (keys) => new Function(`return { ${keys.map((key) => `${key}: 1`).join()} };`);
const values = (keys, value = 1) => keys.map(() => value);
/** As the decoder builds an object whose shape is new to it: null first in all fields. */
const built = (keys, value) => buildObject(keys, 0, values(keys, value), 0, keys.length, false, false);
/** The same without that, and as a dictionary. */
const fast = (keys, list = values(keys)) => buildObject(keys, 0, list, 0, keys.length, true, false);
const dictionary = (keys, list = values(keys)) => buildDictionary(keys, 0, list, keys.length);

function stored(object, keys) {
  for (const key of keys) object[key] = 1;
  return object;
}

function defined(object, keys) {
  const property = { value: 1, writable: true, enumerable: true, configurable: true };
  for (const key of keys) Object.defineProperty(object, key, property);
  return object;
}

/** Ways to make an object of some keys. */
const WAYS = {
  literal: (keys) => literalMaker(keys)(),
  store: (keys) => stored({}, keys),
  define: (keys) => defined({}, keys),
  json: (keys) => JSON.parse(`{${keys.map((key) => `"${key}":1`).join()}}`),
  entries: (keys) => Object.fromEntries(keys.map((key) => [key, 1])),
  ours: (keys) => built(keys),
};

/** The most keys with which an object is still fast: what is fast is so up to one number of keys. */
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

function limits() {
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

function classes() {
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

/** Bytes of a key in objects that share their keys. */
async function sharedBytes(n) {
  const keys = names(n, `size${n}_`);
  const count = Math.round(600_000 / n / (isSmoke ? 2 : 1));
  return {
    [`bytes-${n}.fast`]: round((await bytesEach(count, () => fast(keys))) / n),
    [`bytes-${n}.dictionary`]: round((await bytesEach(count, () => dictionary(keys))) / n),
  };
}

/** The same where each object has keys of its own, which are held beside it and taken off. */
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

async function bytes() {
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

function building() {
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

function reading() {
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

export const study = {
  name: "shapes",
  parts: [
    { id: "limits", kind: "counted", run: limits },
    { id: "classes", kind: "counted", run: classes },
    { id: "bytes", kind: "counted", run: bytes },
    { id: "building", kind: "timed", run: building },
    { id: "reading", kind: "timed", run: reading },
  ],
  groups: [
    {
      title: "How large a fast object can be",
      text: "The most keys with which it is no dictionary, as V8 says itself.",
      kind: "counted",
      rows: [
        ["largest.literal", "an object literal", "count"],
        ["largest.store", "`{}`, then `object[key] =`", "count"],
        ["largest.define", "`{}`, then `Object.defineProperty`", "count"],
        ["largest.json", "`JSON.parse`", "count"],
        ["largest.entries", "`Object.fromEntries`", "count"],
        ["largest.ours", "`buildObject` of the decoder", "count"],
        ["largest.constant", "what the decoder takes for that", "count"],
        ["fast.null-prototype", "is `Object.create(null)` with one key fast?"],
        ["fast.delete-last", "is an object fast after `delete` of its last key?"],
        ["fast.delete-first", "and of its first?"],
      ],
    },
    {
      title: "Which share a hidden class",
      text: "Two objects of the same keys, one with 1 in its first field, the other with 1.5; and copies of a template.",
      kind: "counted",
      rows: [
        ["same.stored", "`Object.assign({}, ..)`"],
        ["same.parsed", "`JSON.parse`"],
        ["same.ours", "`buildObject`, fields null first"],
        ["same.spread", "`{ ...template }` and `{ ...template }`"],
        ["same.spread-literal", "`{ ...template }` and the template, a literal"],
      ],
    },
    {
      title: "Bytes",
      text: "Of a key, in objects that have the same keys, and in objects of 100 keys of their own, without these texts.",
      kind: "counted",
      rows: [
        ["bytes-9.grown", "a whole object of 9 keys, grown from `{}`", "bytes"],
        ["bytes-9.room", "the same with room inside", "bytes"],
        ...[24, 100, 505].flatMap((n) => [
          [`bytes-${n}.fast`, `${n} keys: fast`, "bytes"],
          [`bytes-${n}.dictionary`, `${n} keys: dictionary`, "bytes"],
        ]),
        ["bytes-new.fast", "100 keys of its own: fast", "bytes"],
        ["bytes-new.dictionary", "100 keys of its own: dictionary", "bytes"],
      ],
    },
    {
      title: "Making objects",
      text: "Speed as a multiple of the other way's.",
      kind: "timed",
      rows: [
        ["build-9.grown.time", "9 keys from `{}`, time", "time"],
        ["build-9.room", "9 keys with room inside (`roomFor`)", "ratio"],
        ["build-16.grown.time", "16 keys from `{}`, time", "time"],
        ["build-16.room", "16 keys with room inside", "ratio"],
        ["known.dictionary.time", "100 known keys as a dictionary, time", "time"],
        ["known.fast", "100 known keys as a fast object", "ratio"],
        ["new.fast.time", "100 new keys as a fast object, time", "time"],
        ["new.dictionary", "100 new keys as a dictionary", "ratio"],
      ],
    },
    {
      title: "Reading them",
      text: "Speed as a multiple of the other way's.",
      kind: "timed",
      rows: [
        ["read.dictionary.time", "3 of 24 fields of a dictionary, 100 times, time", "time"],
        ["read.fast", "of a fast object", "ratio"],
        ["walk.keys.time", "all of 6 fields by `Object.keys`, time", "time"],
        ["walk.for-in", "by `for..in`", "ratio"],
      ],
    },
  ],
  claims: [
    {
      text: "Objects that the decoder builds are fast up to 507 keys, and no further",
      file: OBJECTS,
      code: "MAX_FAST_KEYS = MAX_INSIDE + 255",
      figure: "largest.ours",
      is: MAX_FAST_KEYS,
    },
    {
      text: `From \`{}\` they would be dictionaries soon past ${MAX_UNPREPARED_KEYS} keys`,
      file: OBJECTS,
      code: "MAX_UNPREPARED_KEYS = 16",
      figure: "largest.store",
      atMost: 24,
    },
    {
      text: "Defined instead of assigned, they are fast up to 1,020",
      file: OBJECTS,
      figure: "largest.define",
      is: 1020,
    },
    { text: "What has no prototype is a dictionary", file: OBJECTS, figure: "fast.null-prototype", is: false },
    {
      text: "A field that began as an integer changes the class with a fraction",
      file: OBJECTS,
      figure: "same.stored",
      is: false,
    },
    {
      text: "With null first in all fields it does not",
      file: OBJECTS,
      code: "setOwn(object, keys[first + i] as string, null)",
      figure: "same.ours",
      is: true,
    },
    {
      text: "Copies of a template differ in class from its literal",
      file: "docs/performance-notes.md",
      code: "`{...template}` to begin objects with",
      figure: "same.spread-literal",
      is: false,
      majors: [20],
    },
    { text: "A fast object takes 8 bytes a key", file: RECORDS, figure: "bytes-100.fast", about: 8, within: 0.15 },
    { text: "A dictionary takes 42 bytes a key or more", file: RECORDS, figure: "bytes-100.dictionary", atLeast: 35 },
    { text: "Of keys that never recur, at most 100 bytes", file: RECORDS, figure: "bytes-new.dictionary", atMost: 110 },
    { text: "A fast object of such keys takes no less", file: RECORDS, figure: "bytes-new.fast", atLeast: 40 },
    { text: "Known keys are faster stored in fast objects", file: RECORDS, figure: "known.fast", atLeast: 1.1 },
    { text: "New keys are faster stored in a dictionary", file: RECORDS, figure: "new.dictionary", atLeast: 1.5 },
    {
      text: "An object with room inside takes less than one grown from `{}`",
      file: OBJECTS,
      figure: "bytes-9.room",
      atMost: 100,
    },
    { text: "Room inside is not slower than growth from `{}`", file: OBJECTS, figure: "build-9.room", atLeast: 0.85 },
    { text: "Fast objects are read faster", file: OBJECTS, figure: "read.fast", atLeast: 1.5 },
    {
      text: "`for..in` is no slower than `Object.keys`",
      file: WRITE,
      code: "for (key in object)",
      figure: "walk.for-in",
      atLeast: 1,
    },
  ],
};
