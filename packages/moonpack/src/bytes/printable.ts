/** Characters that control a terminal: C0, DEL and C1 controls, bidirectional marks and line separators. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * Makes text of unknown origin safe to print on one line: control characters are written as JSON escapes. For error texts
 * that quote data from a peer.
 *
 * @example
 * printable("a\nb"); // "a\\u000ab"
 */
export function printable(text: string): string {
  return text.replace(CONTROLS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
