// Creates new inputs from existing ones: bytes are changed, removed, repeated, or copied from another input.

/** Size limit of an input. A larger input would show the same, but take longer. */
const MAX_INPUT = 4096;

/** Header bytes of MessagePack, and the limits of UTF-8's ranges. */
const INTERESTING = [
  0x00, 0x01, 0x1f, 0x20, 0x7f, 0x80, 0x81, 0x8f, 0x90, 0x91, 0x9f, 0xa0, 0xa1, 0xbf, 0xc0, 0xc1, 0xc4, 0xc7, 0xca,
  0xcb, 0xcf, 0xd3,
];
INTERESTING.push(0xd4, 0xd6, 0xd7, 0xd9, 0xda, 0xdb, 0xdc, 0xdd, 0xde, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xff);

/** One input of the corpus with one to four changes. */
export function mutate(corpus, below) {
  let bytes = corpus[below(corpus.length)];
  for (let n = 1 + below(4); n > 0; n--) {
    const at = below(bytes.length + 1);
    const other = corpus[below(corpus.length)];
    switch (below(8)) {
      case 0:
        bytes = join3(bytes.subarray(0, at), [below(256)], bytes.subarray(at + 1));
        break;
      case 1:
        bytes = join3(bytes.subarray(0, at), [INTERESTING[below(INTERESTING.length)]], bytes.subarray(at + 1));
        break;
      case 2:
        bytes = join3(bytes.subarray(0, at), [INTERESTING[below(INTERESTING.length)]], bytes.subarray(at));
        break;
      case 3:
        bytes = join3(bytes.subarray(0, at), [], bytes.subarray(at + 1 + below(6)));
        break;
      case 4:
        bytes = join3(bytes.subarray(0, at), other.subarray(0, 200), bytes.subarray(at));
        break;
      case 5:
        bytes = join3(bytes.subarray(0, at), other.subarray(below(other.length + 1)), []);
        break;
      case 6:
        bytes = join3([0x90 + below(16)], bytes, other.subarray(0, 300));
        break;
      default: {
        const from = below(bytes.length + 1);
        bytes = join3(bytes, bytes.subarray(from, from + 1 + below(40)), []);
      }
    }
  }
  return bytes.length > MAX_INPUT ? bytes.slice(0, MAX_INPUT) : bytes;
}

function join3(a, b, c) {
  const out = new Uint8Array(a.length + b.length + c.length);
  out.set(a);
  out.set(b, a.length);
  out.set(c, a.length + b.length);
  return out;
}

/** Mulberry32. A seed repeats a run, provided the time allows the same number of cases. */
export function randomSource(seed) {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * n);
  };
}
