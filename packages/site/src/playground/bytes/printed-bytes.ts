// Bytes as programs print them: lists of Node, Deno, Bun and browsers, decimals, Python's literals, data URLs.
import { fromBase64 } from "../shared/base64.ts";
import { fromHex } from "./hex.ts";

/** Bytes of a printed text. */
export interface Printed {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The number of further bytes that the program has left out, as its text says. */
  readonly missing?: number | "some";
}

/** Starts by which the form of a trimmed text is known. */
export const PRINTED_START = {
  buffer: /^<(?:Buffer|SlowBuffer)\b/,
  array: /^(?:new )?(?:(?:Uint8|Uint8Clamped|Int8)Array\b|Buffer *[(.[])/,
  python: /^(?:(?:bytes|bytearray|memoryview)?\()?(?:b|br|rb)(?=['"])/i,
  url: /^data:[^,]{0,200},/i,
} as const;

/** The text before the numbers of a list. */
const LIST_START = /^(?:new )?(?:\w{0,12}(?:Array|Buffer)(?:\.(?:of|from))? ?(?:\(\d+\) ?(?=\[))?)?[([]{0,2}/;
const SEPARATORS = /[\s,]+/;
/** The characters of a number with the brackets after it, at most. */
const MAX_DIGITS = 16;
/** Characters by which decimals are known. */
const LOOKED_AT = 4096;

/** Reads `<Buffer 82 a2 ... 3 more bytes>`. Throws an Error for other texts. */
export function fromBuffer(text: string): Printed {
  const content = text.trim().replace(PRINTED_START.buffer, "");
  const [digits = "", rest] = content.slice(0, -1).split("...", 2);
  const [, more] = /^ ?(\d{1,12}) more bytes? ?$/.exec(rest ?? "") ?? [];
  const bytes = content.endsWith(">") && (rest === undefined) === (more === undefined) ? fromHex(digits) : undefined;
  if (bytes === undefined) throw new Error("This is not a Buffer as Node prints it: <Buffer 82 a2 69 64>.");
  return more === undefined ? { bytes } : { bytes, missing: Number(more) };
}

/** Reads `Uint8Array(4) [ 130, 162, 105, 100 ]`, and decimals with commas or spaces between them. Throws an Error for other texts. */
export function fromDecimals(text: string): Printed {
  const parts = text.trim().replace(LIST_START, "").split(SEPARATORS);
  const bytes = new Uint8Array(parts.length);
  let length = 0;
  for (const [index, part] of parts.entries()) {
    // Browsers list the properties of the array after its numbers.
    if (part === "buffer:" || part.startsWith("Symbol(")) break;
    if (part === "..." || part === "…") {
      const [more] = /^\d{1,12}$/.exec(parts[index + 1] ?? "") ?? [];
      return { bytes: bytes.slice(0, length), missing: more === undefined ? "some" : Number(more) };
    }
    const number = part.slice(0, MAX_DIGITS).replace(/[\])};]+$/, "");
    const value = part.length > MAX_DIGITS ? undefined : number === "" ? "" : byteOf(number);
    if (value === "") continue;
    if (value === undefined)
      throw new Error(`This is not a list of bytes: ${part.slice(0, MAX_DIGITS)} is none of 0 to 255.`);
    bytes[length++] = value;
  }
  return { bytes: bytes.slice(0, length) };
}

/** A number of a list: decimal, hexadecimal with 0x, or negative as in an Int8Array. */
function byteOf(part: string): number | undefined {
  if (!/^(?:-?\d{1,3}|0x[0-9a-f]{1,2})$/i.test(part)) return undefined;
  const value = Number(part);
  return value >= -128 && value <= 255 ? value & 255 : undefined;
}

/**
 * True for decimals of bytes: at least two, with commas or spaces between them, one of which cannot be a byte in hexadecimal digits.
 * `12 34` is hexadecimal, `12 34 5` and `130, 162` are decimals.
 */
export function looksLikeDecimals(trimmed: string): boolean {
  const start = trimmed.slice(0, LOOKED_AT);
  if (!/^[\s\d,-]+$/.test(start)) return false;
  const parts = start.split(SEPARATORS);
  // The last number may be cut.
  if (trimmed.length > LOOKED_AT) parts.pop();
  return parts.length > 1 && parts.some((one) => one.length !== 2) && parts.every((one) => byteOf(one) !== undefined);
}

/** The bytes of escapes of one letter, in the order of the letters. */
const LETTERS = "nrtabfv\\'\"";
const LETTER_BYTES = [10, 13, 9, 7, 8, 12, 11, 0x5c, 0x27, 0x22];

/** Reads one or several literals of Python, `b'\x82\xa2id'`. Throws an Error that says where a literal is broken. */
export function fromPython(text: string): Printed {
  const source = text.trim();
  const [call] = /^(?:bytes|bytearray|memoryview)?\(/i.exec(source) ?? [""];
  const end = call !== "" && source.endsWith(")") ? source.length - 1 : source.length;
  let at = call.length;
  const bytes = new Uint8Array(source.length);
  let length = 0;
  while (at < end) {
    const [opening, prefix = "", quote = ""] = /^(br|rb|b)('''|"""|'|")/i.exec(source.slice(at, at + 5)) ?? [];
    if (opening === undefined)
      throw new Error(`This is not a literal of Python: b' must begin at character ${at + 1}.`);
    at += opening.length;
    while (!source.startsWith(quote, at)) {
      if (at >= end) throw new Error(`The literal of Python has no ${quote} at its end.`);
      const [byte, next] = pythonByte(source, at, /r/i.test(prefix));
      if (byte !== undefined) bytes[length++] = byte;
      at = next;
    }
    at += quote.length;
    while (at < end && /\s/.test(source.charAt(at))) at++;
  }
  return { bytes: bytes.slice(0, length) };
}

/** A byte of a literal, and where the next one begins. No byte for a backslash at the end of a line. */
function pythonByte(text: string, at: number, isRaw: boolean): readonly [byte: number | undefined, next: number] {
  const code = text.charCodeAt(at);
  if (code > 127) throw new Error(`A literal of Python holds ASCII alone: character ${at + 1} is another one.`);
  if (code !== 0x5c || isRaw) return [code, at + 1];
  const next = text.charAt(at + 1);
  if (next === "\n") return [undefined, at + 2];
  const letter = next === "" ? -1 : LETTERS.indexOf(next);
  if (letter >= 0) return [LETTER_BYTES[letter], at + 2];
  const [digits] = /^(?:x[0-9a-f]{2}|[0-7]{1,3})/i.exec(text.slice(at + 1, at + 4)) ?? [];
  if (digits !== undefined)
    return [next === "x" ? Number(`0${digits}`) : Number.parseInt(digits, 8) & 255, at + 1 + digits.length];
  if (next === "x") throw new Error(`The literal of Python is broken at character ${at + 1}: \\x needs two digits.`);
  // Python keeps the backslash of an escape that it does not know.
  return [code, at + 1];
}

/** Reads a data URL: its type, and its bytes. Throws an Error if it is broken. */
export function fromDataUrl(text: string): Printed & { readonly type: string } {
  const trimmed = text.trim();
  const comma = trimmed.indexOf(",");
  const [type = "", ...rest] = trimmed.slice("data:".length, comma).split(";");
  const content = percentDecoded(trimmed.slice(comma + 1));
  const isBase64 = rest.some((one) => one.trim().toLowerCase() === "base64");
  const bytes = isBase64 ? fromBase64(new TextDecoder().decode(content)) : content;
  if (bytes === undefined) throw new Error("The data URL is broken: its content is not base64.");
  return { bytes, type: type.trim().toLowerCase() };
}

function percentDecoded(text: string): Uint8Array<ArrayBuffer> {
  const source = new TextEncoder().encode(text);
  const bytes = new Uint8Array(source.length);
  let length = 0;
  for (let at = 0; at < source.length; at++) {
    const digits = source[at] === 0x25 ? String.fromCharCode(...source.subarray(at + 1, at + 3)) : "";
    const isEscape = /^[0-9a-f]{2}$/i.test(digits);
    bytes[length++] = isEscape ? Number.parseInt(digits, 16) : source[at]!;
    if (isEscape) at += 2;
  }
  return bytes.slice(0, length);
}
