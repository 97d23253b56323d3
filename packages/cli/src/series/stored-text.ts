/**
 * Escapes the text of a label. Prometheus' labels may contain line feeds, but a store accepts no control characters: each is
 * stored as the character U+E000 + code. A text's own U+E000 to U+E0FF are prefixed with U+E0FF, so texts stay distinct.
 */

const SPECIAL = /(?=\p{ASCII})\p{Cc}|[\ue000-\ue0ff]/gu;
const STORED = /\ue0ff([\ue000-\ue0ff])|[\ue000-\ue0ff]/gu;
const PRIVATE = 0xe000;

/** Converts a text of the input to a form that the store accepts. */
export function storedText(text: string): string {
  return text.replace(SPECIAL, (character) =>
    character < "\u0080" ? String.fromCharCode(PRIVATE + character.charCodeAt(0)) : `\ue0ff${character}`,
  );
}

/** The tag of the metrics that hold staleness markers: a label with this name is stored under another one. */
export const STALE_TAG = "__stale__";
const STORED_STALE = `\ue0ff${STALE_TAG}`;

/** Converts the name of a label to the tag that holds it. */
export function storedLabel(name: string): string {
  return name === STALE_TAG ? STORED_STALE : storedText(name);
}

/** Converts a tag back to the name of the label. */
export function labelName(tag: string): string {
  return tag === STORED_STALE ? STALE_TAG : labelText(tag);
}

/** Converts a text of the store back to the text of the label. */
export function labelText(text: string): string {
  return text.replace(STORED, (character, escaped: string | undefined) => {
    const control = String.fromCharCode(character.charCodeAt(0) - PRIVATE);
    return escaped ?? (control < " " || control === "\x7f" ? control : character);
  });
}
