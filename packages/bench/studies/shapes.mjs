// Objects: which are fast, which share a hidden class, and what a key costs in either kind.
import { MAX_FAST_KEYS, MAX_UNPREPARED_KEYS } from "../../moonpack/dist/msgpack/objects.js";
import { building, bytes, classes, limits, reading } from "./shapes-measure.mjs";

const OBJECTS = "packages/moonpack/src/msgpack/objects.ts";
const RECORDS = "packages/moonpack/src/msgpack/records.ts";
const WRITE = "packages/moonpack/src/msgpack/write.ts";

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
    {
      text: "A dictionary takes five times as much at least",
      file: RECORDS,
      figure: "bytes-100.dictionary",
      atLeast: 40,
    },
    { text: "Of keys that never recur, at most 100 bytes", file: RECORDS, figure: "bytes-new.dictionary", atMost: 100 },
    { text: "A fast object takes 100 at least of such keys", file: RECORDS, figure: "bytes-new.fast", atLeast: 100 },
    { text: "Known keys are faster stored in fast objects", file: RECORDS, figure: "known.fast", atLeast: 1.1 },
    { text: "New keys are faster stored in a dictionary", file: RECORDS, figure: "new.dictionary", atLeast: 1.5 },
    {
      text: "An object of 9 keys with room inside takes 100 bytes at most",
      file: OBJECTS,
      figure: "bytes-9.room",
      atMost: 100,
    },
    { text: "One grown from `{}` takes more than that", file: OBJECTS, figure: "bytes-9.grown", atLeast: 110 },
    {
      text: "Room inside takes a quarter longer at most than growth from `{}`",
      file: OBJECTS,
      figure: "build-9.room",
      atLeast: 0.8,
    },
    {
      text: "Fast objects are read in two thirds of the time or less",
      file: OBJECTS,
      figure: "read.fast",
      atLeast: 1.5,
    },
    {
      text: "`for..in` takes half of the time of `Object.keys` or less",
      file: WRITE,
      code: "for (key in object)",
      figure: "walk.for-in",
      atLeast: 2,
    },
  ],
};
