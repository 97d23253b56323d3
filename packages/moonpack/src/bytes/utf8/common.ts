/**
 * UTF-8 in plain JavaScript: the parts that the variants for all runtimes share. The tests compare the variants with each other
 * and with TextDecoder. Well-formed is what Unicode 16, table 3-7, allows: no overlong form, no surrogate, nothing above
 * U+10FFFF.
 *
 * Which variant a runtime uses is decided by `#platform` under `imports` in package.json: Node takes platform/node.ts, Deno deno.ts,
 * Bun bun.ts, browsers browser.ts, and edge workers and unknown runtimes default.ts.
 */

/**
 * Decodes `b[s..e)` into UTF-16 code units. Returns their number, or -1 when the bytes are malformed. `view` is a view of the
 * same memory as `b`. `units` has room for `e - s` code units: text never has more of them than bytes.
 */
export function utf8ToUnits(units: Uint16Array, b: Uint8Array, view: DataView, s: number, e: number): number {
  let o = 0;
  while (s < e) {
    const a = b[s]!;
    if (a < 0x80) {
      // Four ASCII bytes at a time: twice as fast for text with few accents or dashes.
      for (let word = 0; s + 4 <= e && ((word = view.getInt32(s, true)) & 0x80808080) === 0; s += 4) {
        units[o] = word & 0x7f;
        units[o + 1] = (word >> 8) & 0x7f;
        units[o + 2] = (word >> 16) & 0x7f;
        units[o + 3] = word >> 24;
        o += 4;
      }
      while (s < e && b[s]! < 0x80) units[o++] = b[s++]!;
    } else if (a >= 0xe0 && a < 0xf0) {
      // Three bytes: nearly all CJK text. Four characters at a time, which is 3 times as fast.
      const run = s;
      for (; s + 12 <= e; s += 12, o += 4) {
        // Tests the fixed bits 1110xxxx 10xxxxxx 10xxxxxx of four characters. The first byte is the lowest of its word.
        const w0 = view.getInt32(s, true);
        if ((w0 & 0xf0c0c0f0) !== ~0x1f7f7f1f) break;
        const w1 = view.getInt32(s + 4, true);
        const w2 = view.getInt32(s + 8, true);
        if ((w1 & 0xc0f0c0c0) !== ~0x7f1f7f7f || (w2 & 0xc0c0f0c0) !== ~0x7f7f1f7f) break;
        const u0 = ((w0 & 15) << 12) | ((w0 >> 2) & 0xfc0) | ((w0 >> 16) & 63);
        const u1 = ((w0 >> 12) & 0xf000) | ((w1 & 63) << 6) | ((w1 >> 8) & 63);
        const u2 = ((w1 >> 4) & 0xf000) | ((w1 >> 18) & 0xfc0) | (w2 & 63);
        const u3 = ((w2 << 4) & 0xf000) | ((w2 >> 10) & 0xfc0) | ((w2 >> 24) & 63);
        if (isInvalidTriple(u0) || isInvalidTriple(u1) || isInvalidTriple(u2) || isInvalidTriple(u3)) return -1;
        units[o] = u0;
        units[o + 1] = u1;
        units[o + 2] = u2;
        units[o + 3] = u3;
      }
      if (s > run) continue;
      if (s + 3 > e) return -1;
      const c1 = b[s + 1]! ^ 0x80;
      const c2 = b[s + 2]! ^ 0x80;
      const u = ((a & 15) << 12) | (c1 << 6) | c2;
      if ((c1 | c2) > 0x3f || isInvalidTriple(u)) return -1;
      units[o++] = u;
      s += 3;
    } else if (a < 0xe0) {
      // Two bytes: accents, and Cyrillic, Greek, Arabic and Hebrew, where another such character usually follows.
      if (s + 2 > e) return -1;
      const word = s + 4 <= e ? view.getInt32(s, true) : a | (b[s + 1]! << 8);
      const u0 = ((word & 31) << 6) | ((word >> 8) & 63);
      if ((word & 0xc0e0) !== 0x80c0 || u0 < 0x80) return -1;
      units[o++] = u0;
      s += 2;
      if ((word & 0xc0e00000) === ~0x7f3fffff) {
        const u1 = ((word >> 10) & 0x7c0) | ((word >> 24) & 63);
        if (u1 < 0x80) return -1;
        units[o++] = u1;
        s += 2;
      }
    } else {
      if (a > 0xf4 || s + 4 > e) return -1;
      const c1 = b[s + 1]! ^ 0x80;
      const c2 = b[s + 2]! ^ 0x80;
      const c3 = b[s + 3]! ^ 0x80;
      const u = ((a & 7) << 18) | (c1 << 12) | (c2 << 6) | c3;
      if ((c1 | c2 | c3) > 0x3f || u < 0x10000 || u > 0x10ffff) return -1;
      units[o++] = 0xd7c0 + (u >> 10);
      units[o++] = 0xdc00 | (u & 0x3ff);
      s += 4;
    }
  }
  return o;
}

