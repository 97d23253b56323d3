/** The longest foreign text that is shown, in characters. It can be as long as a body. */
const SHOWN = 1000;

/** Returns a text. If it is longer than `most`, its end is replaced by `..`. */
export function shortened(text: string, most = SHOWN): string {
  return text.length > most ? `${text.slice(0, most)}..` : text;
}
