/** Every type, with the limits of its range, at every place where it may be; and its invalid bytes. */
import type { DocumentField, DocumentType, Json, SchemaDocument } from "../shape.ts";
import { kindOf } from "../shape.ts";
import { Cases, documentOf, type OwnCase, oneField, times } from "./make.ts";

/** A type, values of it, and invalid bytes with their code. */
interface Sample {
  readonly type: DocumentType;
  readonly values: readonly Json[];
  readonly bad: readonly (readonly [string, string, readonly number[]])[];
}

const POINT: readonly DocumentField[] = [
  { name: "x", type: "ivar" },
  { name: "y", type: "ivar" },
];
const LABEL: readonly DocumentField[] = [{ name: "text", type: "utf8" }];
const STRUCTS = { Point: POINT, Label: LABEL };

const TOO_LONG = times(4, 0xff);
const VARINT_32 = [
  ["a fifth byte above 0f", "ERR_OUT_OF_RANGE", [...TOO_LONG, 0x10]],
  ["a fifth byte that goes on", "ERR_OUT_OF_RANGE", [...TOO_LONG, 0x8f, 0x01]],
  ["a needless last byte", "ERR_NOT_SHORTEST", [0x80, 0x00]],
  ["a needless fifth byte", "ERR_NOT_SHORTEST", [0x80, 0x80, 0x80, 0x80, 0x00]],
  ["nothing but bytes that go on", "ERR_TRUNCATED", [0x80, 0x80]],
] as const;
const VARINT_64 = [
  ["a tenth byte above 01", "ERR_OUT_OF_RANGE", [...times(9, 0xff), 0x02]],
  ["a tenth byte that goes on", "ERR_OUT_OF_RANGE", [...times(9, 0xff), 0x81, 0x01]],
  ["a needless last byte", "ERR_NOT_SHORTEST", [0x80, 0x00]],
  ["a needless tenth byte", "ERR_NOT_SHORTEST", [...times(9, 0x80), 0x00]],
  ["nothing but bytes that go on", "ERR_TRUNCATED", times(9, 0xff)],
] as const;
const NOT_UTF8 = [
  ["a byte that begins nothing", [0x80]],
  ["an overlong form of two bytes", [0xc1, 0xbf]],
  ["an overlong form of three bytes", [0xe0, 0x9f, 0xbf]],
  ["an overlong form of four bytes", [0xf0, 0x8f, 0xbf, 0xbf]],
  ["a surrogate", [0xed, 0xa0, 0x80]],
  ["beyond U+10FFFF", [0xf4, 0x90, 0x80, 0x80]],
  ["cut in a character", [0x61, 0xe2, 0x82]],
  ["a byte that no UTF-8 has", [0xff]],
] as const;

function unsigned(bits: number): Json[] {
  const most = 2n ** BigInt(bits) - 1n;
  return [0n, 1n, 127n, 128n, most / 2n, most / 2n + 1n, most].map((value) => integer(value, bits));
}

function signed(bits: number): Json[] {
  const most = 2n ** BigInt(bits - 1) - 1n;
  return [0n, 1n, -1n, 63n, 64n, -64n, -65n, most, -most - 1n].map((value) => integer(value, bits));
}

function integer(value: bigint, bits: number): Json {
  return bits === 64 ? String(value) : Number(value);
}

/** Numbers at which a varint gets one byte more. */
function steps(bits: 32 | 64): Json[] {
  const powers = Array.from({ length: Math.floor(bits / 7) }, (_, i) => 2n ** BigInt(7 * (i + 1)));
  return [0n, ...powers.flatMap((power) => [power - 1n, power]), 2n ** BigInt(bits) - 1n].map((value) =>
    integer(value, bits),
  );
}

