/** Characters that control a terminal: C0, DEL and C1 controls, bidirectional marks and line separators. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
const ALL_CONTROLS = new RegExp(CONTROLS, "gu");
/** The same, without characters that JSON.stringify escapes, and without the line feeds between lines. */
const CONTROLS_IN_JSON = /[\x7f-\x9f\p{Bidi_Control}\u2028\u2029]/gu;
const SHORT = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/**
 * Makes text of unknown origin (a file name, a key, an error of a library) safe to print on one line of a terminal. Control
 * characters are written as JSON escapes them, for example `\u001b`.
 */
export function printable(text: string): string {
  // Most texts have no control characters: a test costs less than a replacement.
  return CONTROLS.test(text) ? text.replace(ALL_CONTROLS, escaped) : text;
}

/** The same for text with several lines, such as a stack. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/** Escapes control characters within the strings of JSON text. The values are the same. */
export function printableJson(text: string): string {
  return text.replace(CONTROLS_IN_JSON, escaped);
}

function escaped(character: string): string {
  return SHORT.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
