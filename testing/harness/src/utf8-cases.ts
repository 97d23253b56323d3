/** Cases and oracles of the UTF-8 suite: texts, ill-formed bytes, and two reference decoders. */
import { thinned } from "./effort.ts";

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const upTo = (last: number) => Array.from({ length: last + 1 }, (_, i) => i);

/** Lengths where a variant changes its algorithm: around 8, 16, 24, 28, 32, 40, 64, 128, 144. Tried in every run. */
const TURNS = [...upTo(41), 63, 64, 65, 127, 128, 129, 143, 144, 145, 146];

/** The lengths of texts that the suite tries. */
export const LENGTHS: readonly number[] = [
  ...new Set([...TURNS, ...thinned(upTo(300))]),
  ...[1023, 1024, 1025, 4095, 4096, 4097, 4098, 4099, 4100, 100_000],
];

/** Returns texts of about `n` UTF-16 units: some like real data, others that select each branch of each variant. */
export function texts(n: number): string[] {
  const at = (filler: string, place: number, char: string) => filler.slice(0, place) + char + filler.slice(place + 1);
  const ascii = "The quick brown fox jumps over the lazy dog. ".repeat(Math.ceil(n / 45)).slice(0, n);
  const all = [
    ascii,
    "é".repeat(n),
    "日本語".repeat(Math.ceil(n / 3)).slice(0, n),
    `${"日".repeat(Math.max(n - 1, 0))}a`.slice(0, n),
    "😀".repeat(n >> 1),
    "aé日😀".repeat(Math.ceil(n / 5)).slice(0, n - (n % 5)),
    "\ufeff".repeat(Math.min(n, 1)) + ascii.slice(1),
    "L'été à Noël, ".repeat(Math.ceil(n / 14)).slice(0, n),
  ];
  if (n > 0) {
    for (const char of ["\u0080", "\u07ff", "\u0800", "\uffff", "\0", "\ufeff"]) {
      for (const place of [0, n >> 1, n - 1]) all.push(at(ascii, place, char));
    }
    for (const place of [0, n >> 1, n - 1]) all.push(at(ascii, place, "\u{10ffff}"));
  }
  return all;
}

/** Sequences that are ill-formed by Unicode 16, table 3-7. */
export const MALFORMED: readonly (readonly number[])[] = [
  [0x80],
  [0xbf],
  [0xc0, 0x80],
  [0xc1, 0xbf],
  [0xe0, 0x80, 0x80],
  [0xe0, 0x9f, 0xbf],
  [0xf0, 0x80, 0x80, 0x80],
  [0xf0, 0x8f, 0xbf, 0xbf],
  [0xed, 0xa0, 0x80],
  [0xed, 0xbf, 0xbf],
  [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xf5, 0x80, 0x80, 0x80],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
  [0xfe],
  [0xff],
  [0xc3],
  [0xe6, 0x97],
  [0xe6],
  [0xf0, 0x9f, 0x98],
  [0xf0, 0x9f],
  [0xf0],
  [0xc3, 0xc3],
  [0xe6, 0x97, 0xe6],
  [0xf0, 0x9f, 0x98, 0xc3],
];

/** Returns the text of the bytes by TextDecoder, or null for ill-formed bytes. */
export function oracle(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Decodes by a loop over the table, for runs where TextDecoder's exceptions are too slow. A test compares both.
 * Returns the number of UTF-16 units, or -1 for ill-formed bytes.
 */
export function unitsByTable(b: readonly number[] | Uint8Array): number {
  let units = 0;
  for (let i = 0; i < b.length; ) {
    const lead = b[i]!;
    let size = 1;
    let low = 0x80;
    let high = 0xbf;
    if (lead <= 0x7f) size = 1;
    else if (lead >= 0xc2 && lead <= 0xdf) size = 2;
    else if (lead >= 0xe0 && lead <= 0xef) {
      size = 3;
      if (lead === 0xe0) low = 0xa0;
      if (lead === 0xed) high = 0x9f;
    } else if (lead >= 0xf0 && lead <= 0xf4) {
      size = 4;
      if (lead === 0xf0) low = 0x90;
      if (lead === 0xf4) high = 0x8f;
    } else return -1;
    if (i + size > b.length) return -1;
    for (let k = 1; k < size; k++) {
      const c = b[i + k]!;
      if (k === 1 ? c < low || c > high : c < 0x80 || c > 0xbf) return -1;
    }
    units += size === 4 ? 2 : 1;
    i += size;
  }
  return units;
}

/** Throws an error that shows the bytes or the text. */
export function fail(what: string, bytes: Uint8Array | string): never {
  const shown =
    typeof bytes === "string"
      ? JSON.stringify(bytes.slice(0, 80))
      : [...bytes.subarray(0, 40)].map((b) => b.toString(16)).join(" ");
  throw new Error(`${what}: ${bytes.length} long: ${shown}`);
}
