/** The tokens of queries, and the words that are keywords. */
import { quoteText } from "./quote.js";

/** A token. */
export interface Token {
  /**
   * "identifier", "metric" (an identifier with a colon), "number", "duration", "string", "eof", a keyword in lower case, or the
   * characters of an operator or a bracket.
   */
  readonly kind: string;
  /** Its characters in the query. */
  readonly text: string;
  /** The offset of its first character. */
  readonly start: number;
}

/** The operators that are words. */
const WORD_OPERATORS = ["and", "or", "unless", "atan2"];

/** The aggregations, and whether they have a parameter. */
export const AGGREGATIONS: ReadonlyMap<string, boolean> = /* @__PURE__ */ new Map([
  ["avg", false],
  ["bottomk", true],
  ["count", false],
  ["count_values", true],
  ["group", false],
  ["limit_ratio", true],
  ["limitk", true],
  ["max", false],
  ["min", false],
  ["quantile", true],
  ["stddev", false],
  ["stdvar", false],
  ["sum", false],
  ["topk", true],
]);

/** The words that modify expressions. */
const MODIFIERS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "anchored",
  "bool",
  "by",
  "fill",
  "fill_left",
  "fill_right",
  "group_left",
  "group_right",
  "ignoring",
  "offset",
  "on",
  "smoothed",
  "without",
]);

/** The words of duration expressions. */
export const DURATION_WORDS: ReadonlySet<string> = /* @__PURE__ */ new Set(["step", "range", "max_of", "min_of"]);

/** The keywords that may not be the name of a metric. */
const NEVER_METRICS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "atan2",
  "bool",
  "group_left",
  "group_right",
  "ignoring",
  "on",
]);

/** Returns true for a keyword, in lower case, other than the numbers `inf` and `nan`. */
export function isKeyword(word: string): boolean {
  return (
    AGGREGATIONS.has(word) ||
    MODIFIERS.has(word) ||
    DURATION_WORDS.has(word) ||
    WORD_OPERATORS.includes(word) ||
    word === "start" ||
    word === "end"
  );
}

/** Returns true for a token that may be the name of a metric. */
export function isMetricName({ kind }: Token): boolean {
  return kind === "identifier" || kind === "metric" || (isKeyword(kind) && !NEVER_METRICS.has(kind));
}

/**
 * Returns true for a token that may be a label in a grouping. Prometheus refuses `without`, `inf` and `nan` there, and prints them
 * without quotes; they are accepted, so that each printed query can be parsed.
 */
export function isLabelName({ kind, text }: Token): boolean {
  return kind === "identifier" || kind === "metric" || isKeyword(kind) || (kind === "number" && /^[a-z]/i.test(text));
}

/** Describes a token for an error text, in Prometheus' words. */
export function describeToken({ kind, text }: Token): string {
  if (kind === "eof") return "end of input";
  if (kind === "identifier") return `identifier ${quoteText(text)}`;
  if (kind === "metric") return `metric identifier ${quoteText(text)}`;
  if (kind === "string" || kind === "number" || kind === "duration") return `${kind} ${shortened(text)}`;
  if (MODIFIERS.has(kind)) return `<${text}>`;
  if (AGGREGATIONS.has(kind)) return `<aggr:${text}>`;
  if (WORD_OPERATORS.includes(kind) || (kind !== "=" && /^[-+*/%^=!<>@]/.test(kind))) return `<op:${text}>`;
  return shortened(text);
}

/** Quotes a text, without the characters after the tenth. */
function shortened(text: string): string {
  return text.length > 10 ? `${quoteText(text.slice(0, 10))}...` : quoteText(text);
}
