/**
 * JSON of strangers. `JSON.parse` keeps a property such as "1023" in an array that is as long as its index: `{"1023":0}` takes 12 KB.
 * Names of digits are changed before it, and get their own form again in objects that {@link recordOf} makes.
 */
import { recordOf } from "moonpack/bytes";

/** A name, or an end of one, that may be an array index. The digits may be escapes. */
const INDEX = /"(?:\d|\\u003\d){2,10}"\s*:/;
const NAME_END = /\s*:/y;
/** In the JSON, a mark is put in front of names of digits, and of those that begin with a mark already. */
const MARK = "#";
const TO_MARK = /^#*\d+$/;
const MARKED = /^#+\d+$/;

/** Returns the value of JSON as `JSON.parse` does. Throws its SyntaxError, and a RangeError for nesting that the call stack cannot hold. */
export function parseJson(text: string): unknown {
  return INDEX.test(text) ? JSON.parse(marked(text), unmarked) : JSON.parse(text);
}

/** The JSON with a mark in names of digits. Text that is not JSON stays invalid. */
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

/** Where the string from `start` on ends, behind its quote. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text[first - 1] === "\\") first--;
    // Of an odd number of backslashes, the last one escapes the quote.
    if ((end - first) % 2 === 0) return end + 1;
  }
  return text.length;
}

/** The name of a quoted text; empty if it is not valid, which JSON.parse finds out. */
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
