/** Strings in quotes, as Go writes them. */

/** Characters that are written as they are: letters, marks, numbers, punctuation, symbols, and the space of ASCII. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** Returns a text in double quotes. Lone surrogates U+DC80 to U+DCFF are bytes that are not UTF-8: `\xff`. */
export function quoteText(text: string): string {
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`;
  const parts = ['"'];
  for (const character of text) parts.push(character === '"' ? '\\"' : escaped(character));
  parts.push('"');
  return parts.join("");
}

/** Returns a character in single quotes. */
export function quoteCharacter(character: string): string {
  return `'${character === "'" ? "\\'" : escaped(character)}'`;
}

/** A character, or its escape sequence. */
function escaped(character: string): string {
  if (character === "\\") return "\\\\";
  if (PRINTABLE.test(character)) return character;
  const code = character.codePointAt(0)!;
  const short = SHORT[code - 7];
  if (short !== undefined) return short;
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`;
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${hex(code - 0xdc00, 2)}`;
  if (code >= 0xd800 && code <= 0xdfff) return "\\ufffd";
  return code < 0x1_0000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

/** The escape sequences of U+0007 to U+000D. */
const SHORT = ["\\a", "\\b", "\\t", "\\n", "\\v", "\\f", "\\r"];

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}