function zigzagSteps(bits: 32 | 64): Json[] {
  const powers = Array.from({ length: Math.floor(bits / 7) }, (_, i) => 2n ** BigInt(7 * (i + 1) - 1));
  const most = 2n ** BigInt(bits - 1) - 1n;
  return [0n, ...powers.flatMap((power) => [power - 1n, -power, power]), most, -most - 1n].map((value) =>
    integer(value, bits),
  );
}

const F32 = [0, "-0", 1, 0.5, 1.401298464324817e-45, 3.4028234663852886e38, "NaN", "Infinity", "-Infinity"];
const F64 = [0, "-0", 0.1, 5e-324, 1.7976931348623157e308, 9007199254740991, "NaN", "Infinity", "-Infinity"];

const SAMPLES: readonly Sample[] = [
  { type: "bool", values: [true, false], bad: [] },
  ...([8, 16, 32, 64] as const).flatMap((bits) => [
    { type: `u${bits}`, values: unsigned(bits), bad: [] },
    { type: `i${bits}`, values: signed(bits), bad: [] },
  ]),
  // Rounded: ties to even, up, down; and to 0.
  { type: "f32", values: [...F32, 16777217, 16777219, 0.1, 1e-46, "-0"], bad: [] },
  { type: "f64", values: F64, bad: [] },
  { type: "uvar", values: steps(32), bad: VARINT_32 },
  { type: "ivar", values: zigzagSteps(32), bad: VARINT_32 },
  { type: "uvar64", values: steps(64), bad: VARINT_64 },
  { type: "ivar64", values: zigzagSteps(64), bad: VARINT_64 },
  {
    type: { enumeration: ["red", "green", "blue"] },
    values: ["red", "green", "blue"],
    bad: [["an index beyond the names", "ERR_UNKNOWN_INDEX", [0x03]], ...VARINT_32],
  },
  {
    type: { enumeration: Array.from({ length: 130 }, (_, i) => `value${i}`) },
    values: ["value0", "value127", "value128", "value129"],
    bad: [["an index of two bytes beyond the names", "ERR_UNKNOWN_INDEX", [0x82, 0x01]]],
  },
  {
    type: "bytes",
    values: ["", "AA==", "//8=", "AAEC"],
    bad: [["a count above what is left", "ERR_TRUNCATED", [5, 1]], ...VARINT_32],
  },
  { type: { bytes: 1 }, values: ["/w=="], bad: [] },
  { type: { bytes: 5 }, values: ["AAECAwQ="], bad: [] },
  {
    type: "utf8",
    values: [
      "",
      "a",
      "\0",
      "é",
      "日本",
      "😀",
      "\ufeffx",
      "\u07ff\u0800\uffff\u{10000}\u{10ffff}",
      "x".repeat(127),
      "x".repeat(128),
    ],
    bad: [
      ...NOT_UTF8.map(([what, bytes]) => [what, "ERR_INVALID_UTF8", [bytes.length, ...bytes]] as const),
      ["a count above what is left", "ERR_TRUNCATED", [0xff, 0xff, 0xff, 0xff, 0x0f, 0x61]],
      ...VARINT_32,
    ],
  },
  {
    type: "ascii",
    values: ["", "a", "\0\x7f", "y".repeat(128)],
    bad: [
      ["a byte of 80", "ERR_INVALID_ASCII", [2, 0x61, 0x80]],
      ["é", "ERR_INVALID_ASCII", [2, 0xc3, 0xa9]],
      ...VARINT_32,
    ],
  },
  { type: { ascii: 3 }, values: ["abc", "\0\x7f "], bad: [["a byte of ff", "ERR_INVALID_ASCII", [0x61, 0x62, 0xff]]] },
  {
    type: { ref: "Point" },
    values: [
      { x: 0, y: -1 },
      { x: 2147483647, y: -2147483648 },
    ],
    bad: [],
  },
  { type: { ref: "Label" }, values: [{ text: "" }, { text: "é" }], bad: [] },
  {
    type: {
      union: [
        ["point", "Point"],
        ["label", "Label"],
        ["again", "Point"],
      ],
    },
    values: [
      { kind: "point", x: 1, y: 2 },
      { kind: "label", text: "t" },
      { kind: "again", x: 1, y: 2 },
    ],
    bad: [["an arm beyond the arms", "ERR_UNKNOWN_INDEX", [0x03]], ...VARINT_32],
  },
  {
    type: { union: [["label", "Label"]], discriminator: "a b" },
    values: [{ "a b": "label", text: "t" }],
    bad: [],
  },
  {
    type: { array: "u16" },
    values: [[], [1], [1, 65535, 0]],
    bad: [["a count above what is left", "ERR_LIMIT_ELEMENTS", [2, 0, 0, 0]], ...VARINT_32],
  },
  {
    type: { array: "utf8" },
    values: [[], [""], ["a", "é", ""]],
    bad: [["a count above what is left", "ERR_LIMIT_ELEMENTS", [2, 0]]],
  },
  {
    type: { array: "bool" },
    values: [[], [true], [false], times(8, true), times(9, true), [...times(8, false), true]],
    bad: [
      ["spare bits", "ERR_INVALID_PADDING", [3, 0x08]],
      ["a count above what is left", "ERR_LIMIT_ELEMENTS", [9, 0xff]],
    ],
  },
  { type: { array: "u32", length: 2 }, values: [[0, 4294967295]], bad: [] },
  { type: { array: "utf8", length: 2 }, values: [["", "b"]], bad: [] },
  {
    type: { array: "bool", length: 9 },
    values: [times(9, true), times(9, false)],
    bad: [["spare bits", "ERR_INVALID_PADDING", [0, 0x02]]],
  },
  {
    type: { array: { nullable: "u8" } },
    values: [[], [null], [7], [null, 1, null, 2, null, 3, null, 4, null], times(8, 0)],
    bad: [
      ["spare bits", "ERR_INVALID_PADDING", [1, 0x02]],
      ["a count above what is left", "ERR_LIMIT_ELEMENTS", [9, 0xff]],
      ["bits for elements that are not there", "ERR_TRUNCATED", [2, 0x03, 1]],
    ],
  },
  {
    type: { array: { nullable: "bool" } },
    values: [[null, true, false]],
    bad: [["a bool of 02", "ERR_INVALID_PADDING", [1, 1, 2]]],
  },
  {
    type: { array: { nullable: { ref: "Point" } }, length: 3 },
    values: [
      [null, { x: 1, y: 2 }, null],
      [null, null, null],
    ],
    bad: [["spare bits", "ERR_INVALID_PADDING", [0x08]]],
  },
  {
    type: { array: { array: "u8" } },
    values: [[], [[]], [[1], [], [2, 3]]],
    bad: [["an inner count above what is owed", "ERR_LIMIT_ELEMENTS", [2, 1]]],
  },
  {
    type: { map: ["u8", "utf8"] },
    values: [
      [],
      [[1, "a"]],
      [
        [0, ""],
        [1, "b"],
        [255, "c"],
      ],
    ],
    bad: [
      ["keys that descend", "ERR_MAP_ORDER", [2, 2, 0, 1, 0]],
      ["equal keys", "ERR_MAP_ORDER", [2, 2, 0, 2, 0]],
      ["the key before its value, which is cut", "ERR_MAP_ORDER", [2, 2, 0, 1, 9]],
      ["a count above what is left", "ERR_LIMIT_ELEMENTS", [2, 1, 0, 2]],
    ],
  },
  {
    type: { map: ["utf8", "bool"] },
    values: [
      [
        ["a", true],
        ["b", false],
      ],
    ],
    bad: [["a bool of 02", "ERR_INVALID_PADDING", [1, 1, 0x61, 2]]],
  },
  {
    type: { map: ["uvar", { nullable: "u16" }] },
    values: [
      [
        [1, null],
        [300, 7],
      ],
    ],
    bad: [["a byte of 02 before a nullable", "ERR_INVALID_PADDING", [1, 1, 2]]],
  },
  {
    type: { map: ["u8", { map: ["u8", "u8"] }] },
    values: [
      [
        [1, []],
        [2, [[3, 4]]],
      ],
    ],
    bad: [],
  },
];

