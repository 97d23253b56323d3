// nil, booleans, numbers and strings of MessagePack.
import { be, u8, u16, u32, f32, f64, utf8, repeat, join, int, float, file, good, long } from "./notation.mjs";

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
  // Each format with its range, and the range for which it is the shortest form.
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

  // Both sides of every limit of every format, and of the integers that a double holds exactly.
  const edges = new Set();
  for (const { min, max, from, to } of formats)
    for (const edge of [min, max, from, to]) for (let d = -2n; d <= 2n; d++) edges.add(edge + d);
  for (const edge of [2n ** 53n, -(2n ** 53n), 2n ** 60n, -(2n ** 60n)])
    for (let d = -2n; d <= 2n; d++) edges.add(edge + d);
  for (let bit = 0n; bit < 64n; bit++) edges.add(1n << bit).add(-(1n << bit));
  const all = [...edges].filter((n) => n >= -(2n ** 63n) && n < 2n ** 64n).sort((a, b) => (a < b ? -1 : 1));
  for (const n of all) list.push(good(`${n}, ${home(n).name}`, bytesOf(home(n), n), int(n)));

  // Every other format that can hold the number. Longer ones are not shortest. Strict decoders also reject formats of the
  // same length (a positive number in a signed format), since each number has one form.
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
  // A safe integer written as a float has its shortest form in the integer family.
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
  // Lengths around the limit of every header, and around the lengths at which implementations switch methods.
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
