// Map, an ordered hash table in JavaScript with the same structure, and objects without a prototype.
import { fill, lookUp, MOST, memory, most, order } from "./maps-measure.mjs";

const KNOWN_KEYS = "docs/performance-notes.md";
const OBJECTS = "packages/moonpack/src/msgpack/read/objects.ts";
const KEY_TABLE = "packages/moonpack/src/msgpack/read/key-table.ts";
const getRows = ["texts", "integers"].flatMap((name) =>
  [100, 10_000].flatMap((n) => {
    const what = `1,000 of ${n.toLocaleString("en-US")} ${name}`;
    return [
      [`get-${name}-${n}.map.time`, `${what}: Map, time`, "time"],
      [`get-${name}-${n}.table`, `${what}: the table`, "ratio"],
      [`get-${name}-${n}.object`, `${what}: an object`, "ratio"],
    ];
  }),
);

export const study = {
  name: "maps",
  parts: [
    { id: "memory", kind: "counted", run: memory },
    { id: "order", kind: "counted", run: order },
    { id: "most", kind: "counted", run: most, isLong: true },
    { id: "look-up", kind: "timed", run: lookUp },
    { id: "fill", kind: "timed", run: fill },
  ],
  groups: [
    {
      title: "Memory",
      text: "The formula: a header of 3 words, and 3.5 words of 8 bytes for each of 2ⁿ entries. Held bytes as a share of that, without the texts themselves.",
      kind: "counted",
      rows: [10, 18, 20].flatMap((power) => {
        const what = `${(2 ** power).toLocaleString("en-US")} entries`;
        return [
          [`memory-${power}.formula`, `${what}: the formula, bytes`, "bytes"],
          [`memory-${power}.map`, `${what}: Map of integers`, "ratio"],
          [`memory-${power}.table`, `${what}: the table, of integers`, "ratio"],
          [`memory-${power}.map-texts`, `${what}: Map of texts`, "ratio"],
          [`memory-${power}.object-texts`, `${what}: an object of texts`, "ratio"],
        ];
      }),
    },
    {
      title: "Order and size",
      text: "Keys `b`, `10`, `a`, `9`, inserted in this order; the capacity of the table, which equals that of Map according to the article.",
      kind: "counted",
      rows: [
        ["order.map", "does Map keep the insertion order?"],
        ["order.table", "does the table?"],
        ["order.object", "does an object without a prototype?"],
        ["order.changed", "do Map and table iterate alike while they change?"],
        ["capacity.first", "initial capacity of the table", "count"],
        ["capacity.fifth", "capacity with five entries", "count"],
        ["capacity.shrunk", "capacity with 1,024 entries, of which 924 were deleted", "count"],
        ["map.most", "the most entries of a Map", "count"],
      ],
    },
    { title: "Look-ups", text: "Speed as a multiple of Map's.", kind: "timed", rows: getRows },
    {
      title: "Filling with 10,000 texts",
      text: "Speed as a multiple of Map's.",
      kind: "timed",
      rows: [
        ["fill.map.time", "Map, time", "time"],
        ["fill.table", "the table", "ratio"],
        ["fill.object", "an object without a prototype", "ratio"],
      ],
    },
  ],
  claims: [
    {
      text: "A full Map takes 3.5 words per entry",
      file: KNOWN_KEYS,
      figure: "memory-18.map",
      about: 1,
      within: 0.04,
    },
    { text: "2²⁰ entries take 29 MB", file: KNOWN_KEYS, figure: "memory-20.map", about: 1, within: 0.04 },
    {
      text: "The table takes as much",
      file: "proving/bench/studies/hash-table.mjs",
      figure: "memory-18.table",
      about: 1,
      within: 0.04,
    },
    {
      text: "An object with as many texts takes at least a third more",
      file: KNOWN_KEYS,
      figure: "memory-18.object-texts",
      atLeast: 1.3,
    },
    {
      text: "Objects do not keep the order of keys that look like numbers",
      file: OBJECTS,
      code: "function buildMap",
      figure: "order.object",
      is: false,
    },
    { text: "Maps do", file: OBJECTS, figure: "order.map", is: true },
    {
      text: "A table starts with 2 buckets of 2",
      file: "proving/bench/studies/hash-table.mjs",
      figure: "capacity.first",
      is: 4,
    },
    {
      text: "It doubles when it is full",
      file: "proving/bench/studies/hash-table.mjs",
      figure: "capacity.fifth",
      is: 8,
    },
    {
      text: "It halves when it has fewer entries than half of its buckets",
      file: "proving/bench/studies/hash-table.mjs",
      figure: "capacity.shrunk",
      is: 256,
    },
    {
      text: "A Map that changes is iterated like the table",
      file: "proving/bench/studies/hash-table.mjs",
      figure: "order.changed",
      is: true,
    },
    { text: "No Map has more than 2²⁴ entries", file: OBJECTS, figure: "map.most", is: MOST },
    {
      text: "Hashing texts in JavaScript takes at least twice as long as Map; the key table hashes bytes, which Map cannot",
      file: KEY_TABLE,
      code: "class KeyTable",
      figure: "get-texts-10000.table",
      atMost: 0.5,
    },
    { text: "It does with 100 texts", file: KEY_TABLE, figure: "get-texts-100.table", atMost: 0.5 },
    {
      text: "Filling an object takes at least two thirds of a Map's time",
      file: KNOWN_KEYS,
      figure: "fill.object",
      atMost: 1.5,
    },
  ],
};
