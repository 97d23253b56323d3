/**
 * Selectors of metrics on the command line, in Prometheus' syntax: `cpu.load{host="a1",dc!="x",rack=~"r.*"}`. The names of
 * metrics and tags may be quoted.
 */
import type { Match, Matcher } from "@moonpack/series";
import { recordOf } from "moonpack/bytes";
import { NAME_TAG, PLAIN_NAME } from "./metric-text.js";
import { PointedError } from "./pointed-error.js";

const OPERATORS = ["=~", "!~", "!=", "^=", "="] as const;
type Operator = (typeof OPERATORS)[number];

/** One condition: what a name or a tag must be. */
interface Condition {
  readonly key: string;
  readonly operator: Operator;
  readonly value: string;
  /** The positions of the condition and of its value in the selector. */
  readonly at: number;
  readonly valueAt: number;
}

/** Parses a selector. Throws a {@link PointedError} at the position of a mistake. */
export function parseSelector(text: string): Match {
  const reader = new SelectorReader(text);
  const { name, conditions } = reader.read();
  const byKey = new Map<string, Condition[]>();
  for (const condition of conditions) {
    const same = byKey.get(condition.key);
    if (same === undefined) byKey.set(condition.key, [condition]);
    else same.push(condition);
  }
  const named = byKey.get(NAME_TAG);
  byKey.delete(NAME_TAG);
  if (name !== undefined && named !== undefined)
    throw new PointedError(`the name is set twice: as ${name} and as ${NAME_TAG}`, text, named[0]!.at);
  const tags = recordOf([...byKey].map(([key, list]) => [key, matcherOf(list, text)] as const));
  const matcher = name ?? (named === undefined ? undefined : matcherOf(named, text));
  return { ...(matcher === undefined ? {} : { name: matcher }), ...(byKey.size === 0 ? {} : { tags }) };
}

/** The matcher of all conditions on one key. */
function matcherOf(conditions: readonly Condition[], text: string): Matcher {
  return conditions.length === 1 ? single(conditions[0]!, text) : together(conditions, text);
}

function single(condition: Condition, text: string): Matcher {
  const { operator, value } = condition;
  if (operator === "=") return value;
  if (operator === "!=") return { not: value };
  if (operator === "^=") return { prefix: value };
  const expression = expressionOf(value, condition, text);
  return operator === "=~" ? expression : { not: expression };
}

/** Combines several conditions into one regular expression of lookaheads: a store takes one matcher per key. */
function together(conditions: readonly Condition[], text: string): RegExp {
  const parts = conditions.map((condition) => {
    const { operator, value } = condition;
    const isExpression = operator === "=~" || operator === "!~";
    if (isExpression && /\\(?:[1-9]|k<)/.test(value))
      throw new PointedError("a back reference cannot be combined with a second condition", text, condition.valueAt);
    // Each expression is checked alone: its parentheses must be balanced.
    if (isExpression) expressionOf(value, condition, text);
    const source = isExpression ? value : value.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
    const end = operator === "^=" ? "" : "$";
    return `(?${operator.startsWith("!") ? "!" : "="}(?:${source})${end})`;
  });
  return expressionOf(`${parts.join("")}[^]*`, conditions[1]!, text);
}

function expressionOf(source: string, { valueAt }: Condition, text: string): RegExp {
  try {
    return new RegExp(source, "u");
  } catch (error) {
    const reason = (error as SyntaxError).message.replace(/^Invalid regular expression: /, "");
    throw new PointedError(`invalid regular expression: ${reason}`, text, valueAt);
  }
}

const BLANK = /\s/;
const CHARACTER = /[\p{L}\p{N}_.:/%$@-]/u;

class SelectorReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): { readonly name: string | undefined; readonly conditions: readonly Condition[] } {
    this.#skipBlanks();
    if (this.#at === this.#text.length) this.#fail("the selector is empty; {} selects every metric");
    const name = this.#next() === "{" ? undefined : this.#word("a metric's name or {");
    if (name === "") this.#fail("a metric's name cannot be empty", 0);
    this.#skipBlanks();
    const conditions = this.#next() === "{" ? this.#conditions() : [];
    this.#skipBlanks();
    if (this.#at < this.#text.length) this.#fail(this.#afterEnd(conditions.length > 0 || name === undefined));
    return { name, conditions };
  }

  #afterEnd(hasBraces: boolean): string {
    if (hasBraces) return "unexpected text after the closing brace";
    const found = this.#next();
    if (/[*?~^|()[\]\\+]/.test(found)) return `to match several names use {${NAME_TAG}=~"REGULAR EXPRESSION"}`;
    return `expected { or the end, found ${JSON.stringify(found)}; quote a name that has other characters`;
  }

  #conditions(): Condition[] {
    const conditions: Condition[] = [];
    this.#at++;
    for (;;) {
      this.#skipBlanks();
      if (this.#next() === "}") break;
      conditions.push(this.#condition());
      this.#skipBlanks();
      if (this.#next() === ",") this.#at++;
      else if (this.#next() !== "}") this.#fail("expected a comma or }");
    }
    this.#at++;
    return conditions;
  }

  #condition(): Condition {
    const at = this.#at;
    const key = this.#word("a tag's name or }");
    if (key === "") this.#fail("a tag's name cannot be empty", at);
    this.#skipBlanks();
    const operator = OPERATORS.find((one) => this.#text.startsWith(one, this.#at));
    if (operator === undefined) this.#fail(`expected one of ${OPERATORS.join(" ")} after the tag ${key}`);
    this.#at += operator!.length;
    this.#skipBlanks();
    const valueAt = this.#at;
    if (!this.#isQuote()) this.#fail(`expected a value in quotes after ${key}${operator}`);
    return { key, operator: operator!, value: this.#quoted(), at, valueAt };
  }

  /** A name, plain or in quotes. */
  #word(expected: string): string {
    if (this.#isQuote()) return this.#quoted();
    const start = this.#at;
    for (; this.#at < this.#text.length; ) {
      const character = String.fromCodePoint(this.#text.codePointAt(this.#at)!);
      if (!CHARACTER.test(character)) break;
      this.#at += character.length;
    }
    const word = this.#text.slice(start, this.#at);
    if (!PLAIN_NAME.test(word)) this.#fail(`expected ${expected}`);
    return word;
  }

  #isQuote(): boolean {
    return this.#next() === '"' || this.#next() === "'";
  }

  /** A text in quotes. A backslash escapes the quote and itself; before any other character it is literal. */
  #quoted(): string {
    const start = this.#at;
    const quote = this.#next();
    let value = "";
    for (this.#at++; this.#next() !== quote; this.#at++) {
      if (this.#at >= this.#text.length) this.#fail(`the quote ${quote} is not closed`, start);
      const following = this.#text[this.#at + 1];
      if (this.#next() === "\\" && (following === quote || following === "\\")) this.#at++;
      value += this.#next();
    }
    this.#at++;
    return value;
  }

  #next(): string {
    return this.#text.charAt(this.#at);
  }

  #skipBlanks(): void {
    while (BLANK.test(this.#next())) this.#at++;
  }

  #fail(message: string, at = this.#at): never {
    throw new PointedError(message, this.#text, at);
  }
}

/** The grammar, for help texts. */
export const SELECTOR_HELP = `A SELECTOR is a name, conditions on tags, or both: cpu.load{host="a1",dc!="x"}.
Conditions are = (equal), != (not equal), ^= (begins with), =~ and !~ (a regular
expression for the whole value). {} selects every metric, {__name__=~"cpu.*"} by
name; a name with blanks is quoted: "my metric"{host="a1"}. A missing tag is "".
Put single quotes around a selector, for the shell.`;
