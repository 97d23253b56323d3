// Text in files: UTF-8, or UTF-16 as some programs of Windows save it.

/** Decoders skip the mark that a text may begin with. */
const MARKS = [
  { mark: [0xef, 0xbb, 0xbf], name: "utf-8" },
  { mark: [0xff, 0xfe], name: "utf-16le" },
  { mark: [0xfe, 0xff], name: "utf-16be" },
] as const;

/** `{` and `[`. */
const JSON_BEGINS: readonly (number | undefined)[] = [0x7b, 0x5b];

/** The text of bytes. Throws an Error if they are not text. */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch {
    throw new Error("This file is not text: it is neither UTF-8 nor UTF-16.");
  }
}

/** True if bytes begin as an object or array of JSON does. As MessagePack they would be a number, with many bytes after it. */
export function beginsAsJson(bytes: Uint8Array): boolean {
  const start = MARKS.find((each) => isMarked(bytes, each))?.mark.length ?? 0;
  const encoding = encodingOf(bytes);
  return JSON_BEGINS.includes(bytes[encoding === "utf-16be" ? start + 1 : start]);
}

function encodingOf(bytes: Uint8Array): string {
  const marked = MARKS.find((each) => isMarked(bytes, each));
  if (marked !== undefined) return marked.name;
  // Without a mark: an ASCII character in two bytes, one of which is zero.
  const [first, second] = bytes;
  if (bytes.length % 2 !== 0 || first === second) return "utf-8";
  return second === 0 ? "utf-16le" : first === 0 ? "utf-16be" : "utf-8";
}

function isMarked(bytes: Uint8Array, { mark }: (typeof MARKS)[number]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}
