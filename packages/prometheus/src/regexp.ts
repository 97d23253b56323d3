/** Regular expressions of queries: RE2's, so that matching takes time linear in the text. They match whole values. */
import { isWellFormed } from "moonpack/bytes";
import { RE2JS } from "re2js";

/** Compiles a regular expression; a dot matches a newline too. Throws an Error with RE2's own text. */
export function compileRegExp(pattern: string): RE2JS {
  if (!isWellFormed(pattern)) throw new Error("error parsing regexp: invalid UTF-8");
  return RE2JS.compile(pattern, RE2JS.DOTALL);
}
