// Writes the golden vectors: `node vectors/generate.mjs`; `--check` writes nothing and exits 1 when a file differs.
//
// Written by hand from the specifications (github.com/msgpack/msgpack/blob/master/spec.md, Unicode 16 table 3-7, the
// Protocol Buffers encoding page). It imports no codec, ours least of all: every header below is spelled out, so that a
// mistake in a codec cannot repeat itself here.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ownFiles } from "./pck/generate.mjs";

// ---------------------------------------------------------------------------------------------------------- notation

/** Big-endian hex of an unsigned integer, `size` bytes. */
const be = (n, size) =>
  BigInt.asUintN(size * 8, BigInt(n))
    .toString(16)
    .padStart(size * 2, "0");
const u8 = (n) => be(n, 1);
const u16 = (n) => be(n, 2);
const u32 = (n) => be(n, 4);
const u64 = (n) => be(n, 8);

const view = new DataView(new ArrayBuffer(8));
const f32 = (x) => (view.setFloat32(0, x), u32(view.getUint32(0)));
const f64 = (x) => (view.setFloat64(0, x), u64(view.getBigUint64(0)));

/** UTF-8 by the table, without TextEncoder. */
function utf8(text) {
  let hex = "";
  for (const char of text) {
    const c = char.codePointAt(0);
    if (c < 0x80) hex += u8(c);
    else if (c < 0x800) hex += u8(0xc0 | (c >> 6)) + u8(0x80 | (c & 63));
    else if (c < 0x10000) hex += u8(0xe0 | (c >> 12)) + u8(0x80 | ((c >> 6) & 63)) + u8(0x80 | (c & 63));
    else hex += u8(0xf0 | (c >> 18)) + u8(0x80 | ((c >> 12) & 63)) + u8(0x80 | ((c >> 6) & 63)) + u8(0x80 | (c & 63));
  }
  return hex;
}

const repeat = (hex, n) => ({ $repeat: [hex, n] });
const entries = (n) => ({ $entries: n });
/** Joins parts: strings run together, repetitions stay apart; a single string stays a string. */
function join(...parts) {
  const out = [];
  for (const part of parts.flat()) {
    if (part === "") continue;
    if (typeof part === "string" && typeof out.at(-1) === "string") out[out.length - 1] += part;
    else out.push(part);
  }
  return out.length === 0 ? "" : out.length === 1 && typeof out[0] === "string" ? out[0] : out;
}

const int = (n) =>
  Number.isSafeInteger(Number(n)) && BigInt(Number(n)) === BigInt(n) ? Number(n) : { $int: String(n) };
const float = (x) => ({ $float: Object.is(x, -0) ? "-0" : String(x) });
const bin = (hex) => ({ $bin: hex });
const ext = (type, hex) => ({ $ext: [type, hex] });
const time = (seconds, nanoseconds) => ({ $time: [String(seconds), nanoseconds] });

const files = new Map();
function file(path, about, vectors) {
  const head = { about, vectors: [] };
  const names = new Set();
  for (const { name } of vectors) {
    if (names.has(name)) throw new Error(`${path}: two vectors are named ${JSON.stringify(name)}`);
    names.add(name);
  }
  const lines = vectors.map((v) => "    " + JSON.stringify(v));
  files.set(
    path,
    JSON.stringify(head, null, 2).replace('"vectors": []', () => `"vectors": [\n${lines.join(",\n")}\n  ]`) + "\n",
  );
}

/** A vector that encoders write and decoders read. */
const good = (name, bytes, value) => ({ name, bytes, value });
/** Valid, but longer than need be: decoders read it, strict ones refuse it, encoders never write it. */
const long = (name, bytes, value) => ({ name, bytes, value, shortest: false });

// --------------------------------------------------------------------------------------------------------- nil, bool

file("msgpack/nil-bool.json", "nil, false and true", [
  good("nil", "c0", null),
  good("false", "c2", false),
  good("true", "c3", true),
  good("all in an array", "93c0c2c3", [null, false, true]),
]);

// ---------------------------------------------------------------------------------------------------------- integers

{
  const list = [];
  // For each format: what it holds, and the range for which it is the form to write.
  const formats = [
    { name: "positive fixint", head: "", size: 1, min: 0n, max: 127n, from: 0n, to: 127n },
    { name: "negative fixint", head: "", size: 1, min: -32n, max: -1n, from: -32n, to: -1n },
    { name: "uint8", head: "cc", size: 1, min: 0n, max: 2n ** 8n - 1n, from: 128n, to: 2n ** 8n - 1n },
    { name: "uint16", head: "cd", size: 2, min: 0n, max: 2n ** 16n - 1n, from: 2n ** 8n, to: 2n ** 16n - 1n },
    { name: "uint32", head: "ce", size: 4, min: 0n, max: 2n ** 32n - 1n, from: 2n ** 16n, to: 2n ** 32n - 1n },
    { name: "uint64", head: "cf", size: 8, min: 0n, max: 2n ** 64n - 1n, from: 2n ** 32n, to: 2n ** 64n - 1n },
    { name: "int8", head: "d0", size: 1, min: -(2n ** 7n), max: 2n ** 7n - 1n, from: -(2n ** 7n), to: -33n },
    {
      name: "int16",
      head: "d1",
      size: 2,
      min: -(2n ** 15n),
      max: 2n ** 15n - 1n,
      from: -(2n ** 15n),
      to: -(2n ** 7n) - 1n,
    },
    {
      name: "int32",
      head: "d2",
      size: 4,
      min: -(2n ** 31n),
      max: 2n ** 31n - 1n,
      from: -(2n ** 31n),
      to: -(2n ** 15n) - 1n,
    },
    {
      name: "int64",
      head: "d3",
      size: 8,
      min: -(2n ** 63n),
      max: 2n ** 63n - 1n,
      from: -(2n ** 63n),
      to: -(2n ** 31n) - 1n,
    },
  ];
  const bytesOf = (format, n) => format.head + be(n, format.size);
  const home = (n) => formats.find((format) => n >= format.from && n <= format.to);

  // Both sides of every boundary of every format, and of what a double holds exactly.
  const edges = new Set();
  for (const { min, max, from, to } of formats)
    for (const edge of [min, max, from, to]) for (let d = -2n; d <= 2n; d++) edges.add(edge + d);
  for (const edge of [2n ** 53n, -(2n ** 53n), 2n ** 60n, -(2n ** 60n)])
    for (let d = -2n; d <= 2n; d++) edges.add(edge + d);
  for (let bit = 0n; bit < 64n; bit++) edges.add(1n << bit).add(-(1n << bit));
  const all = [...edges].filter((n) => n >= -(2n ** 63n) && n < 2n ** 64n).sort((a, b) => (a < b ? -1 : 1));
  for (const n of all) list.push(good(`${n}, ${home(n).name}`, bytesOf(home(n), n), int(n)));

  // Every other format that can hold the number. Longer ones are not shortest; of the same length (a positive number in
  // a signed format) strict decoders refuse them too: one number, one form.
  for (const n of all.filter((n) => Number.isSafeInteger(Number(n)) || n === 2n ** 63n - 1n)) {
    for (const format of formats) {
      if (format === home(n) || format.head === "" || n < format.min || n > format.max) continue;
      list.push(long(`${n} as ${format.name}`, bytesOf(format, n), int(n)));
    }
  }
  file(
    "msgpack/integers.json",
    "every boundary of every integer format, in its shortest form and in all longer ones",
    list,
  );
}

