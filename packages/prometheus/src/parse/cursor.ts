/** The tokens of a query with one token of lookahead, and the limit on nesting. */
import type { PrometheusError } from "../errors.js";
import { Lexer } from "./lexer.js";
import { type SyntaxErrorCode, syntaxError } from "./syntax-error.js";
import { describeToken, type Token } from "./tokens.js";

/**
 * The deepest nesting of a query, for parentheses as for chains of operators, which form a tree as deep as they are long: what
 * walks the tree may recurse.
 */
export const MAX_DEPTH = 500;

/** The state of a parser. */
export class Cursor {
  readonly query: string;
  readonly #lexer: Lexer;
  /** The token that is read next. */
  token: Token;
  /** The offset after the last token that was read. */
  end = 0;
  /** The depth of the tree of the expression that was read last. */
  height = 0;
  /** True where the selector that follows may match all series: in the second argument of `info`. */
  allowsEmptySelector = false;
  /** The regular expressions of the query, and whether each matches the empty text. */
  readonly patterns = new Map<string, boolean>();
  /** Their length together. */
  patternLength = 0;
  readonly #maxTokens: number;
  #tokens = 0;
  #depth = 0;

  constructor(query: string, maxTokens: number) {
    this.query = query;
    this.#maxTokens = maxTokens;
    this.#lexer = new Lexer(query);
    this.token = this.#lexer.next();
  }

  /** True if the next token is of this kind. */
  is(kind: string): boolean {
    return this.token.kind === kind;
  }

  /** Returns the next token and moves past it. */
  next(): Token {
    const { token } = this;
    this.end = token.start + token.text.length;
    if (++this.#tokens > this.#maxTokens)
      throw this.error(token.start, `the query has more than ${this.#maxTokens} words and signs`, "ERR_LIMIT_ELEMENTS");
    this.token = this.#lexer.next();
    return token;
  }

  /** Moves past the next token if it is of this kind. Returns whether it was. */
  skip(kind: string): boolean {
    if (!this.is(kind)) return false;
    this.next();
    return true;
  }

  /** Moves past a token of this kind. Throws `ERR_PROMQL_SYNTAX` for another one. */
  expect(kind: string, context = "", expected = ""): Token {
    if (!this.is(kind)) throw this.unexpected(context, expected);
    return this.next();
  }

  /** Returns the error for the next token. */
  unexpected(context = "", expected = ""): PrometheusError {
    const where = context === "" ? "" : ` in ${context}`;
    const what = expected === "" ? "" : `, expected ${expected}`;
    return this.error(this.token.start, `unexpected ${describeToken(this.token)}${where}${what}`);
  }

  /** Returns an error at an offset of the query. */
  error(offset: number, message: string, code?: SyntaxErrorCode): PrometheusError {
    return syntaxError(this.query, offset, message, code);
  }

  /** Enters a nested expression; `leave` ends it. Throws `ERR_LIMIT_DEPTH`. */
  enter(): void {
    if (++this.#depth > MAX_DEPTH) throw this.#tooDeep();
  }

  /** Leaves a nested expression. */
  leave(): void {
    this.#depth--;
  }

  /** Sets the height of an expression with children of this height. Throws `ERR_LIMIT_DEPTH`. */
  grow(height: number): void {
    this.height = height + 1;
    if (this.height > MAX_DEPTH) throw this.#tooDeep();
  }

  #tooDeep(): PrometheusError {
    const message = `the query is nested more than ${MAX_DEPTH} levels deep`;
    return this.error(this.token.start, message, "ERR_LIMIT_DEPTH");
  }
}
