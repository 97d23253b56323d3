/** The tokens of a query with one token of lookahead, and the limit on nesting. */
import type { PrometheusError } from "../errors.js";
import { Lexer } from "./lexer.js";
import { syntaxError } from "./syntax-error.js";
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
  #depth = 0;

  constructor(query: string) {
    this.query = query;
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
  error(offset: number, message: string): PrometheusError {
    return syntaxError(this.query, offset, message);
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
    return syntaxError(this.query, this.token.start, message, "ERR_LIMIT_DEPTH");
  }
}
