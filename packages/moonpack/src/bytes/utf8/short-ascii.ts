/**
 * Short ASCII text, where a call into the runtime costs more than the text itself. Each length has a separate line, with one
 * call of fromCharCode for all characters; that is why this file is long.
 */

const fromCharCode = String.fromCharCode;

/**
 * Up to this many bytes an ASCII string is built faster from its character codes than by a call into the runtime (Node 20: 27
 * characters 60 ns against 90 ns with latin1Slice, 40 characters 89 against 105).
 */
export const SHORT_STRING = 32;

/** The string of 0 to 32 ASCII bytes; null when a byte is not ASCII. The caller has checked the bounds. */
export function readShortAscii(b: Uint8Array, s: number, n: number): string | null {
  // Not by appending: the result would be a rope, which keeps its pieces alive.
  if (n < 9) return readAscii8(b, s, n);
  if (n > 24) return readAscii32(b, s, n);
  const a0 = b[s]!,
    a1 = b[s + 1]!,
    a2 = b[s + 2]!,
    a3 = b[s + 3]!,
    a4 = b[s + 4]!,
    a5 = b[s + 5]!,
    a6 = b[s + 6]!,
    a7 = b[s + 7]!,
    a8 = b[s + 8]!;
  const or = a0 | a1 | a2 | a3 | a4 | a5 | a6 | a7 | a8;
  if (n === 9) return or < 0x80 ? fromCharCode(a0, a1, a2, a3, a4, a5, a6, a7, a8) : null;
  const a9 = b[s + 9]!;
  if (n === 10) return (or | a9) < 0x80 ? fromCharCode(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9) : null;
  const a10 = b[s + 10]!;
  if (n === 11) return (or | a9 | a10) < 0x80 ? fromCharCode(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) : null;
  const a11 = b[s + 11]!;
  const or12 = or | a9 | a10 | a11;
  if (or12 >= 0x80) return null;
  if (n === 12) return fromCharCode(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11);
  const b0 = b[s + 12]!;
  if (n === 13) return b0 < 0x80 ? fromCharCode(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, b0) : null;
  const b1 = b[s + 13]!;
  if (n === 14) return (b0 | b1) < 0x80 ? fromCharCode(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, b0, b1) : null;
  const b2 = b[s + 14]!;
  if (n === 15)
    return (b0 | b1 | b2) < 0x80 ? fromCharCode(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, b0, b1, b2) : null;
  const b3 = b[s + 15]!;
  if ((b0 | b1 | b2 | b3) >= 0x80) return null;
  if (n === 16) return fromCharCode(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, b0, b1, b2, b3);
  const b4 = b[s + 16]!;
  if (n === 17)
    return b4 < 0x80 ? fromCharCode(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, b0, b1, b2, b3, b4) : null;
  const b5 = b[s + 17]!;
  if (n === 18)
    return (b4 | b5) < 0x80
      ? fromCharCode(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, b0, b1, b2, b3, b4, b5)
      : null;
  const b6 = b[s + 18]!;
  if (n === 19)
    return (b4 | b5 | b6) < 0x80
      ? fromCharCode(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, b0, b1, b2, b3, b4, b5, b6)
      : null;
  const b7 = b[s + 19]!;
  if ((b4 | b5 | b6 | b7) >= 0x80) return null;
  if (n === 20) return fromCharCode(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, b0, b1, b2, b3, b4, b5, b6, b7);
  const c0 = b[s + 20]!;
  if (n === 21)
    return c0 < 0x80
      ? fromCharCode(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, b0, b1, b2, b3, b4, b5, b6, b7, c0)
      : null;
  const c1 = b[s + 21]!;
  if (n === 22)
    return (c0 | c1) < 0x80
      ? fromCharCode(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, b0, b1, b2, b3, b4, b5, b6, b7, c0, c1)
      : null;
  const c2 = b[s + 22]!;
  if (n === 23)
    return (c0 | c1 | c2) < 0x80
      ? fromCharCode(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, b0, b1, b2, b3, b4, b5, b6, b7, c0, c1, c2)
      : null;
  const c3 = b[s + 23]!;
  return (c0 | c1 | c2 | c3) < 0x80
    ? fromCharCode(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, b0, b1, b2, b3, b4, b5, b6, b7, c0, c1, c2, c3)
    : null;
}

