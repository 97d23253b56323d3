/** The characters of a text of strangers that is shown. They can make it as long as a body. */
const SHOWN = 1000;

/** The begin of a text, with `..` in the place of the rest. */
export function shortened(text: string, most = SHOWN): string {
  return text.length > most ? `${text.slice(0, most)}..` : text;
}
