// Binary, arrays, maps, extensions and timestamps of MessagePack.
import { u8, u16, u32, utf8, repeat, entries, join, float, bin, file, good, long, ext, u64, be, time } from "./notation.mjs";

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
  // Names with a meaning in JavaScript are ordinary keys. They are given as pairs, since tools that turn JSON into object
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
    "fixmap, map16 and map32 at their limits; names special to JavaScript; keys that are not strings",
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
