/** The cases for the comparison of @msgpack/msgpack and its replacement. */
import fc from "fast-check";

/** A class whose instances are encoded by an extension in some cases, by their properties in others. */
export class Point {
  x: number;
  y: number;
  constructor(x: number, y: number) {
    this.x = x;
    this.y = y;
  }
}

function nest(depth: number, leaf: unknown): unknown {
  let value = leaf;
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

const INTEGERS = [
  0,
  1,
  0x7f,
  0x80,
  0xff,
  0x100,
  0xffff,
  0x10000,
  0x7fffffff,
  0x80000000,
  0xffffffff,
  0x100000000,
  2 ** 53 - 1,
];
const NUMBERS = [
  ...INTEGERS,
  ...INTEGERS.map((n) => -n),
  ...[-32, -33, -129, -32769, -2147483649, 2 ** 53, -(2 ** 53), 2 ** 60, 1e20, 1e300, 0.5, 0.1, -1.5, Number.MIN_VALUE],
  ...[Number.MAX_VALUE, Number.NaN, Infinity, -Infinity],
];
const LENGTHS = [0, 1, 2, 3, 4, 5, 8, 9, 15, 16, 17, 31, 32, 50, 51, 200, 201, 255, 256];

export function sized(n: number): { name: string; value: unknown }[] {
  return [
    { name: `${n} ASCII`, value: "a".repeat(n) },
    { name: `${n} CJK`, value: "語".repeat(n) },
    { name: `${n} emoji`, value: "😀".repeat(n) },
    { name: `${n} bytes`, value: new Uint8Array(n).fill(n) },
    { name: `${n} elements`, value: new Array(n).fill(7) },
    { name: `${n} holes`, value: new Array(n) },
    { name: `${n} keys`, value: Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, i])) },
  ];
}

export const VALUES: { name: string; value: unknown }[] = [
  ...NUMBERS.map((value) => ({ name: String(value), value })),
  ...[null, undefined, true, false].map((value) => ({ name: String(value), value })),
  ...LENGTHS.flatMap(sized),
  { name: "bigint", value: 5n },
  { name: "bigint inside", value: { a: [5n] } },
  { name: "symbol", value: Symbol("a") },
  { name: "function", value: () => 1 },
  { name: "function inside", value: { a: [() => 1] } },
  { name: "undefined members", value: { a: undefined, b: 1, c: [undefined] } },
  { name: "own __proto__ key", value: JSON.parse('{"__proto__":1,"constructor":2,"":3}') },
  { name: "null prototype", value: Object.assign(Object.create(null), { a: 1 }) },
  { name: "class instance", value: new Point(1, 2) },
  { name: "Error", value: Object.assign(new Error("lost"), { code: 7 }) },
  {
    name: "getter",
    value: {
      get a() {
        return 1;
      },
    },
  },
  { name: "Float64Array", value: new Float64Array([1.5, -0]) },
  { name: "DataView", value: new DataView(new Uint8Array([1, 2, 3, 4]).buffer, 1, 2) },
  { name: "proxied array", value: new Proxy([1, 2], {}) },
  { name: "array subclass", value: new (class extends Array<number> {})(1, 2, 3) },
  ...[0, 1, 999, 1000, -1, -1000, 4294967295000, 4294967296000, 17179869183999, 17179869184000, 8.64e15, -8.64e15].map(
    (ms) => ({
      name: `Date ${ms}`,
      value: new Date(ms),
    }),
  ),
  ...[1, 98, 99, 100, 101].flatMap((depth) => [
    { name: `${depth} deep, empty`, value: nest(depth, []) },
    { name: `${depth} deep, full`, value: nest(depth, 1) },
  ]),
];

export const ENCODE_OPTIONS: object[] = [
  {},
  { useBigInt64: true },
  { forceFloat32: true },
  { forceIntegerToFloat: true },
  { forceIntegerToFloat: true, forceFloat32: true },
  { ignoreUndefined: true },
  { sortKeys: true },
  { sortKeys: true, ignoreUndefined: true, useBigInt64: true },
  { maxDepth: 3 },
  { maxDepth: 1 },
  { initialBufferSize: 0 },
  { initialBufferSize: 1 },
  { extensionCodec: null, maxDepth: null, sortKeys: null },
];

