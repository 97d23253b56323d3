// Bytes that decoders of MessagePack reject.
import { u8, u16, u64, utf8, repeat, entries, join, file } from "./notation.mjs";

// ---------------------------------------------------------------------------------------------------------- rejected

{
  const list = [];
  const reject = (name, bytes, code, offset, needMore = 0) => list.push({ name, bytes, code, offset, needMore });
  const cut = (name, bytes, offset, needMore) => reject(name, bytes, "ERR_TRUNCATED", offset, needMore);
  // Only strict decoders reject this; others read `value`.
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

  // A forged header costs nothing: all open containers together cannot declare more than the remaining bytes.
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
    // The first header fits if 65,535 bytes follow; the second one then declares 65,535 more.
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

  // Unicode 16, table 3-7. Each sequence alone, after ASCII, and at lengths where implementations switch methods.
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
    // Long non-ASCII text before it, so that methods chosen by density are tried too.
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
