// node vectors/pck/containers/make.mjs: writes containers that do not exist yet. Existing ones never change: every later
// version must read them. NAME.json is written by hand and describes NAME.pck: its values in their JSON form, and the values
// as which a later schema reads them.
import { existsSync, writeFileSync } from "node:fs";
import { codec, encodeContainer, fingerprint } from "../../../packages/pck/build/index.js";

/** A schema document with these structs; the first is the root. */
function documentOf(structs) {
  return { pck: 1, root: Object.keys(structs)[0], structs };
}

const types = {
  bool: "bool",
  u8: "u8",
  u16: "u16",
  u32: "u32",
  u64: "u64",
  i8: "i8",
  i16: "i16",
  i32: "i32",
  i64: "i64",
  f32: "f32",
  f64: "f64",
  uvar: "uvar",
  ivar: "ivar",
  uvar64: "uvar64",
  ivar64: "ivar64",
  enumeration: { enumeration: ["red", "green"] },
  bytes: "bytes",
  "bytes(2)": { bytes: 2 },
  utf8: "utf8",
  ascii: "ascii",
  "ascii(3)": { ascii: 3 },
  ref: { ref: "Point" },
  union: { union: [["point", "Point"], ["nothing", "Nothing"]], discriminator: "is" },
  array: { array: "uvar" },
  "array(2)": { array: "i16", length: 2 },
  bits: { array: "bool" },
  holes: { array: { nullable: "utf8" } },
  map: { map: ["utf8", { nullable: "u8" }] },
  "map by number": { map: ["i64", { ref: "Point" }] },
};
const Point = { fields: [{ name: "x", type: "ivar" }, { name: "y", type: "ivar" }] };
const everyType = documentOf({
  Everything: { doc: "A field of each type.", fields: Object.entries(types).map(([name, type]) => ({ name, type })) },
  Point,
  Nothing: { fields: [] },
});

const nested = documentOf({
  Node: {
    fields: [
      { name: "value", type: "uvar", omit: ["zero"] },
      { name: "children", type: { array: { ref: "Node" } }, omit: ["empty"] },
      { name: "next", type: { ref: "Node" }, omit: ["null"] },
    ],
  },
});

const playerFields = [
  { name: "name", type: "utf8" },
  { name: "level", type: "u8" },
  { name: "team", type: { enumeration: ["red", "blue"] } },
];
const playersOne = documentOf({ Player: { fields: [...playerFields, { name: "nick", type: "ascii" }] } });
const playersTwo = documentOf({
  Player: {
    fields: [
      { name: "title", type: "utf8", renamed: ["name"] },
      { name: "level", type: "u32" },
      { name: "team", type: { enumeration: ["none", "blue", "red"] } },
      { name: "friends", type: { array: "utf8" }, omit: ["empty"] },
      { name: "score", type: "ivar64", default: "-1" },
      { name: "at", type: { ref: "Point" }, omit: ["null"] },
    ],
  },
  Point,
});

const containers = {
  "no-values": { document: playersOne, values: [] },
  "empty-struct": { document: documentOf({ Nothing: { fields: [] } }), values: [{}, {}, {}] },
  "every-type": {
    document: everyType,
    values: [
      {
        bool: true,
        u8: 255,
        u16: 65535,
        u32: 4294967295,
        u64: "18446744073709551615",
        i8: -128,
        i16: -32768,
        i32: -2147483648,
        i64: "-9223372036854775808",
        f32: 0.5,
        f64: "NaN",
        uvar: 300,
        ivar: -300,
        uvar64: "18446744073709551615",
        ivar64: "-9223372036854775808",
        enumeration: "green",
        bytes: "AQID",
        "bytes(2)": "/wA=",
        utf8: "Zoë 😀",
        ascii: "plain",
        "ascii(3)": "abc",
        ref: { x: 1, y: -1 },
        union: { is: "point", x: 2, y: -2 },
        array: [0, 127, 128, 4294967295],
        "array(2)": [-1, 1],
        bits: [true, false, true, true, false, true, false, false, true],
        holes: ["a", null, ""],
        map: [["", 1], ["a", null], ["é", 255]],
        "map by number": [["-5", { x: 0, y: 0 }], ["7", { x: 3, y: 4 }]],
      },
      {
        bool: false,
        u8: 0,
        u16: 0,
        u32: 0,
        u64: "0",
        i8: 0,
        i16: 0,
        i32: 0,
        i64: "0",
        f32: "-0",
        f64: "-Infinity",
        uvar: 0,
        ivar: 0,
        uvar64: "0",
        ivar64: "0",
        enumeration: "red",
        bytes: "",
        "bytes(2)": "AAA=",
        utf8: "\ufeff",
        ascii: "",
        "ascii(3)": "   ",
        ref: { x: 0, y: 0 },
        union: { is: "nothing" },
        array: [],
        "array(2)": [0, 0],
        bits: [],
        holes: [],
        map: [],
        "map by number": [],
      },
    ],
  },
  nested: {
    document: nested,
    values: [
      {
        value: 1,
        children: [
          { value: 2, children: [], next: null },
          { value: 0, children: [{ value: 3, children: [], next: null }], next: null },
        ],
        next: { value: 4, children: [], next: { value: 5, children: [], next: null } },
      },
      { value: 0, children: [], next: null },
    ],
  },
  "players-1": {
    document: playersOne,
    values: [
      { name: "Ann", level: 3, team: "red", nick: "a" },
      { name: "Zoë", level: 255, team: "blue", nick: "" },
    ],
    later: {
      reader: playersTwo,
      values: [
        { title: "Ann", level: 3, team: "red", friends: [], score: "-1", at: null },
        { title: "Zoë", level: 255, team: "blue", friends: [], score: "-1", at: null },
      ],
    },
  },
  "players-2": {
    document: playersTwo,
    values: [
      { title: "Ann", level: 70000, team: "none", friends: ["Zoë"], score: "12", at: { x: -1, y: 300 } },
      { title: "Zoë", level: 0, team: "blue", friends: [], score: "-9007199254740993", at: null },
    ],
  },
};

for (const [name, { document, values, later }] of Object.entries(containers)) {
  const file = (extension) => new URL(`${name}.${extension}`, import.meta.url);
  if (existsSync(file("pck"))) continue;
  const form = codec(document);
  writeFileSync(file("pck"), encodeContainer(document, values.map((value) => form.fromJSON(value))));
  const said = { document, fingerprint: Buffer.from(fingerprint(document)).toString("hex"), values, later };
  writeFileSync(file("json"), `${JSON.stringify(said, null, 1)}\n`);
  console.log(`wrote ${name}.pck`);
}
