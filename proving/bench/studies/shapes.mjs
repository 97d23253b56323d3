// Objects: which are fast, which share a hidden class, and the cost of a key in both kinds.
import { MAX_FAST_KEYS } from "../../../packages/moonpack/build/msgpack/read/objects.js";
import { building, bytes, classes, limits, reading } from "./shapes-measure.mjs";

const OBJECTS = "packages/moonpack/src/msgpack/read/objects.ts";
const RECORDS = "packages/moonpack/src/msgpack/read/reuse-policy.ts";
const WRITE = "packages/moonpack/src/msgpack/write/message.ts";

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
      text: "The most keys before it becomes a dictionary, as V8 reports.",
      kind: "counted",
      rows: [
        ["largest.literal", "an object literal", "count"],
        ["largest.store", "`{}`, then `object[key] =`", "count"],
        ["largest.define", "`{}`, then `Object.defineProperty`", "count"],
        ["largest.json", "`JSON.parse`", "count"],
        ["largest.entries", "`Object.fromEntries`", "count"],
        ["largest.ours", "filled as by the decoder", "count"],
        ["largest.constant", "the constant in the decoder", "count"],
        ["fast.null-prototype", "is `Object.create(null)` with one key fast?"],
        ["fast.delete-last", "is an object fast after `delete` of its last key?"],
        ["fast.delete-first", "is an object fast after `delete` of its first key?"],
      ],
    },
    {
      title: "Which objects share a hidden class",
      text: "Two objects with the same keys: one has 1 in its first field, the other 1.5. And copies of a template.",
      kind: "counted",
      rows: [
        ["same.stored", "`Object.assign({}, ..)`"],
        ["same.parsed", "`JSON.parse`"],
        ["same.ours", "filled as by the decoder, fields null first"],
        ["same.spread", "`{ ...template }` and `{ ...template }`"],
        ["same.spread-literal", "`{ ...template }` and the template, a literal"],
      ],
    },
    {
      title: "Bytes",
      text: "Bytes per key, in objects with the same keys, and in objects with 100 different keys each, without the texts of the keys.",
      kind: "counted",
      rows: [
        ["bytes-9.grown", "a whole object of 9 keys, grown from `{}`", "bytes"],
        ["bytes-9.room", "the same with in-object capacity", "bytes"],
        ...[24, 100, 505].flatMap((n) => [
          [`bytes-${n}.fast`, `${n} keys: fast`, "bytes"],
          [`bytes-${n}.dictionary`, `${n} keys: dictionary`, "bytes"],
        ]),
        ["bytes-new.fast", "100 different keys: fast", "bytes"],
        ["bytes-new.dictionary", "100 different keys: dictionary", "bytes"],
      ],
    },
    {
      title: "Making objects",
      text: "Speed as a multiple of the first way.",
      kind: "timed",
      rows: [
        ["build-9.grown.time", "9 keys from `{}`, time", "time"],
        ["build-9.room", "9 keys with in-object capacity (`sizedConstructor`)", "ratio"],
        ["build-16.grown.time", "16 keys from `{}`, time", "time"],
        ["build-16.room", "16 keys with in-object capacity", "ratio"],
        ["known.dictionary.time", "100 known keys as a dictionary, time", "time"],
        ["known.fast", "100 known keys as a fast object", "ratio"],
        ["new.fast.time", "100 new keys as a fast object, time", "time"],
        ["new.dictionary", "100 new keys as a dictionary", "ratio"],
      ],
    },
    {
      title: "Reading them",
      text: "Speed as a multiple of the first way.",
      kind: "timed",
      rows: [
        ["read.dictionary.time", "3 of 24 fields of a dictionary, 100 times, time", "time"],
        ["read.fast", "3 of 24 fields of a fast object", "ratio"],
        ["walk.keys.time", "all of 6 fields by `Object.keys`, time", "time"],
        ["walk.for-in", "by `for..in`", "ratio"],
      ],
    },
  ],
  claims: [
    {
      text: "Objects that the decoder builds are fast up to 507 keys",
      file: OBJECTS,
      code: "MAX_FAST_KEYS = MAX_INSIDE + 255",
      figure: "largest.ours",
      is: MAX_FAST_KEYS,
    },
    {
      text: "From `{}` they would be dictionaries soon after 16 keys",
      file: OBJECTS,
      code: "a dictionary past 16 keys",
      figure: "largest.store",
      atMost: 24,
    },
    {
      text: "With defined instead of assigned keys, they are fast up to 1,020",
      file: OBJECTS,
      figure: "largest.define",
      is: 1020,
    },
    { text: "An object without a prototype is a dictionary", file: OBJECTS, figure: "fast.null-prototype", is: false },
    {
      text: "A fraction in a field that held an integer changes the class",
      file: OBJECTS,
      figure: "same.stored",
      is: false,
    },
    {
      text: "If a number is stored after null, it does not",
      file: OBJECTS,
      code: 'if (typeof value === "number" && r.keepsClasses) object[key] = null',
      figure: "same.ours",
      is: true,
    },
    {
      text: "Copies of a template have another class than its literal",
      file: "docs/performance-notes.md",
      code: "`{...template}` to begin objects with",
      figure: "same.spread-literal",
      is: false,
      majors: [20],
    },
    { text: "A fast object takes 8 bytes per key", file: RECORDS, figure: "bytes-100.fast", about: 8, within: 0.15 },
    {
      text: "A dictionary takes at least five times as much",
      file: RECORDS,
      figure: "bytes-100.dictionary",
      atLeast: 40,
    },
    {
      text: "For keys that never recur, at most 100 bytes",
      file: RECORDS,
      figure: "bytes-new.dictionary",
      atMost: 100,
    },
    {
      text: "For such keys a fast object takes at least 100 bytes",
      file: RECORDS,
      figure: "bytes-new.fast",
      atLeast: 100,
    },
    { text: "Storing known keys is faster in fast objects", file: RECORDS, figure: "known.fast", atLeast: 1.1 },
    { text: "Storing new keys is faster in a dictionary", file: RECORDS, figure: "new.dictionary", atLeast: 1.5 },
    {
      text: "An object of 9 keys with in-object capacity takes at most 100 bytes",
      file: OBJECTS,
      figure: "bytes-9.room",
      atMost: 100,
    },
    { text: "An object grown from `{}` takes more", file: OBJECTS, figure: "bytes-9.grown", atLeast: 110 },
    {
      text: "In-object capacity takes at most a quarter longer than growth from `{}`",
      file: OBJECTS,
      figure: "build-9.room",
      atLeast: 0.8,
    },
    {
      text: "Reading fast objects takes at most two thirds of the time",
      file: OBJECTS,
      figure: "read.fast",
      atLeast: 1.5,
    },
    {
      text: "`for..in` takes at most half of the time of `Object.keys`",
      file: WRITE,
      code: "for (key in object)",
      figure: "walk.for-in",
      atLeast: 2,
    },
  ],
};
