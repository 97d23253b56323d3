// The notation of vectors: bytes as hex, values that JSON lacks as typed forms.

/** Big-endian hex of an unsigned integer, `size` bytes. */
export const be = (n, size) =>
  BigInt.asUintN(size * 8, BigInt(n))
    .toString(16)
    .padStart(size * 2, "0");
export const u8 = (n) => be(n, 1);
export const u16 = (n) => be(n, 2);
export const u32 = (n) => be(n, 4);
export const u64 = (n) => be(n, 8);

const view = new DataView(new ArrayBuffer(8));
export const f32 = (x) => (view.setFloat32(0, x), u32(view.getUint32(0)));
export const f64 = (x) => (view.setFloat64(0, x), u64(view.getBigUint64(0)));

/** UTF-8 by the table of the Unicode standard, without TextEncoder. */
export function utf8(text) {
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

export const repeat = (hex, n) => ({ $repeat: [hex, n] });
export const entries = (n) => ({ $entries: n });
/** Joins parts: adjacent strings are joined, repetitions stay apart; a single string stays a string. */
export function join(...parts) {
  const out = [];
  for (const part of parts.flat()) {
    if (part === "") continue;
    if (typeof part === "string" && typeof out.at(-1) === "string") out[out.length - 1] += part;
    else out.push(part);
  }
  return out.length === 0 ? "" : out.length === 1 && typeof out[0] === "string" ? out[0] : out;
}

export const int = (n) =>
  Number.isSafeInteger(Number(n)) && BigInt(Number(n)) === BigInt(n) ? Number(n) : { $int: String(n) };
export const float = (x) => ({ $float: Object.is(x, -0) ? "-0" : String(x) });
export const bin = (hex) => ({ $bin: hex });
export const ext = (type, hex) => ({ $ext: [type, hex] });
export const time = (seconds, nanoseconds) => ({ $time: [String(seconds), nanoseconds] });

export const files = new Map();
export function file(path, about, vectors) {
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
export const good = (name, bytes, value) => ({ name, bytes, value });
/** Valid, but longer than necessary: decoders read it, strict ones reject it, encoders never write it. */
export const long = (name, bytes, value) => ({ name, bytes, value, shortest: false });
