/** One line of a text, and the place in it that is read next. Time is linear in the length of the line. */
import { type ErrorCode, isFarIndex, makeSparse, printable, setOwn } from "moonpack/bytes";
import { PrometheusError } from "../errors.js";
import type { NotANumber } from "./numbers.js";
import type { TextFormat } from "./types.js";

/** The longest part of a line that an error text quotes. */
const MAX_QUOTED = 60;
const TAB = 0x09;
const SPACE = 0x20;
const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** Names and values of labels. */
export type LabelRecord = { [name: string]: string };

/** A line with the place of the next character. */
export class Line {
  readonly text: string;
  readonly format: TextFormat;
  /** The number of the line, from 1. */
  readonly number: number;
  /** The index of the next character. */
  at = 0;

  constructor(text: string, number: number, format: TextFormat) {
    this.text = text;
    this.number = number;
    this.format = format;
  }

  /** Returns the error for the character at `at`. */
  error(code: ErrorCode, message: string, at = this.at): PrometheusError {
    return textError(code, message, this.number, at + 1);
  }

  /** Returns the error for the next character: `expected` is not there. */
  unexpected(expected: string): PrometheusError {
    if (this.isAtEnd) return this.error("ERR_TRUNCATED", `expected ${expected}, found the end of the line`);
    const found = String.fromCodePoint(this.text.codePointAt(this.at)!);
    return this.error("ERR_INVALID_BYTE", `expected ${expected}, found ${JSON.stringify(found)}`);
  }

  /** True after the last character. */
  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** True if the next character is this one. */
  is(character: string): boolean {
    return this.text[this.at] === character;
  }

  /** Moves past one character if it is the next one. */
  take(character: string): boolean {
    if (!this.is(character)) return false;
    this.at++;
    return true;
  }

  /** Moves past blanks where only Prometheus' own format has them: in braces, before and after a line. */
  skipBlanks(): void {
    if (this.format === "prometheus") while (isBlank(this.text.charCodeAt(this.at))) this.at++;
  }

  /** Moves past what separates two parts of a line: one space in OpenMetrics, else blanks. */
  separate(next: string): void {
    if (!isBlank(this.text.charCodeAt(this.at)) || (this.format === "openmetrics" && !this.is(" ")))
      throw this.unexpected(`a space and ${next}`);
    this.at++;
    this.skipBlanks();
  }

  /** Returns the text up to the next blank. */
  token(expected: string): string {
    const from = this.at;
    while (this.at < this.text.length && !isBlank(this.text.charCodeAt(this.at))) this.at++;
    if (this.at === from) throw this.unexpected(expected);
    return this.text.slice(from, this.at);
  }

  /** Reads a number by one of the functions of numbers.ts. */
  readNumber(expected: string, read: (text: string) => number | NotANumber): number {
    const from = this.at;
    const text = this.token(expected);
    const value = read(text);
    if (typeof value === "number") return value;
    const shown = JSON.stringify(text.slice(0, MAX_QUOTED));
    if (value === "range") throw this.error("ERR_OUT_OF_RANGE", `${expected} is out of range: ${shown}`, from);
    throw this.error("ERR_INVALID_BYTE", `expected ${expected}, found ${shown}`, from);
  }

  /** Returns the name that begins here; an empty text if there is none. Names of metrics may have colons. */
  name(isMetric: boolean): string {
    const from = this.at;
    while (isNameCode(this.text.charCodeAt(this.at), isMetric, this.at > from)) this.at++;
    return this.text.slice(from, this.at);
  }

  /** Returns the content of the quotes that begin here. A backslash before any but `\`, `"` and `n` stands for itself. */
  quoted(): string {
    const { text } = this;
    const from = ++this.at;
    let hasEscapes = false;
    for (; this.at < text.length; this.at++) {
      const code = text.charCodeAt(this.at);
      if (code === BACKSLASH) {
        hasEscapes = true;
        this.at++;
      } else if (code === QUOTE) {
        const content = text.slice(from, this.at++);
        return hasEscapes ? unescaped(content) : content;
      }
    }
    throw this.error("ERR_TRUNCATED", "the quote is not closed", from - 1);
  }

  /** Reads `{..}`. `onName` receives a metric's name in quotes; without it there may be none. */
  labels(onName?: (name: string, at: number) => void): LabelRecord {
    const labels: LabelRecord = {};
    this.at++;
    this.skipBlanks();
    while (!this.take("}")) {
      const from = this.at;
      const isQuoted = this.is('"');
      const name = isQuoted ? this.quoted() : this.name(false);
      if (name === "" && !isQuoted) throw this.unexpected("a label's name or }");
      this.skipBlanks();
      if (isQuoted && onName !== undefined && !this.is("=")) onName(name, from);
      else this.#label(labels, name, from);
      this.skipBlanks();
      // Prometheus' own format is read without commas too.
      if (this.take(",")) this.skipBlanks();
      else if (!this.is("}") && this.format === "openmetrics") throw this.unexpected("a comma or }");
    }
    return labels;
  }

  #label(labels: LabelRecord, name: string, from: number): void {
    if (!this.take("=")) throw this.unexpected("=");
    this.skipBlanks();
    if (!this.is('"')) throw this.unexpected("a value in quotes");
    const value = this.quoted();
    if (name === "") throw this.error("ERR_INVALID_METRIC", "the name of a label is empty", from);
    if (name === "__name__" || Object.hasOwn(labels, name))
      throw this.error(
        "ERR_DUPLICATE_KEY",
        `the label ${JSON.stringify(name.slice(0, MAX_QUOTED))} occurs twice`,
        from,
      );
    if (isFarIndex(name)) makeSparse(labels);
    setOwn(labels, name, value);
  }
}

/** Returns an error with its place. */
export function textError(code: ErrorCode, message: string, line: number, column: number): PrometheusError {
  return new PrometheusError(code, `line ${line}, column ${column}: ${printable(message)}`, { line, column });
}

/** Replaces the escape sequences of label values, names and OpenMetrics' help texts. */
export function unescaped(text: string): string {
  return text.replace(/\\([\\n"])/g, (_, character: string) => (character === "n" ? "\n" : character));
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

function isNameCode(code: number, isMetric: boolean, hasDigits: boolean): boolean {
  const letter = code | 0x20;
  if ((letter >= 0x61 && letter <= 0x7a) || code === 0x5f) return true;
  return (code >= 0x30 && code <= 0x39 && hasDigits) || (code === COLON && isMetric);
}