// ------------------------------------------------------------------------------------------------------------ floats

{
  const single = (name, x) => good(name, "ca" + f32(x), float(x));
  const double = (name, x) => good(name, "cb" + f64(x), float(x));
  const list = [
    single("0.5", 0.5),
    single("-0.5", -0.5),
    single("1.5", 1.5),
    single("0.1 rounded to float32", Math.fround(0.1)),
    double("0.1", 0.1),
    double("-0.1", -0.1),
    double("1/3", 1 / 3),
    double("pi", Math.PI),
    good("minus zero", "ca80000000", float(-0)),
    good("NaN: one form for all of them", "ca7fc00000", float(NaN)),
    good("Infinity", "ca7f800000", float(Infinity)),
    good("-Infinity", "caff800000", float(-Infinity)),
    good("smallest float32 subnormal", "ca00000001", float(2 ** -149)),
    good("its negative", "ca80000001", float(-(2 ** -149))),
    good("largest float32 subnormal", "ca007fffff", float((1 - 2 ** -23) * 2 ** -126)),
    good("smallest float32 normal", "ca00800000", float(2 ** -126)),
    good("largest float32", "ca7f7fffff", float((2 - 2 ** -23) * 2 ** 127)),
    double("half the smallest float32 subnormal", 2 ** -150),
    double("a float32 subnormal and a bit", 2 ** -149 + 2 ** -180),
    double("just above the largest float32", (2 - 2 ** -24) * 2 ** 127),
    double("2^128", 2 ** 128),
    double("1 + 2^-24: one bit too many for float32", 1 + 2 ** -24),
    single("1 + 2^-23: just fits float32", 1 + 2 ** -23),
    good("smallest float64 subnormal", "cb0000000000000001", float(Number.MIN_VALUE)),
    good("largest float64 subnormal", "cb000fffffffffffff", float(2.225073858507201e-308)),
    good("smallest float64 normal", "cb0010000000000000", float(2 ** -1022)),
    good("MAX_VALUE", "cb7fefffffffffffff", float(Number.MAX_VALUE)),
    good("-MAX_VALUE", "cbffefffffffffffff", float(-Number.MAX_VALUE)),
    good("2^53: beyond the safe integers, a float32", "ca5a000000", float(2 ** 53)),
    good("-2^53", "cada000000", float(-(2 ** 53))),
    good("2^53 + 2", "cb4340000000000001", float(2 ** 53 + 2)),
    good("2^60", "ca5d800000", float(2 ** 60)),
    good("2^63", "ca5f000000", float(2 ** 63)),
    good("2^64", "ca5f800000", float(2 ** 64)),
    good("1e20", "cb4415af1d78b58c40", float(1e20)),
    good("1e21", "cb444b1ae4d6e2ef50", float(1e21)),
    good("1e300", "cb7e37e43c8800759c", float(1e300)),
    long("0.5 as float64", "cb" + f64(0.5), float(0.5)),
    long("minus zero as float64", "cb8000000000000000", float(-0)),
    long("Infinity as float64", "cb7ff0000000000000", float(Infinity)),
    long("-Infinity as float64", "cbfff0000000000000", float(-Infinity)),
    long("NaN as float64", "cb7ff8000000000000", float(NaN)),
    long("NaN with a sign", "caffc00000", float(NaN)),
    long("NaN with a payload", "ca7fc00001", float(NaN)),
    long("signalling NaN", "ca7f800001", float(NaN)),
    long("signalling NaN as float64", "cb7ff0000000000001", float(NaN)),
    long("2^53 as float64", "cb4340000000000000", float(2 ** 53)),
    long("2^60 as float64", "cb43b0000000000000", float(2 ** 60)),
    long("largest float32 as float64", "cb47efffffe0000000", float((2 - 2 ** -23) * 2 ** 127)),
    long("smallest float32 subnormal as float64", "cb36a0000000000000", float(2 ** -149)),
  ];
  // An integral float of the safe range has its shortest form in the integer family.
  for (const n of [0, 1, -1, 127, 128, -32, -33, 65536, 16777216, -16777216, 4294967296]) {
    list.push(long(`${n} as float32`, "ca" + f32(n), n), long(`${n} as float64`, "cb" + f64(n), n));
  }
  for (const n of [16777217, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
    list.push(long(`${n} as float64`, "cb" + f64(n), n));
  }
  file(
    "msgpack/floats.json",
    "float32 where it holds the number exactly, float64 elsewhere; -0, NaN, infinities, subnormals",
    list,
  );
}

// ----------------------------------------------------------------------------------------------------------- strings

{
  const list = [
    good("empty", "a0", ""),
    good("a", "a161", "a"),
    good("NUL", "a100", "\0"),
    good("DEL", "a17f", "\x7f"),
  ];
  const head = (n) => (n < 32 ? u8(0xa0 + n) : n < 256 ? "d9" + u8(n) : n < 65536 ? "da" + u16(n) : "db" + u32(n));
  // Lengths around every header's limit, and around the lengths at which implementations change their ways.
  for (const n of [
    7, 8, 9, 15, 16, 17, 23, 24, 25, 30, 31, 32, 33, 39, 40, 41, 63, 64, 65, 127, 128, 143, 144, 145, 199, 200, 201,
    254, 255, 256, 257,
  ]) {
    list.push(good(`${n} bytes`, join(head(n), repeat("61", n)), repeat("a", n)));
  }
  for (const n of [1023, 1024, 1025, 4095, 4096, 4097, 65534, 65535, 65536, 65537]) {
    list.push(good(`${n} bytes`, join(head(n), repeat("61", n)), repeat("a", n)));
    if (n % 2 === 0) list.push(good(`${n} bytes of é`, join(head(n), repeat("c3a9", n / 2)), repeat("é", n / 2)));
    if (n % 3 === 0) list.push(good(`${n} bytes of 日`, join(head(n), repeat("e697a5", n / 3)), repeat("日", n / 3)));
    if (n % 4 === 0)
      list.push(good(`${n} bytes of an emoji`, join(head(n), repeat("f09f9880", n / 4)), repeat("😀", n / 4)));
  }
  const texts = [
    ["U+0080, the first of two bytes", "\u0080"],
    ["U+07FF, the last of two bytes", "\u07ff"],
    ["U+0800, the first of three bytes", "\u0800"],
    ["U+D7FF, the last before the surrogates", "\ud7ff"],
    ["U+E000, the first after the surrogates", "\ue000"],
    ["U+FFFD, the replacement character itself", "\ufffd"],
    ["U+FFFE and U+FFFF, noncharacters", "\ufffe\uffff"],
    ["U+10000, the first of four bytes", "\u{10000}"],
    ["U+10FFFF, the last of all", "\u{10ffff}"],
    ["U+FEFF at the start is kept", "\ufeffa"],
    ["U+FEFF alone is kept", "\ufeff"],
    ["U+FEFF in the middle and at the end", "a\ufeffb\ufeff"],
    ["U+FEFF at the start of a long one", "\ufeff" + "a".repeat(300)],
    ["one of each length", "a\u00e9\u65e5\u{1f600}"],
    ["French", "L’été, à Noël, où ça ? Là-bas, cœur naïf."],
    ["Greek", "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία"],
    ["Hebrew, right to left", "שלום עולם"],
    ["Hindi, combining", "नमस्ते दुनिया"],
    ["Japanese", "日本語の文字列、漢字とかな。"],
    ["Korean", "다람쥐 헌 쳇바퀴에 타고파"],
    ["family emoji with joiners", "👨‍👩‍👧‍👦"],
    ["flags", "🇫🇷🇯🇵"],
    ["mathematical letters", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢"],
    ["e and a combining acute: not normalised", "e\u0301"],
    ["31 bytes with a last character of four", "a".repeat(27) + "😀"],
    ["32 bytes with a last character of four", "a".repeat(28) + "😀"],
    ["ASCII for 24 bytes, then é", "a".repeat(24) + "é"],
    ["é, then ASCII for 200 bytes", "é" + "a".repeat(200)],
    ["__proto__", "__proto__"],
  ];
  for (const [name, text] of texts) {
    const hex = utf8(text);
    list.push(good(name, head(hex.length / 2) + hex, text));
  }
  for (const [text, name] of [
    ["", "empty"],
    ["a", "a"],
    ["日", "日"],
  ]) {
    const hex = utf8(text);
    const n = hex.length / 2;
    list.push(long(`${name} as str8`, "d9" + u8(n) + hex, text));
    list.push(long(`${name} as str16`, "da" + u16(n) + hex, text));
    list.push(long(`${name} as str32`, "db" + u32(n) + hex, text));
  }
  list.push(long("31 bytes as str8", join("d91f", repeat("61", 31)), repeat("a", 31)));
  list.push(long("255 bytes as str16", join("da00ff", repeat("61", 255)), repeat("a", 255)));
  list.push(long("65535 bytes as str32", join("db0000ffff", repeat("61", 65535)), repeat("a", 65535)));
  file("msgpack/strings.json", "every string header at its limits; characters of every length; U+FEFF kept", list);
}

// ------------------------------------------------------------------------------------------------------------ binary

{
  const list = [
    good("empty", "c400", bin("")),
    good("one byte", "c401ff", bin("ff")),
    good("not UTF-8", "c402c328", bin("c328")),
  ];
  const head = (n) => (n < 256 ? "c4" + u8(n) : n < 65536 ? "c5" + u16(n) : "c6" + u32(n));
  for (const n of [8, 31, 32, 63, 64, 65, 254, 255, 256, 257, 2047, 2048, 2049, 65534, 65535, 65536, 65537]) {
    list.push(good(`${n} bytes`, join(head(n), repeat("a5", n)), bin(repeat("a5", n))));
  }
  list.push(
    good(
      "all bytes once",
      "c50100" + Array.from({ length: 256 }, (_, i) => u8(i)).join(""),
      bin(Array.from({ length: 256 }, (_, i) => u8(i)).join("")),
    ),
  );
  list.push(good("two in an array", "92c40101c40102", [bin("01"), bin("02")]));
  list.push(long("empty as bin16", "c50000", bin("")), long("empty as bin32", "c600000000", bin("")));
  list.push(long("255 bytes as bin16", join("c500ff", repeat("a5", 255)), bin(repeat("a5", 255))));
  list.push(long("65535 bytes as bin32", join("c60000ffff", repeat("a5", 65535)), bin(repeat("a5", 65535))));
  file("msgpack/binary.json", "bin8, bin16 and bin32 at their limits", list);
}

// ------------------------------------------------------------------------------------------------------------ arrays

{
  const list = [good("empty", "90", []), good("[1, 2, 3]", "93010203", [1, 2, 3])];
  const head = (n) => (n < 16 ? u8(0x90 + n) : n < 65536 ? "dc" + u16(n) : "dd" + u32(n));
  for (const n of [1, 14, 15, 16, 17, 31, 32, 33, 255, 256, 257, 65534, 65535, 65536, 65537]) {
    list.push(good(`${n} elements`, join(head(n), repeat("01", n)), { $array: [1, n] }));
  }
  list.push(
    good("mixed kinds", "97c0c301ca3f000000a161c4010090", [null, true, 1, float(0.5), "a", bin("00"), []]),
    good("small, then double, then object", "9301cb3fb999999999999aa161", [1, float(0.1), "a"]),
    good("nested", "9291019202920304", [[1], [2, [3, 4]]]),
    good("eight deep", "9191919191919101", [[[[[[[1]]]]]]]),
    good("empty ones inside", "939080a0", [[], {}, ""]),
    good("512 deep: as deep as the default limit allows", join(repeat("91", 511), "90"), { $nested: ["array", 512] }),
    long("empty as array16", "dc0000", []),
    long("empty as array32", "dd00000000", []),
    long("15 elements as array16", join("dc000f", repeat("01", 15)), { $array: [1, 15] }),
    long("65535 elements as array32", join("dd0000ffff", repeat("01", 65535)), { $array: [1, 65535] }),
  );
  file("msgpack/arrays.json", "fixarray, array16 and array32 at their limits; nesting", list);
}

// -------------------------------------------------------------------------------------------------------------- maps

{
  const list = [
    good("empty", "80", {}),
    good("one entry", "81a16101", { a: 1 }),
    good("the specification's example", "82a7636f6d70616374c3a6736368656d6100", { compact: true, schema: 0 }),
  ];
  const head = (n) => (n < 16 ? u8(0x80 + n) : n < 65536 ? "de" + u16(n) : "df" + u32(n));
  for (const n of [14, 15, 16, 17, 31, 32, 33, 255, 256, 65535, 65536, 65537]) {
    list.push(good(`${n} entries`, join(head(n), entries(n)), { $entries: n }));
  }
  // Names that mean something to JavaScript are keys as any other. As pairs, since tools that turn JSON into object
  // literals lose __proto__.
  for (const key of [
    "",
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "valueOf",
    "hasOwnProperty",
    "toJSON",
    "toMessagePack",
    "length",
    "then",
    "__defineGetter__",
  ]) {
    const hex = utf8(key);
    list.push(
      good(`the key ${JSON.stringify(key)}`, "81" + u8(0xa0 + hex.length / 2) + hex + "07", { $map: [[key, 7]] }),
    );
  }
  list.push(
    good("__proto__ with a map in it", "81a95f5f70726f746f5f5f81a561646d696ec3", {
      $map: [["__proto__", { admin: true }]],
    }),
    good("__proto__ twice nested and beside others", "83a16101a95f5f70726f746f5f5f80a16202", {
      $map: [
        ["a", 1],
        ["__proto__", {}],
        ["b", 2],
      ],
    }),
    good("a key with é", "81a3c3a96101", { éa: 1 }),
    good("a key of 32 bytes", join("81d920", repeat("6b", 32), "c0"), { [`${"k".repeat(32)}`]: null }),
    good("a key with a dot, a space, a quote", "81a5612e62202201", { 'a.b "': 1 }),
    good("keys like array indices, rising", "83a13000a13101a3313030c0", { 0: 0, 1: 1, 100: null }),
    good("insertion order is kept", "83a17a01a16102a16d03", { z: 1, a: 2, m: 3 }),
    good("nested", "82a16181a16281a16301a16490", { a: { b: { c: 1 } }, d: [] }),
    good("records of one shape", "9382a16901a173a16182a16902a173a16282a16903a173a163", [
      { i: 1, s: "a" },
      { i: 2, s: "b" },
      { i: 3, s: "c" },
    ]),
    good("a shape, then a longer one, then a shorter one", "9382a16101a1620283a16101a16202a1630381a16101", [
      { a: 1, b: 2 },
      { a: 1, b: 2, c: 3 },
      { a: 1 },
    ]),
    good("the same keys in another order", "9282a16101a1620282a16203a16104", [
      { a: 1, b: 2 },
      { b: 3, a: 4 },
    ]),
    good("512 deep: as deep as the default limit allows", join(repeat("81a161", 511), "80"), { $nested: ["map", 512] }),
    good("an integer key", "81010a", { $map: [[1, 10]] }),
    good("integer and string keys together", "8201a161a16202", {
      $map: [
        [1, "a"],
        ["b", 2],
      ],
    }),
    good("a string key first, then a negative one", "82a16201ff02", {
      $map: [
        ["b", 1],
        [-1, 2],
      ],
    }),
    good("nil, false and true as keys", "83c001c202c303", {
      $map: [
        [null, 1],
        [false, 2],
        [true, 3],
      ],
    }),
    good("a float as key", "81ca3f00000001", { $map: [[float(0.5), 1]] }),
    good("a 64-bit integer as key", "81cfffffffffffffffff01", { $map: [[{ $int: "18446744073709551615" }, 1]] }),
    good('1 and "1" are two keys', "820101a13102", {
      $map: [
        [1, 1],
        ["1", 2],
      ],
    }),
    good("a map with integer keys inside one with strings", "81a16d81010a", { m: { $map: [[1, 10]] } }),
    long("empty as map16", "de0000", {}),
    long("empty as map32", "df00000000", {}),
    long("one entry as map16", "de0001a16101", { a: 1 }),
    long("15 entries as map16", join("de000f", entries(15)), { $entries: 15 }),
    long("65535 entries as map32", join("df0000ffff", entries(65535)), { $entries: 65535 }),
    long("a key as str8", "81d9016101", { a: 1 }),
  );
  file(
    "msgpack/maps.json",
    "fixmap, map16 and map32 at their limits; names special to JavaScript; keys that are no strings",
    list,
  );
}

// -------------------------------------------------------------------------------------------------------- extensions

{
  const list = [];
  const fix = { 1: "d4", 2: "d5", 4: "d6", 8: "d7", 16: "d8" };
  const head = (n) => fix[n] ?? (n < 256 ? "c7" + u8(n) : n < 65536 ? "c8" + u16(n) : "c9" + u32(n));
  for (const n of [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 254, 255, 256, 257, 65535, 65536]) {
    list.push(good(`${n} bytes`, join(head(n) + "05", repeat("e1", n)), ext(5, repeat("e1", n))));
  }
  for (const type of [0, 1, 126, 127, -2, -127, -128]) {
    list.push(good(`type ${type}`, "d4" + be(type, 1) + "00", ext(type, "00")));
    list.push(good(`type ${type}, 3 bytes`, "c703" + be(type, 1) + "010203", ext(type, "010203")));
  }
  list.push(good("in an array", "93d405aa01c70006", [ext(5, "aa"), 1, ext(6, "")]));
  list.push(good("in a map", "81a165d50501ff", { e: ext(5, "01ff") }));
  list.push(long("1 byte as ext8", "c70105aa", ext(5, "aa")));
  list.push(long("16 bytes as ext8", join("c71005", repeat("e1", 16)), ext(5, repeat("e1", 16))));
  list.push(long("0 bytes as ext16", "c8000005", ext(5, "")));
  list.push(long("0 bytes as ext32", "c90000000005", ext(5, "")));
  list.push(long("255 bytes as ext16", join("c800ff05", repeat("e1", 255)), ext(5, repeat("e1", 255))));
  list.push(long("65535 bytes as ext32", join("c90000ffff05", repeat("e1", 65535)), ext(5, repeat("e1", 65535))));
  file(
    "msgpack/extensions.json",
    "fixext 1 to 16, ext8, ext16, ext32 at their limits; application types and those the specification reserves",
    list,
  );
}

// -------------------------------------------------------------------------------------------------------- timestamps

{
  const t32 = (s) => "d6ff" + u32(s);
  const t64 = (s, ns) => "d7ff" + u64((BigInt(ns) << 34n) | BigInt(s));
  const t96 = (s, ns) => "c70cff" + u32(ns) + u64(s);
  const list = [
    good("the epoch", "d6ff00000000", time(0, 0)),
    good("one second", t32(1), time(1, 0)),
    good("2018-01-02T03:04:05Z", "d6ff5a4af6a5", time(1514862245, 0)),
    good("2^31 - 1", t32(2 ** 31 - 1), time(2 ** 31 - 1, 0)),
    good("2^31", t32(2 ** 31), time(2 ** 31, 0)),
    good("2^32 - 1, the last of timestamp 32", "d6ffffffffff", time(2 ** 32 - 1, 0)),
    good("2^32, the first without nanoseconds of timestamp 64", "d7ff0000000100000000", time(2 ** 32, 0)),
    good("one nanosecond", "d7ff0000000400000000", time(0, 1)),
    good("one millisecond", t64(0, 1e6), time(0, 1e6)),
    good("999999999 nanoseconds", "d7ffee6b27fc00000000", time(0, 999999999)),
    good("2018 with nanoseconds", t64(1514862245, 678901234), time(1514862245, 678901234)),
    good("2018 with milliseconds", t64(1514862245, 678000000), time(1514862245, 678000000)),
    good("2^32 - 1 with nanoseconds", t64(2 ** 32 - 1, 1), time(2 ** 32 - 1, 1)),
    good("2^34 - 1, the last of timestamp 64", "d7ff00000003ffffffff", time(2 ** 34 - 1, 0)),
    good("2^34 - 1 and 999999999 nanoseconds", "d7ffee6b27ffffffffff", time(2 ** 34 - 1, 999999999)),
    good("2^34, the first of timestamp 96", "c70cff000000000000000400000000", time(2 ** 34, 0)),
    good("2^34 with nanoseconds", t96(2 ** 34, 5), time(2 ** 34, 5)),
    good("one second before the epoch", "c70cff00000000ffffffffffffffff", time(-1, 0)),
    good(
      "half a second before the epoch: floor, then nanoseconds",
      "c70cff1dcd6500ffffffffffffffff",
      time(-1, 500000000),
    ),
    good("one nanosecond before the epoch", "c70cff3b9ac9ffffffffffffffffff", time(-1, 999999999)),
    good("1900", t96(-2208988800, 0), time(-2208988800, 0)),
    good("the year -2600", t96(-144210931200n, 0), time(-144210931200n, 0)),
    good("the year -2600 with milliseconds", t96(-144210931200n, 123000000), time(-144210931200n, 123000000)),
    good("9999-12-31T23:59:59.999999999Z", "c70cff3b9ac9ff0000003afff4417f", time(253402300799, 999999999)),
    good("the last that a JavaScript Date holds", t96(8640000000000, 0), time(8640000000000, 0)),
    good("one second later", t96(8640000000001, 0), time(8640000000001, 0)),
    good("the first that a JavaScript Date holds", t96(-8640000000000, 0), time(-8640000000000, 0)),
    good("one second earlier", t96(-8640000000001, 0), time(-8640000000001, 0)),
    good("seconds beyond the safe integers", t96(2n ** 53n + 1n, 0), time(2n ** 53n + 1n, 0)),
    good("the largest", t96(2n ** 63n - 1n, 999999999), time(2n ** 63n - 1n, 999999999)),
    good("the smallest", t96(-(2n ** 63n), 0), time(-(2n ** 63n), 0)),
    good("in an array", "92d6ff0000000001", [time(0, 0), 1]),
    good("in a map", "81a174d6ff00000001", { t: time(1, 0) }),
    long("the epoch as timestamp 64", t64(0, 0), time(0, 0)),
    long("the epoch as timestamp 96", t96(0, 0), time(0, 0)),
    long("2^32 - 1 as timestamp 64", t64(2 ** 32 - 1, 0), time(2 ** 32 - 1, 0)),
    long("2^34 - 1 with nanoseconds as timestamp 96", t96(2 ** 34 - 1, 1), time(2 ** 34 - 1, 1)),
    long("timestamp 32 in ext8", "c704ff00000001", time(1, 0)),
    long("timestamp 64 in ext8", "c708ff" + u64(1n << 34n), time(0, 1)),
    long("timestamp 96 in ext16", "c8000cff00000000ffffffffffffffff", time(-1, 0)),
  ];
  file(
    "msgpack/timestamps.json",
    "timestamp 32, 64 and 96: boundaries at 2^32 and 2^34 seconds, nanoseconds, before the epoch",
    list,
  );
}

// ---------------------------------------------------------------------------------------------------------- rejected

{
  const list = [];
  const reject = (name, bytes, code, offset, needMore = 0) => list.push({ name, bytes, code, offset, needMore });
  const cut = (name, bytes, offset, needMore) => reject(name, bytes, "ERR_TRUNCATED", offset, needMore);
  // Refused by strict decoders only; others read `value`.
  const strict = (name, bytes, code, offset, value) =>
    list.push({ name, bytes, code, offset, needMore: 0, strict: true, value });

  reject("c1, which no format uses", "c1", "ERR_INVALID_BYTE", 0);
  reject("c1 in an array", "9301c102", "ERR_INVALID_BYTE", 2);
  reject("c1 as a map's key", "81c101", "ERR_INVALID_BYTE", 1);
  reject("c1 as a map's value", "81a161c1", "ERR_INVALID_BYTE", 3);

  cut("nothing at all", "", 0, 1);
  const fixed = {
    cc: 1,
    cd: 2,
    ce: 4,
    cf: 8,
    d0: 1,
    d1: 2,
    d2: 4,
    d3: 8,
    ca: 4,
    cb: 8,
    d4: 2,
    d5: 3,
    d6: 5,
    d7: 9,
    d8: 17,
  };
  for (const [head, size] of Object.entries(fixed)) {
    cut(`${head} without its ${size} bytes`, head, 0, size);
    if (size > 1) cut(`${head} with all but one byte`, join(head, repeat("05", size - 1)), 0, 1);
  }
  for (const [head, size] of Object.entries({ d9: 1, da: 2, db: 4, c4: 1, c5: 2, c6: 4, dc: 2, dd: 4, de: 2, df: 4 })) {
    cut(`${head} without its length`, head, 0, size);
    if (size > 1) cut(`${head} with half its length`, join(head, repeat("00", size / 2)), 0, size / 2);
  }
  for (const [head, size] of Object.entries({ c7: 1, c8: 2, c9: 4 })) {
    cut(`${head} without length and type`, head, 0, size + 1);
    cut(`${head} of length 0 without its type`, join(head, repeat("00", size)), 0, 1);
  }
  cut("fixstr 1 of 2", "a261", 0, 1);
  cut("fixstr 0 of 31", "bf", 0, 31);
  cut("str8 2 of 5", "d9056162", 0, 3);
  cut("str16 0 of 300", "da012c", 0, 300);
  cut("a cut string wins over the bad UTF-8 in it", "a5ff61", 0, 3);
  cut("bin8 1 of 2", "c40200", 0, 1);
  cut("ext8 1 of 3", "c7030500", 0, 2);
  cut("fixext 4 with two", "d6050000", 0, 2);
  cut("timestamp 32 with two", "d6ff0000", 0, 2);
  cut("timestamp 96 with eleven", join("c70cff", repeat("00", 11)), 0, 1);
  cut("array of 3 with 2", "930102", 0, 1);
  cut("array of 1 with none", "91", 0, 1);
  cut("array of 2: the first takes all", "92a26162", 4, 1);
  cut("an element cut", "9201cd01", 2, 1);
  cut("a string cut in an array", "92a261", 1, 1);
  cut("map of 1 with none", "81", 0, 2);
  cut("map of 1 with a key", "81c0", 0, 1);
  cut("map of 1 whose key takes all", "81a161", 3, 1);
  cut("map of 2 with one entry", "82a16101", 0, 1);
  cut("the inner array is cut", "92930102", 1, 2);
  cut("array of 3 with one header", "9391", 0, 2);
  cut("inner header fits alone, but not with what the outer one still owes", "939201c0", 1, 2);

  // A forged header costs nothing: what all open containers declare can never exceed the bytes left.
  cut("forged array32", "ddffffffff", 0, 4294967295);
  cut("forged array32 with 4 bytes", "ddffffffff01020304", 0, 4294967291);
  cut("forged map32", "dfffffffff", 0, 8589934590);
  cut("forged str32", "dbffffffff", 0, 4294967295);
  cut("forged bin32", "c6ffffffff", 0, 4294967295);
  cut("forged ext32", "c9ffffffff05", 0, 4294967295);
  cut("forged timestamp in ext32", "c9ffffffffff", 0, 4294967295);
  cut("forged array16", "dcffff", 0, 65535);
  cut("forged map16", "deffff", 0, 131070);
  cut("forged array32 in an array", "92dd7fffffff01", 1, 2147483647);
  cut("forged str32 as a key", "81dbffffffff", 1, 4294967295);
  cut("forged map32 as a value", "81a161df00ffffff", 3, 33554430);
  for (const n of [2, 100, 24000]) {
    // The first header fits when 65,535 bytes follow; then the second one declares 65,535 more.
    const left = 3 * n - 3;
    if (left < 65535) cut(`dc ffff x ${n}`, [repeat("dcffff", n)], 0, 65535 - left);
    else cut(`dc ffff x ${n}`, [repeat("dcffff", n)], 3, 65534 + 65535 - (left - 3));
  }
  cut("de ffff x 48000", [repeat("deffff", 48000)], 3, 131069 + 131070 - (3 * 48000 - 6));

  reject("array 513 deep", join(repeat("91", 512), "9101"), "ERR_LIMIT_DEPTH", 512);
  reject("map 513 deep", join(repeat("81a161", 512), "81a161c0"), "ERR_LIMIT_DEPTH", 1536);
  reject("513 deep, maps and arrays by turns", join(repeat("81a16191", 256), "9101"), "ERR_LIMIT_DEPTH", 1024);
  reject("100000 nested arrays", join(repeat("91", 100000), "c0"), "ERR_LIMIT_DEPTH", 512);
  reject("100000 nested maps", join(repeat("81a161", 100000), "c0"), "ERR_LIMIT_DEPTH", 1536);
  reject("100000 arrays as keys", join(repeat("8191", 100000), repeat("c0", 100001)), "ERR_LIMIT_DEPTH", 512);

  for (const [name, bytes, offset] of [
    ["after nil", "c0c0", 1],
    ["after a fixint", "0102", 1],
    ["after an empty array", "9000", 1],
    ["after an empty map", "80a161", 1],
    ["after a finished array", "91019102", 2],
    ["after a finished map", "81a16101a16202", 4],
    ["after a string", "a16162", 2],
    ["after binary", "c40100ff", 3],
    ["after a timestamp", "d6ff00000000c0", 6],
    ["c1 is trailing too", "c0c1", 1],
    ["a newline", "c00a", 1],
  ]) {
    reject(`trailing bytes: ${name}`, bytes, "ERR_TRAILING_BYTES", offset);
  }

  // Unicode 16, table 3-7. Each sequence alone, after ASCII, and at lengths where implementations change their ways.
  const malformed = [
    ["a stray continuation byte", "80"],
    ["the last continuation byte", "bf"],
    ["overlong NUL of two bytes", "c080"],
    ["overlong slash of two bytes", "c0af"],
    ["overlong U+007F", "c1bf"],
    ["overlong of three bytes", "e080af"],
    ["overlong U+07FF of three bytes", "e09fbf"],
    ["overlong of four bytes", "f08080af"],
    ["overlong U+FFFF of four bytes", "f08fbfbf"],
    ["surrogate U+D800", "eda080"],
    ["surrogate U+DBFF", "edafbf"],
    ["surrogate U+DC00", "edb080"],
    ["surrogate U+DFFF", "edbfbf"],
    ["a surrogate pair as CESU-8", "eda0bdedb880"],
    ["above U+10FFFF", "f4908080"],
    ["lead byte f5", "f5808080"],
    ["lead byte f7", "f7bfbfbf"],
    ["a sequence of five", "f888808080"],
    ["a sequence of six", "fc8480808080"],
    ["fe", "fe"],
    ["ff", "ff"],
    ["two bytes, the second cut", "c3"],
    ["two bytes, the second ASCII", "c328"],
    ["two bytes, the second a lead", "c3c3"],
    ["three bytes, one there", "e6"],
    ["three bytes, two there", "e697"],
    ["three bytes, the second ASCII", "e62897"],
    ["three bytes, the third ASCII", "e69728"],
    ["four bytes, one there", "f0"],
    ["four bytes, three there", "f09f98"],
    ["four bytes, the second ASCII", "f0289880"],
    ["four bytes, the third ASCII", "f09f2880"],
    ["four bytes, the fourth ASCII", "f09f9828"],
  ];
  for (const [name, hex] of malformed) {
    const n = hex.length / 2;
    reject(`UTF-8: ${name}`, u8(0xa0 + n) + hex, "ERR_INVALID_UTF8", 0);
    for (const total of [24, 25, 31]) {
      reject(
        `UTF-8: ${name}, end of ${total}`,
        join(u8(0xa0 + total), repeat("61", total - n), hex),
        "ERR_INVALID_UTF8",
        0,
      );
    }
    for (const total of [145, 200, 255]) {
      reject(
        `UTF-8: ${name}, end of ${total}`,
        join("d9" + u8(total), repeat("61", total - n), hex),
        "ERR_INVALID_UTF8",
        0,
      );
    }
    for (const total of [1024, 5000]) {
      reject(
        `UTF-8: ${name}, end of ${total}`,
        join("da" + u16(total), repeat("61", total - n), hex),
        "ERR_INVALID_UTF8",
        0,
      );
      reject(
        `UTF-8: ${name}, start of ${total}`,
        join("da" + u16(total), hex, repeat("61", total - n)),
        "ERR_INVALID_UTF8",
        0,
      );
    }
    // Long enough non-ASCII text before it, so that ways chosen by density are tried too.
    reject(
      `UTF-8: ${name}, after 日 x 400`,
      join("da" + u16(1200 + n), repeat("e697a5", 400), hex),
      "ERR_INVALID_UTF8",
      0,
    );
  }
  reject("UTF-8: in an array", "9201a1ff", "ERR_INVALID_UTF8", 2);
  reject("UTF-8: a map's key", "81a1ff01", "ERR_INVALID_UTF8", 1);
  reject("UTF-8: a map's second key", "82a16101a1ff01", "ERR_INVALID_UTF8", 4);
  reject("UTF-8: a character over the end of the string", "92a2e697a161", "ERR_INVALID_UTF8", 1);

  reject("timestamp 64 with 1000000000 nanoseconds", "d7ff" + u64(1000000000n << 34n), "ERR_OUT_OF_RANGE", 0);
  reject("timestamp 64 with 2^30 - 1 nanoseconds", "d7fffffffffc00000000", "ERR_OUT_OF_RANGE", 0);
  reject("timestamp 96 with 1000000000 nanoseconds", "c70cff3b9aca000000000000000000", "ERR_OUT_OF_RANGE", 0);
  reject("timestamp 96 with 2^32 - 1 nanoseconds", "c70cffffffffff0000000000000000", "ERR_OUT_OF_RANGE", 0);
  for (const [n, bytes] of [
    [0, "c700ff"],
    [1, "d4ff00"],
    [2, "d5ff0000"],
    [3, "c703ff000000"],
    [5, "c705ff0000000000"],
    [16, "d8ff" + "00".repeat(16)],
  ]) {
    reject(`timestamp of ${n} bytes`, bytes, "ERR_OUT_OF_RANGE", 0);
  }
  reject("timestamp of 2 bytes in a map", "81a174d5ff0000", "ERR_OUT_OF_RANGE", 3);

  reject("unknown extension 5", "d40500", "ERR_UNKNOWN_EXTENSION", 0);
  reject("unknown extension 0 without data", "c70000", "ERR_UNKNOWN_EXTENSION", 0);
  reject("unknown extension 127", "c7037f010203", "ERR_UNKNOWN_EXTENSION", 0);
  reject("reserved extension -2", "d4fe00", "ERR_UNKNOWN_EXTENSION", 0);
  reject("unknown extension in an array", "9201d40500", "ERR_UNKNOWN_EXTENSION", 2);
  reject("unknown extension as a map's value", "81a161d40500", "ERR_UNKNOWN_EXTENSION", 3);

  strict("a duplicate key", "82a16101a16102", "ERR_DUPLICATE_KEY", 4, { a: 2 });
  strict("a duplicate key, not adjacent", "83a16101a16202a16103", "ERR_DUPLICATE_KEY", 7, { a: 3, b: 2 });
  strict("a duplicate empty key", "82a001a002", "ERR_DUPLICATE_KEY", 3, { "": 2 });
  strict("a duplicate __proto__", "82a95f5f70726f746f5f5f01a95f5f70726f746f5f5f02", "ERR_DUPLICATE_KEY", 12, {
    $map: [["__proto__", 2]],
  });
  strict("a duplicate key in a record that follows one", "9282a16101a1620282a16101a16102", "ERR_DUPLICATE_KEY", 12, [
    { a: 1, b: 2 },
    { a: 2 },
  ]);
  strict("a duplicate integer key", "8201010102", "ERR_DUPLICATE_KEY", 3, { $map: [[1, 2]] });
  strict(
    "a duplicate key in a long map",
    join("de0101", entries(256), "a6" + utf8("k00000") + "c0"),
    "ERR_DUPLICATE_KEY",
    3 + 256 * 8,
    { $entries: 256 },
  );
  strict("not shortest in an array", "9201cc05", "ERR_NOT_SHORTEST", 2, [1, 5]);
  strict("not shortest as a map's value", "81a161cd0005", "ERR_NOT_SHORTEST", 3, { a: 5 });
  strict("not shortest as a map's key", "81d9016101", "ERR_NOT_SHORTEST", 1, { a: 1 });
  file(
    "msgpack/rejected.json",
    "what decoders refuse: code, offset of the offending item's first byte, bytes at least missing",
    list,
  );
}

// -------------------------------------------------------------------------------------------------------------- bytes

{
  /** LEB128 by its definition. */
  const leb = (n) => {
    let hex = "";
    for (; n > 127n; n >>= 7n) hex += u8(Number(n & 127n) | 128);
    return hex + u8(Number(n));
  };
  const zigzag = (n) => (n >= 0n ? n * 2n : -n * 2n - 1n);
  const around = (bits, low, high) => {
    const all = new Set([0n]);
    for (let bit = 0n; bit <= bits; bit++)
      for (let d = -1n; d <= 1n; d++) all.add((1n << bit) + d).add(-(1n << bit) + d);
    return [...all].filter((n) => n >= low && n <= high).sort((a, b) => (a < b ? -1 : 1));
  };
  const list = [];
  for (const n of around(32n, 0n, 2n ** 32n - 1n))
    list.push({ name: `uvar32 ${n}`, type: "uvar32", bytes: leb(n), value: String(n) });
  for (const n of around(32n, -(2n ** 31n), 2n ** 31n - 1n))
    list.push({ name: `ivar32 ${n}`, type: "ivar32", bytes: leb(zigzag(n)), value: String(n) });
  for (const n of around(64n, 0n, 2n ** 64n - 1n))
    list.push({ name: `uvar64 ${n}`, type: "uvar64", bytes: leb(n), value: String(n) });
  for (const n of around(64n, -(2n ** 63n), 2n ** 63n - 1n))
    list.push({ name: `ivar64 ${n}`, type: "ivar64", bytes: leb(zigzag(n)), value: String(n) });
  const bad = (type, name, bytes, code, needMore = 0) =>
    list.push({ name: `${type}: ${name}`, type, bytes, code, offset: 0, needMore });
  for (const type of ["uvar32", "ivar32", "uvar64", "ivar64"]) {
    bad(type, "nothing", "", "ERR_TRUNCATED", 1);
    bad(type, "cut after one", "80", "ERR_TRUNCATED", 1);
    bad(type, "cut after three", "ffffff", "ERR_TRUNCATED", 1);
    bad(type, "zero in two bytes", "8000", "ERR_NOT_SHORTEST");
    bad(type, "one in two bytes", "8100", "ERR_NOT_SHORTEST");
    bad(type, "127 in three bytes", "ff8000", "ERR_NOT_SHORTEST");
  }
  for (const type of ["uvar32", "ivar32"]) {
    bad(type, "cut after four", "ffffffff", "ERR_TRUNCATED", 1);
    bad(type, "2^32", "8080808010", "ERR_OUT_OF_RANGE");
    bad(type, "a fifth byte with a sixth to come", "ffffffff8f00", "ERR_OUT_OF_RANGE");
    bad(type, "zero in five bytes", "8080808000", "ERR_NOT_SHORTEST");
    bad(type, "ten bytes", "ffffffffffffffffff01", "ERR_OUT_OF_RANGE");
  }
  for (const type of ["uvar64", "ivar64"]) {
    bad(type, "cut after nine", "ffffffffffffffffff", "ERR_TRUNCATED", 1);
    bad(type, "2^64", "80808080808080808002", "ERR_OUT_OF_RANGE");
    bad(type, "a tenth byte with an eleventh to come", "ffffffffffffffffff8100", "ERR_OUT_OF_RANGE");
    bad(type, "zero in ten bytes", "80808080808080808000", "ERR_NOT_SHORTEST");
  }
  file("bytes/varints.json", "LEB128 and zigzag, 32 and 64 bits: around every power of two, and what is refused", list);

  const frames = [];
  for (const n of [0, 1, 2, 127, 128, 129, 255, 256, 16383, 16384, 65535, 65536]) {
    const le = [0, 8, 16, 24].map((shift) => u8((n >>> shift) & 255)).join("");
    for (const [prefix, hex] of [
      ["uvar", leb(BigInt(n))],
      ["u32le", le],
      ["u32be", u32(n)],
    ]) {
      frames.push({
        name: `${prefix}, ${n} bytes`,
        prefix,
        bytes: join(hex, repeat("2a", n)),
        payload: repeat("2a", n),
      });
    }
  }
  file("bytes/frames.json", "length-prefixed frames, each prefix", frames);
}

// ---------------------------------------------------------------------------------------------------------------- PCK

for (const [name, text] of await ownFiles()) files.set(`pck/${name}`, text);

// -------------------------------------------------------------------------------------------------------------- write

const check = process.argv.includes("--check");
let different = 0;
for (const [path, text] of files) {
  const url = new URL(path, import.meta.url);
  if (!check) {
    writeFileSync(url, text);
    continue;
  }
  let found = "";
  try {
    found = readFileSync(url, "utf8");
  } catch {
    // Reported below as a difference.
  }
  if (found !== text) {
    different++;
    console.error(`${fileURLToPath(url)} differs from what vectors/generate.mjs writes`);
  }
}
if (different > 0) process.exit(1);
console.log(`${files.size} files of vectors ${check ? "are as generated" : "written"}`);
