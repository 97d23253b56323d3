/** Text of requests in lines of JSON and in a page, escaped. */

/** Characters that are valid in JSON, but move a terminal's cursor, break lines or reverse text. */
const UNSAFE = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Characters that a page shows as U+FFFD: the unsafe ones, and ones that HTML does not allow. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters to replace
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]/g;

const MARKUP = /[&<>"']/g;

/** The longest text that is written, in characters. */
const MAX_TEXT = 1024;

/** Returns a text as JSON, cut after 1,024 characters. */
export function jsonText(text: string): string {
  const json = JSON.stringify(text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text);
  return json.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Returns a request's id as JSON; undefined unless it is text, a number, a bigint or a boolean. */
export function jsonId(id: unknown): string | undefined {
  if (typeof id === "string") return jsonText(id);
  if (typeof id === "number") return Number.isFinite(id) ? String(id) : `"${id}"`;
  return typeof id === "bigint" || typeof id === "boolean" ? `"${id}"` : undefined;
}

/** Returns a text for an element or an attribute of a page. */
export function htmlText(text: string): string {
  const printable = text.toWellFormed().replace(UNPRINTABLE, "\ufffd");
  return printable.replace(MARKUP, (character) => `&#${character.charCodeAt(0)};`);
}

/** Returns the path of a request's URL, without query and fragment, cut after 1,024 characters. */
export function pathOf(url: unknown): string {
  if (typeof url !== "string") return "";
  const end = url.search(/[?#]/);
  return url.slice(0, Math.min(end < 0 ? url.length : end, MAX_TEXT));
}

/** Returns the microseconds since a time of `performance.now()`. */
export function microsecondsSince(start: number): number {
  return Math.round((performance.now() - start) * 1000);
}
