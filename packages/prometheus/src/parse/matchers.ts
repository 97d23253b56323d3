/** Parses the conditions on labels in braces: `{job="api", status=~"5.."}`, with UTF-8 names in quotes. */
import { MAX_PATTERN, patternLength, patternTest } from "../regexp.js";
import type { Cursor } from "./cursor.js";
import type { LabelMatcher, VectorSelector } from "./nodes.js";
import { quoteText } from "./quote.js";
import { stringValue } from "./scan-string.js";
import type { Token } from "./tokens.js";

/**
 * Parses a selector without its time: a name, conditions in braces, or both. `word` is the name, if it has been read. Throws
 * `ERR_PROMQL_SYNTAX`.
 */
export function parseSelector(c: Cursor, word?: Token): VectorSelector {
  const { start } = word ?? c.token;
  const allowsEmpty = c.allowsEmptySelector;
  c.allowsEmptySelector = false;
  const name = word?.text ?? "";
  const matchers = c.skip("{") ? parseBraces(c) : [];
  if (name !== "") {
    const twice = matchers.find((matcher) => matcher.name === "__name__");
    if (twice !== undefined)
      throw c.error(start, `metric name must not be set twice: ${quoteText(name)} or ${quoteText(twice.value)}`);
    matchers.push({ name: "__name__", operator: "=", value: name });
  } else if (!allowsEmpty && matchers.every((matcher) => matchesEmpty(c, matcher)))
    throw c.error(start, "vector selector must contain at least one non-empty matcher");
  c.height = 1;
  return { kind: "selector", valueType: "vector", name, matchers, offset: 0, at: undefined, start, end: c.end };
}

/** Parses the conditions up to the closing brace. A comma may follow the last one. */
function parseBraces(c: Cursor): LabelMatcher[] {
  const matchers: LabelMatcher[] = [];
  while (!c.skip("}")) {
    matchers.push(parseMatcher(c));
    if (!c.is("}")) c.expect(",", "label matching", '"," or "}"');
  }
  return matchers;
}

function parseMatcher(c: Cursor): LabelMatcher {
  if (!c.is("identifier") && !c.is("string")) throw c.unexpected("label matching", 'identifier or "}"');
  const isQuoted = c.is("string");
  const { text, start } = c.next();
  const name = isQuoted ? stringValue(c.query, start, c.end) : text;
  // A string alone is the name of the metric.
  if (isQuoted && (c.is(",") || c.is("}"))) return { name: "__name__", operator: "=", value: name };
  const operator = c.token.kind;
  if (operator !== "=" && operator !== "!=" && operator !== "=~" && operator !== "!~")
    throw c.unexpected("label matching", isQuoted ? '"," or "}"' : "label matching operator");
  c.next();
  const { start: valueStart } = c.expect("string", "label matching", "string");
  const value = stringValue(c.query, valueStart, c.end);
  if (operator === "=~" || operator === "!~") checkRegExp(c, start, value);
  return { name, operator, value };
}

/** Compiles a regular expression, each once a query. Throws `ERR_PROMQL_SYNTAX`, and `ERR_LIMIT_ELEMENTS` for too many. */
function checkRegExp(c: Cursor, start: number, pattern: string): void {
  if (c.patterns.has(pattern)) return;
  const length = patternLength(pattern);
  c.patternLength += length;
  // A pattern that is too long by itself is an error of its own.
  if (length <= MAX_PATTERN && c.patternLength > MAX_PATTERN) {
    const text = `the query has regular expressions of more than ${MAX_PATTERN} characters together`;
    throw c.error(start, text, "ERR_LIMIT_ELEMENTS");
  }
  try {
    c.patterns.set(pattern, patternTest(pattern)(""));
  } catch (error) {
    throw c.error(start, (error as Error).message);
  }
}

/** True if the condition holds for a series without the label. */
function matchesEmpty(c: Cursor, { operator, value }: LabelMatcher): boolean {
  if (operator === "=") return value === "";
  if (operator === "!=") return value !== "";
  return c.patterns.get(value) === (operator === "=~");
}