/** Returns the cases of every type, alone and at every place. */
export function typeCases(): readonly OwnCase[] {
  const cases = new Cases();
  for (const { type, values, bad } of SAMPLES) {
    const name = `${JSON.stringify(type).slice(0, 60)}`;
    const doc = oneField(type, [], STRUCTS);
    const all = values.map((value) => cases.value(`${name}: ${show(value)}`, doc, { v: value }));
    const short = all.filter((bytes) => bytes.length <= 24);
    if (short.length > 0) cases.cuts(name, doc, short.at(-1)!);
    for (const [what, code, bytes] of bad) cases.refused(`${name}: ${what}`, doc, code, bytes);
    for (const [where, place, put] of PLACES) {
      if (kindOf(type) === "nullable" || (kindOf(type) === "bool" && where === "optional")) continue;
      const there = place(type);
      const bytes = cases.value(`${name}, ${where}`, there, put([values[0]!, values.at(-1)!]));
      cases.bytes(`${name}, ${where}, cut`, there, bytes.slice(0, -1));
    }
  }
  const nothings = documentOf({ Root: [{ name: "v", type: { map: ["u8", { ref: "Nothing" }] } }], Nothing: [] });
  const pairs = [1, 2].map((key) => [key, {}]);
  cases.cuts("a map of empty structs", nothings, cases.value("a map of empty structs", nothings, { v: pairs }));
  return cases.list;
}

