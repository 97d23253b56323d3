/** Text from requests as it goes into lines of JSON and into a page. Whoever sent it cannot leave its place. */

/** Characters that JSON may hold as they are, but that move a terminal's cursor, break lines or reverse text. */
const UNSAFE = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** All characters that a page shows as U+FFFD: the unsafe ones, and those that HTML does not allow. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be replaced
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]/g;

const MARKUP = /[&<>"']/g;

/** The most of a text that is written, in characters. */
const MAX_TEXT = 1024;

/** A text as JSON, cut after 1,024 characters. */
export function jsonText(text: string): string {
  const json = JSON.stringify(text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text);
  return json.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A request's id as JSON; undefined if it is neither text, number, bigint nor boolean. */
export function jsonId(id: unknown): string | undefined {
  if (typeof id === "string") return jsonText(id);
  if (typeof id === "number") return Number.isFinite(id) ? String(id) : `"${id}"`;
  return typeof id === "bigint" || typeof id === "boolean" ? `"${id}"` : undefined;
}

/** A text for an element or an attribute of a page. */
export function htmlText(text: string): string {
  const printable = text.toWellFormed().replace(UNPRINTABLE, "\ufffd");
  return printable.replace(MARKUP, (character) => `&#${character.charCodeAt(0)};`);
}

/** The path of a request's URL, without query and fragment, cut after 1,024 characters. */
export function pathOf(url: unknown): string {
  if (typeof url !== "string") return "";
  const end = url.search(/[?#]/);
  return url.slice(0, Math.min(end < 0 ? url.length : end, MAX_TEXT));
}

/** Microseconds since a moment of `performance.now()`. */
export function microsecondsSince(start: number): number {
  return Math.round((performance.now() - start) * 1000);
}
