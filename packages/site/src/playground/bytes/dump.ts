// Dumps of bytes as `xxd` and `hexdump -C` print them: lines of an offset, bytes, and their characters.
import { fromHex } from "./hex.ts";

/** A line of xxd: two spaces end the bytes. */
const XXD = /^([0-9a-f]{8,16}): ((?:[0-9a-f]{2,16} )*[0-9a-f]{2,16})(?: {2,}[^\n]*)?\s*$/i;
/** A line of `hexdump -C`: a bar ends the bytes. */
const CANONICAL = /^([0-9a-f]{8,16}) {2}((?:[0-9a-f]{2} {1,2})*[0-9a-f]{2}) *(?:\|[^\n]*)?$/i;
/** The line after the last, which has the size alone. */
const SIZE = /^[0-9a-f]{7,16}$/i;
/** `hexdump` without -C prints words of 16 bits with their bytes swapped. */
const WORDS = /^[0-9a-f]{7}(?: +[0-9a-f]{4}){1,8}\s*$/i;

/** True if the first line is a line of a dump. */
export function looksLikeDump(trimmed: string): boolean {
  const line = trimmed.slice(0, 400).split("\n", 1)[0]!.trim();
  return XXD.test(line) || CANONICAL.test(line) || WORDS.test(line);
}

/** Reads a dump. Repeated lines may be left out as `*`. Throws an Error with the line that does not fit, or beyond `most` bytes. */
export function fromDump(text: string, most: number): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let start: number | undefined;
  let size = 0;
  let isRepeated = false;
  const add = (part: Uint8Array) => {
    parts.push(part);
    size += part.length;
    if (size > most) throw new Error(`The dump has more than ${most.toLocaleString("en")} bytes.`);
  };
  for (const [index, given] of text.split("\n").entries()) {
    const line = given.trim();
    if (line === "") continue;
    if (line === "*") {
      if (parts.length === 0) throw new Error("The dump begins with *, which repeats the line before it.");
      isRepeated = true;
      continue;
    }
    if (WORDS.test(line) && index === 0)
      throw new Error("hexdump prints words with their bytes swapped. Print the bytes in their order: hexdump -C");
    const [, offsetText = line, digits = ""] = XXD.exec(line) ?? CANONICAL.exec(line) ?? [];
    if (!SIZE.test(offsetText)) throw new Error(`Line ${index + 1} is not a line of xxd or hexdump -C.`);
    const offset = Number.parseInt(offsetText, 16);
    start ??= offset;
    const repeated = parts.at(-1);
    if (isRepeated && repeated !== undefined) {
      if (offset - start > most) throw new Error(`The dump has more than ${most.toLocaleString("en")} bytes.`);
      while (size < offset - start) add(repeated.subarray(0, offset - start - size));
    }
    isRepeated = false;
    if (offset - start !== size)
      throw new Error(
        `Line ${index + 1} begins at byte ${offset}, but byte ${start + size} is the next: a line is missing.`,
      );
    add(fromHex(digits)!);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
