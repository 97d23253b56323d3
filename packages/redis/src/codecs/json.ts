/**
 * Untrusted JSON. V8 stores a property such as "1023" in an array as long as its index: `JSON.parse('{"1023":0}')` allocates 12 KB. So names
 * of digits are marked before parsing, and {@link recordOf} makes objects with the original names.
 */
import { recordOf } from "moonpack/bytes";

/** Matches the end of a name that may be an array index. The digits may be escapes. */
const INDEX = /"(?:\d|\\u003\d){2,10}"\s*:/;
const NAME_END = /\s*:/y;
/** Prefix of names of digits, and of names that already begin with it. */
const MARK = "#";
const TO_MARK = /^#*\d+$/;
const MARKED = /^#+\d+$/;

/** Returns the value of JSON, as `JSON.parse` does. Throws its SyntaxError, and a RangeError for nesting beyond the call stack. */
export function parseJson(text: string): unknown {
  return INDEX.test(text) ? JSON.parse(marked(text), unmarked) : JSON.parse(text);
}

/** Returns the JSON with marked names of digits. Invalid JSON stays invalid. */
function marked(text: string): string {
  const parts: string[] = [];
  let done = 0;
  for (let start = text.indexOf('"'); start !== -1; ) {
    const end = endOfString(text, start);
    NAME_END.lastIndex = end;
    if (NAME_END.test(text) && TO_MARK.test(nameOf(text.slice(start, end)))) {
      parts.push(text.slice(done, start + 1), MARK);
      done = start + 1;
    }
    start = text.indexOf('"', end);
  }
  parts.push(text.slice(done));
  return parts.join("");
}

/** Returns the index after the closing quote of the string at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text[first - 1] === "\\") first--;
    // An odd number of backslashes escapes the quote.
    if ((end - first) % 2 === 0) return end + 1;
  }
  return text.length;
}

/** Returns the name in a quoted text; an empty text if it is invalid, which JSON.parse then reports. */
function nameOf(quoted: string): string {
  if (!quoted.includes("\\")) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return "";
  }
}

function unmarked(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  if (!entries.some(([name]) => MARKED.test(name))) return value;
  return recordOf(entries.map(([name, each]) => [MARKED.test(name) ? name.slice(1) : name, each] as const));
}
