/**
 * Texts of labels as a store takes them. Its names and tags have no control characters, labels of Prometheus may have line feeds: each
 * is stored as the character U+E000 + code. A text's own U+E000 to U+E0FF stand after U+E0FF, so that no two texts become one.
 */

const SPECIAL = /(?=\p{ASCII})\p{Cc}|[\ue000-\ue0ff]/gu;
const PRIVATE = 0xe000;

/** A text of the input as the store takes it. */
export function storedText(text: string): string {
  return text.replace(SPECIAL, (character) =>
    character < "\u0080" ? String.fromCharCode(PRIVATE + character.charCodeAt(0)) : `\ue0ff${character}`,
  );
}