/** True for a code unit that three bytes must not encode: one that takes fewer bytes, or a surrogate. */
function isInvalidTriple(u: number): boolean {
  return u < 0x800 || (u & 0xf800) === 0xd800;
}

/** The string of up to eight code units. */
export function fewUnits(u: ArrayLike<number>, n: number): string {
  const { fromCharCode } = String;
  switch (n) {
    case 0:
      return "";
    case 1:
      return fromCharCode(u[0]!);
    case 2:
      return fromCharCode(u[0]!, u[1]!);
    case 3:
      return fromCharCode(u[0]!, u[1]!, u[2]!);
    case 4:
      return fromCharCode(u[0]!, u[1]!, u[2]!, u[3]!);
    case 5:
      return fromCharCode(u[0]!, u[1]!, u[2]!, u[3]!, u[4]!);
    case 6:
      return fromCharCode(u[0]!, u[1]!, u[2]!, u[3]!, u[4]!, u[5]!);
    case 7:
      return fromCharCode(u[0]!, u[1]!, u[2]!, u[3]!, u[4]!, u[5]!, u[6]!);
    default:
      return fromCharCode(u[0]!, u[1]!, u[2]!, u[3]!, u[4]!, u[5]!, u[6]!, u[7]!);
  }
}

/**
 * Writes a string as UTF-8 with a loop. Returns the position after it, or -1 at a lone surrogate; the bytes before that are
 * then already written. The caller has made room for 3 bytes a code unit.
 */
export function writeUtf8Loop(b: Uint8Array, p: number, text: string): number {
  const length = text.length;
  for (let i = 0; i < length; i++) {
    const c = text.charCodeAt(i);
    if (c > 0x7f) return writeUtf8From(b, p + i, text, i);
    b[p + i] = c;
  }
  return p + length;
}

/** Works like {@link writeUtf8Loop} from the code unit `i` on, the first one that is not ASCII. */
export function writeUtf8From(b: Uint8Array, p: number, text: string, i: number): number {
  const length = text.length;
  for (; i < length; i++) {
    let c = text.charCodeAt(i);
    if (c < 0x80) {
      b[p++] = c;
    } else if (c < 0x800) {
      b[p] = 0xc0 | (c >> 6);
      b[p + 1] = 0x80 | (c & 63);
      p += 2;
    } else {
      if ((c & 0xf800) !== 0xd800) b[p++] = 0xe0 | (c >> 12);
      else {
        const low = text.charCodeAt(i + 1); // NaN at the end
        if (c >= 0xdc00 || (low & 0xfc00) !== 0xdc00) return -1;
        i++;
        c = (c << 10) + low - 0x35fdc00; // (0xd800 << 10) + 0xdc00 - 0x10000
        b[p] = 0xf0 | (c >> 18);
        b[p + 1] = 0x80 | ((c >> 12) & 63);
        p += 2;
      }
      b[p] = 0x80 | ((c >> 6) & 63);
      b[p + 1] = 0x80 | (c & 63);
      p += 2;
    }
  }
  return p;
}

/** The number of bytes of a string in UTF-8. A lone surrogate counts 3, as U+FFFD does. */
export function utf8LengthLoop(text: string): number {
  let n = text.length;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c < 0x80) continue;
    if (c < 0x800) n++;
    else {
      n += 2;
      if ((c & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) i++;
    }
  }
  return n;
}

/**
 * Replaces each lone surrogate by U+FFFD, as TextEncoder does: for `utf8: "replace"`.
 *
 * @example
 * toWellFormed("a\ud800"); // "a\ufffd"
 */
export function toWellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}

/** Returns true when the string has no lone surrogate. */
export function isWellFormed(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if ((c & 0xf800) !== 0xd800) continue;
    if (c >= 0xdc00 || (text.charCodeAt(++i) & 0xfc00) !== 0xdc00) return false;
  }
  return true;
}

/** One for all calls, from the first on: a new TextDecoder costs microseconds, and the first of a process 0.15 ms. */
let lossy: TextDecoder | undefined;

/**
 * Decodes `bytes[start..end)` and replaces malformed bytes by U+FFFD, as the WHATWG Encoding Standard does: for
 * `utf8: "replace"`.
 */
export function readUtf8Lossy(bytes: Uint8Array, start: number, end: number): string {
  // `ignoreBOM` keeps a leading U+FEFF, which is data here.
  lossy ??= new TextDecoder("utf-8", { ignoreBOM: true });
  return lossy.decode(bytes.subarray(start, end));
}