function show(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}..` : text;
}

type Place = readonly [string, (type: DocumentType) => SchemaDocument, (values: readonly [Json, Json]) => Json];

const PLACES: readonly Place[] = [
  ["optional", (type) => oneField(type, ["null"], STRUCTS), ([, b]) => ({ v: b })],
  ["an element", (type) => oneField({ array: type }, [], STRUCTS), ([a, b]) => ({ v: [a, b, a] })],
  [
    "one of three elements",
    (type) => oneField({ array: type, length: 3 }, [], STRUCTS),
    ([a, b]) => ({ v: [b, a, b] }),
  ],
  [
    "a nullable element",
    (type) => oneField({ array: { nullable: type } }, [], STRUCTS),
    ([a, b]) => ({ v: [a, null, b] }),
  ],
  [
    "a nullable one of nine",
    (type) => oneField({ array: { nullable: type }, length: 9 }, [], STRUCTS),
    ([a]) => ({ v: [...times(8, null), a] }),
  ],
  [
    "a map's value",
    (type) => oneField({ map: ["u8", type] }, [], STRUCTS),
    ([a, b]) => ({
      v: [
        [1, a],
        [2, b],
      ],
    }),
  ],
  [
    "a map's nullable value",
    (type) => oneField({ map: ["u8", { nullable: type }] }, [], STRUCTS),
    ([a]) => ({
      v: [
        [1, null],
        [2, a],
      ],
    }),
  ],
  [
    "in a struct of a struct",
    (type) =>
      documentOf({
        Root: [
          { name: "r", type: { ref: "In" } },
          { name: "n", type: "u8" },
        ],
        In: [{ name: "v", type }],
        ...STRUCTS,
      }),
    ([, b]) => ({ r: { v: b }, n: 9 }),
  ],
  [
    "in an arm",
    (type) =>
      documentOf({
        Root: [
          {
            name: "u",
            type: {
              union: [
                ["point", "Point"],
                ["in", "In"],
              ],
            },
          },
        ],
        In: [{ name: "v", type }],
        ...STRUCTS,
      }),
    ([, b]) => ({ u: { kind: "in", v: b } }),
  ],
];
