/** The order of texts with numbers in them: a2 is before a10. */
const CHUNK = /[0-9]+|[^0-9]+/g;

/** Returns true if `a` is before `b`, exactly like the library that Prometheus uses. */
export function isBefore(a: string, b: string): boolean {
  const chunksOfA = a.match(CHUNK) ?? [];
  const chunksOfB = b.match(CHUNK) ?? [];
  for (const [i, chunk] of chunksOfA.entries()) {
    const other = chunksOfB[i];
    if (other === undefined) return false;
    const x = integerOf(chunk);
    const y = integerOf(other);
    if (x !== undefined && y !== undefined ? x === y : chunk === other) {
      if (i === chunksOfA.length - 1) return true;
      if (i === chunksOfB.length - 1) return false;
      continue;
    }
    return x !== undefined && y !== undefined ? x < y : chunk < other;
  }
  return false;
}

/** Digits as a number of 64 bits; undefined for other texts and for larger numbers. */
function integerOf(chunk: string): bigint | undefined {
  if (chunk.charCodeAt(0) > 0x39 || chunk.charCodeAt(0) < 0x30) return undefined;
  const digits = chunk.replace(/^0+/, "");
  if (digits.length > 19) return undefined;
  const value = BigInt(chunk);
  return value < 1n << 63n ? value : undefined;
}