/** Works like {@link readShortAscii}, for up to 8 bytes. */
export function readAscii8(b: Uint8Array, s: number, n: number): string | null {
  if (n === 0) return "";
  const a0 = b[s]!;
  if (n === 1) return a0 < 0x80 ? fromCharCode(a0) : null;
  const a1 = b[s + 1]!;
  if (n === 2) return (a0 | a1) < 0x80 ? fromCharCode(a0, a1) : null;
  const a2 = b[s + 2]!;
  if (n === 3) return (a0 | a1 | a2) < 0x80 ? fromCharCode(a0, a1, a2) : null;
  const a3 = b[s + 3]!;
  if ((a0 | a1 | a2 | a3) >= 0x80) return null;
  if (n === 4) return fromCharCode(a0, a1, a2, a3);
  const a4 = b[s + 4]!;
  if (n === 5) return a4 < 0x80 ? fromCharCode(a0, a1, a2, a3, a4) : null;
  const a5 = b[s + 5]!;
  if (n === 6) return (a4 | a5) < 0x80 ? fromCharCode(a0, a1, a2, a3, a4, a5) : null;
  const a6 = b[s + 6]!;
  if (n === 7) return (a4 | a5 | a6) < 0x80 ? fromCharCode(a0, a1, a2, a3, a4, a5, a6) : null;
  const a7 = b[s + 7]!;
  return (a4 | a5 | a6 | a7) < 0x80 ? fromCharCode(a0, a1, a2, a3, a4, a5, a6, a7) : null;
}

/** The same for 25 to 32 bytes: a separate function, since one for all lengths is slower at every length. */
// biome-ignore format: with each argument on a line this is 300 lines
function readAscii32(b: Uint8Array, s: number, n: number): string | null {
  const a0 = b[s]!, a1 = b[s + 1]!, a2 = b[s + 2]!, a3 = b[s + 3]!, a4 = b[s + 4]!, a5 = b[s + 5]!,
    a6 = b[s + 6]!, a7 = b[s + 7]!, a8 = b[s + 8]!, a9 = b[s + 9]!, a10 = b[s + 10]!, a11 = b[s + 11]!,
    b0 = b[s + 12]!, b1 = b[s + 13]!, b2 = b[s + 14]!, b3 = b[s + 15]!, b4 = b[s + 16]!, b5 = b[s + 17]!,
    b6 = b[s + 18]!, b7 = b[s + 19]!, c0 = b[s + 20]!, c1 = b[s + 21]!, c2 = b[s + 22]!, c3 = b[s + 23]!;
  const or24 = a0 | a1 | a2 | a3 | a4 | a5 | a6 | a7 | a8 | a9 | a10 | a11 | b0 | b1 | b2 | b3 | b4 | b5 | b6 | b7 | c0 | c1 |
    c2 | c3;
  if (or24 >= 0x80) return null;
  const c4 = b[s + 24]!;
  if (n === 25) return c4 < 0x80 ? fromCharCode(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, b0, b1, b2, b3, b4, b5, b6,
    b7, c0, c1, c2, c3, c4) : null;
  const c5 = b[s + 25]!;
  if (n === 26) return (c4 | c5) < 0x80 ? fromCharCode(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, b0, b1, b2, b3, b4,
    b5, b6, b7, c0, c1, c2, c3, c4, c5) : null;
  const c6 = b[s + 26]!;
  if (n === 27) return (c4 | c5 | c6) < 0x80 ? fromCharCode(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, b0, b1, b2, b3,
    b4, b5, b6, b7, c0, c1, c2, c3, c4, c5, c6) : null;
  const c7 = b[s + 27]!;
  if ((c4 | c5 | c6 | c7) >= 0x80) return null;
  if (n === 28) return fromCharCode(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, b0, b1, b2, b3, b4, b5, b6, b7, c0, c1,
    c2, c3, c4, c5, c6, c7);
  const c8 = b[s + 28]!;
  if (n === 29) return c8 < 0x80 ? fromCharCode(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, b0, b1, b2, b3, b4, b5, b6,
    b7, c0, c1, c2, c3, c4, c5, c6, c7, c8) : null;
  const c9 = b[s + 29]!;
  if (n === 30) return (c8 | c9) < 0x80 ? fromCharCode(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, b0, b1, b2, b3, b4,
    b5, b6, b7, c0, c1, c2, c3, c4, c5, c6, c7, c8, c9) : null;
  const c10 = b[s + 30]!;
  if (n === 31) return (c8 | c9 | c10) < 0x80 ? fromCharCode(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, b0, b1, b2, b3,
    b4, b5, b6, b7, c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10) : null;
  const c11 = b[s + 31]!;
  return (c8 | c9 | c10 | c11) < 0x80 ? fromCharCode(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, b0, b1, b2, b3, b4, b5,
    b6, b7, c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11) : null;
}
