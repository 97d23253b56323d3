// Varints and frames.
import { u8, u32, repeat, join, file } from "./notation.mjs";

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
  file("bytes/varints.json", "LEB128 and zigzag, 32 and 64 bits: around every power of two, and rejected bytes", list);

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
