// Text of strangers on the page: characters that are invisible, or that turn the text around them, are shown as escapes.

/** Controls, separators of lines, halves of pairs, and marks of direction and format. The two joiners are part of words and emoji. */
export const HIDDEN: RegExp = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/gu;

/** Returns a text that shows all of its characters, such as `\u202e` for a mark that turns the text. */
export function shownText(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.codePointAt(0)!.toString(16).padStart(4, "0");
    return code.length > 4 ? `\\u{${code}}` : `\\u${code}`;
  });
}
