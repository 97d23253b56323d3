/** Splits a query into tokens. Words in braces are labels, words in brackets durations. */
import { quoteCharacter } from "./quote.js";
import { scanNumber } from "./scan-number.js";
import { endOfString } from "./scan-string.js";
import { syntaxError } from "./syntax-error.js";
import { DURATION_WORDS, isKeyword, type Token } from "./tokens.js";

const WORD = /[a-zA-Z_:][a-zA-Z0-9_:]*/y;
const LABEL = /[a-zA-Z_][a-zA-Z0-9_]*/y;
/** Operators and punctuation outside braces, the longest first. */
const SYMBOL = /==|!=|<=|>=|<\/|>\/|[-+*/%^=<>@,()[\]{]/y;
/** Operators and punctuation inside braces. */
const BRACE_SYMBOL = /=~|!~|!=|[=,}]/y;

/** Reads the tokens of a query one after the other, in time linear in its length. Each call throws `ERR_PROMQL_SYNTAX`. */
export class Lexer {
  readonly query: string;
  #at = 0;
  #parentheses = 0;
  #isInBraces = false;
  #isInBrackets = false;
  /** True after the colon of a subquery, until its bracket closes. */
  #hasColon = false;

  constructor(query: string) {
    this.query = query;
  }

  /** Returns the next token; at the end of the query `eof`, again and again. */
  next(): Token {
    this.#skipBlanks();
    const { query } = this;
    const start = this.#at;
    if (start >= query.length) return this.#end();
    const character = query[start]!;
    if (character === '"' || character === "'" || character === "`")
      return this.#token("string", endOfString(query, start));
    if (this.#isInBraces) return this.#inBraces(character);
    if (isDigit(character) || (character === "." && isDigit(query[start + 1]))) {
      const { kind, text } = scanNumber(query, start);
      return this.#token(kind, start + text.length);
    }
    if (/[a-zA-Z_:]/.test(character)) return this.#isInBrackets ? this.#inBrackets(character) : this.#word();
    return this.#symbol(character);
  }

  /** Skips white space and comments. */
  #skipBlanks(): void {
    const { query } = this;
    let at = this.#at;
    let isComment = false;
    for (; at < query.length; at++) {
      const code = query.charCodeAt(at);
      if (code === 0x0a || code === 0x0d) isComment = false;
      else if (code === 0x23) isComment = true;
      else if (!isComment && code !== 0x20 && code !== 0x09) break;
    }
    this.#at = at;
  }

  #token(kind: string, end: number): Token {
    const start = this.#at;
    this.#at = end;
    return { kind, text: this.query.slice(start, end), start };
  }

  #fail(message: string): Error {
    return syntaxError(this.query, this.#at, message);
  }

  #end(): Token {
    if (this.#isInBraces) throw this.#fail("unexpected end of input inside braces");
    if (this.#parentheses > 0) throw this.#fail("unclosed left parenthesis");
    if (this.#isInBrackets) throw this.#fail("unclosed left bracket");
    return { kind: "eof", text: "", start: this.query.length };
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.query)?.[0];
  }

  #inBraces(character: string): Token {
    const label = this.#match(LABEL);
    if (label !== undefined) return this.#token("identifier", this.#at + label.length);
    const symbol = this.#match(BRACE_SYMBOL);
    if (symbol === undefined) {
      if (character === "{") {
        const isHistogram = this.query[this.#at - 1] === "{";
        throw this.#fail(`unexpected left brace '{'${isHistogram ? ": native histograms are not supported" : ""}`);
      }
      throw this.#fail(`unexpected character inside braces: ${this.#quoted()}`);
    }
    this.#isInBraces = symbol !== "}";
    return this.#token(symbol, this.#at + symbol.length);
  }

  /** Reads a colon, or a word of a duration expression. */
  #inBrackets(character: string): Token {
    if (character === ":") {
      if (this.#hasColon) throw this.#fail("unexpected colon ':'");
      this.#hasColon = true;
      return this.#token(":", this.#at + 1);
    }
    const word = this.#match(LABEL)!;
    const kind = word.toLowerCase();
    if (!DURATION_WORDS.has(kind)) throw this.#fail(`unexpected character: ${this.#quoted()}, expected ':'`);
    return this.#token(kind, this.#at + word.length);
  }

  #word(): Token {
    const word = this.#match(WORD)!;
    const end = this.#at + word.length;
    const lower = word.toLowerCase();
    if (lower === "inf" || lower === "nan") return this.#token("number", end);
    // `fill` is a keyword only before a parenthesis, so that older metrics of this name can be read.
    if (isKeyword(lower) && (!lower.startsWith("fill") || this.#isBeforeParenthesis(end)))
      return this.#token(lower, end);
    return this.#token(word.includes(":") ? "metric" : "identifier", end);
  }

  #isBeforeParenthesis(at: number): boolean {
    let next = at;
    while (" \t\r\n".includes(this.query[next] ?? "(")) next++;
    return this.query[next] === "(";
  }

  #symbol(character: string): Token {
    const symbol = this.#match(SYMBOL);
    if (symbol === undefined) {
      const after = this.query[this.#at + 1];
      if (character === "!")
        throw this.#fail(
          `unexpected character after '!': ${after === undefined ? "end of input" : quoteCharacter(after)}`,
        );
      throw this.#fail(`unexpected character: ${this.#quoted()}`);
    }
    if (symbol === "=" && this.query[this.#at + 1] === "~") throw this.#fail("unexpected character after '=': '~'");
    if (symbol === "(") this.#parentheses++;
    else if (symbol === ")" && --this.#parentheses < 0) throw this.#fail("unexpected right parenthesis ')'");
    else if (symbol === "{") this.#isInBraces = true;
    else if (symbol === "[") {
      if (this.#isInBrackets) throw this.#fail("unexpected left bracket '['");
      this.#isInBrackets = true;
      this.#hasColon = false;
    } else if (symbol === "]") {
      if (!this.#isInBrackets) throw this.#fail("unexpected right bracket ']'");
      this.#isInBrackets = false;
    }
    return this.#token(symbol, this.#at + symbol.length);
  }

  /** The next character in quotes. */
  #quoted(): string {
    return quoteCharacter(String.fromCodePoint(this.query.codePointAt(this.#at)!));
  }
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= "0" && character <= "9";
}