const text = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: "grapheme", maxLength: 80 }),
  fc.nat(300).map((n) => "é".repeat(n)),
);
/** Without `__proto__`, which the original does not decode: a row of UPGRADING.md with its own test. */
const key = fc
  .oneof(text, fc.constantFrom("id", "name", "constructor", "toString", "", "0", "7"))
  .filter((name) => name !== "__proto__");
const scalar = fc.oneof(
  fc.constantFrom(null, undefined, true, false),
  fc.maxSafeInteger(),
  fc.integer({ min: -70_000, max: 70_000 }),
  fc.double(),
  text,
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
  fc.uint8Array({ maxLength: 40 }),
  fc.date({ noInvalidDate: true }),
);
export const anyValue = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 4, arbitrary: scalar },
    fc.array(tie("value"), { maxLength: 20 }),
    tie("object"),
  ),
  object: fc.dictionary(key, tie("value"), { maxKeys: 20, noNullPrototype: true }),
})).value;
const flag = fc.boolean();
export const encodeOptions = fc.record(
  {
    useBigInt64: flag,
    sortKeys: flag,
    forceFloat32: flag,
    ignoreUndefined: flag,
    forceIntegerToFloat: flag,
    maxDepth: fc.integer({ min: 1, max: 8 }),
    initialBufferSize: fc.nat(3000),
  },
  { requiredKeys: [] },
);
const limit = fc.oneof(fc.nat(12), fc.constant(0xffffffff));
export const decodeOptions = fc.record(
  {
    useBigInt64: flag,
    rawStrings: flag,
    maxStrLength: limit,
    maxBinLength: limit,
    maxArrayLength: limit,
    maxMapLength: limit,
    maxExtLength: limit,
    keyDecoder: fc.constant(null),
    mapKeyConverter: fc.constant((name: unknown) => `<${String(name)}>`),
  },
  { requiredKeys: [] },
);

export const DECODE_OPTIONS: object[] = [
  {},
  { useBigInt64: true },
  { rawStrings: true },
  { keyDecoder: null },
  { keyDecoder: null, rawStrings: true, maxBinLength: 0 },
  { maxStrLength: 0, maxBinLength: 0, maxArrayLength: 0, maxMapLength: 0, maxExtLength: 0 },
  { maxStrLength: 1, maxBinLength: 1, maxArrayLength: 1, maxMapLength: 1, maxExtLength: 1 },
  { mapKeyConverter: (name: unknown) => String(name) },
  { mapKeyConverter: (name: unknown) => name, useBigInt64: true },
  {
    mapKeyConverter: () => {
      throw new Error("mine");
    },
  },
];

/** Forms that the encoder never writes, and malformed ones. */
export const BYTES = [
  ...[
    "",
    "c1",
    "c0",
    "d9",
    "d900",
    "da0000",
    "db00000000",
    "c400",
    "c50000",
    "c600000000",
    "dc0000",
    "dd00000000",
    "de0000",
    "df00000000",
  ],
  ...[
    "9101",
    "dc000101",
    "dd0000000101",
    "81a16101",
    "de0001a16101",
    "df00000001a16101",
    "c70000",
    "c7000500",
    "c80000ff",
    "c900000000ff",
  ],
  ...[
    "d401",
    "d40107",
    "d5010708",
    "d60107080910",
    "d8017f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f",
    "c702ff0102",
    "c70cff000000000000000000000001",
  ],
  ...[
    "cc05",
    "cd0005",
    "ce00000005",
    "cf0000000000000005",
    "cfffffffffffffffff",
    "d3ffffffffffffffff",
    "d38000000000000000",
  ],
  ...[
    "d37fffffffffffffff",
    "d0ff",
    "d1ffff",
    "d2ffffffff",
    "ca7fc00000",
    "ca3f800000",
    "cb3ff0000000000000",
    "0101",
    "c0c0",
    "9201",
    "93010203ff",
  ],
  ...[
    "8101c0",
    "81ffc0",
    "81cb3ff8000000000000c0",
    "81c0c0",
    "81c3c0",
    "8190c0",
    "8180c0",
    "81c40161c0",
    "81d40100c0",
    "82a16101a16102",
  ],
  ...[
    "81d9016101",
    "81da00016101",
    "81db000000016101",
    "81cf000000000000000101",
    "dd04000000",
    "df01000000",
    "db7fffffff",
    "c67fffffff",
    "c97fffffff01",
  ],
];
