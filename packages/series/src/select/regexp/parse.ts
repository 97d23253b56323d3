/**
 * Reads a JavaScript regular expression for matching in linear time. The engine has checked its syntax; what a character class or an escape
 * matches, it decides too: each is a small regular expression for one character. So the flags i, s, u and v have exactly its meaning.
 */
import { invalidArgument } from "moonpack/bytes";
import { type Assertion, type Atom, EDGE, LINE_BREAK, type Tree, WORD } from "./tree.js";

/** Maximum nesting of groups. */
const MAX_DEPTH = 500;
/** Names and values of tags are shorter: more repetitions of a part match the same texts. */
const MAX_REPEAT = 1024;

/** A regular expression. */
export interface Pattern {
  readonly tree: Tree;
  /** True if the text is read by code points. */
  readonly isUnicode: boolean;
  /** Returns the bits of a character, for assertions. */
  bitsOf(character: number): number;
}

/** Reads a regular expression. Throws `ERR_INVALID_ARGUMENT` for parts that linear time does not allow. */
export function parsePattern(pattern: RegExp): Pattern {
  return new Parser(pattern.source, pattern.flags).pattern();
}

class Parser {
  readonly #source: string;
  /** The flags for single characters. */
  readonly #flags: string;
  readonly #isUnicode: boolean;
  readonly #hasSets: boolean;
  readonly #isMultiline: boolean;
  readonly #groups: RegExpExecArray;
  readonly #quantifier = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y;
  readonly #groupStart = /\((\?(?:<?[=!]|<[^>]*>|[\s\S]))?/y;
  readonly #reference = /\\(?:k<|[1-9]\d*)/y;
  /** An escape. With the flags u and v an escaped surrogate pair is one character. */
  readonly #escaped: RegExp;
  #at = 0;
  #depth = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags.replace(/[dgmy]/g, "");
    this.#isUnicode = /[uv]/.test(flags);
    this.#hasSets = flags.includes("v");
    this.#isMultiline = flags.includes("m");
    // The empty alternative matches at once, and the result has all groups.
    this.#groups = new RegExp(`|${source}`, this.#flags).exec("")!;
    this.#escaped = this.#isUnicode
      ? /\\(?:x[\da-fA-F]{2}|u\{[\da-fA-F]+\}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|c[a-zA-Z]|[pP]\{[^}]*\}|[\s\S])/uy
      : /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|c[a-zA-Z]|[0-3][0-7]{0,2}|[4-7][0-7]?|[\s\S])/y;
  }

  pattern(): Pattern {
    const isWord = this.#oneOf("\\w");
    const isLineBreak = this.#oneOf("[\\n\\r\\u2028\\u2029]");
    return {
      tree: this.#choice(),
      isUnicode: this.#isUnicode,
      bitsOf: (character) => (isWord(character) ? WORD : 0) | (isLineBreak(character) ? LINE_BREAK : 0),
    };
  }

  #choice(): Tree {
    const parts = [this.#sequence()];
    while (this.#source[this.#at] === "|") {
      this.#at++;
      parts.push(this.#sequence());
    }
    return parts.length === 1 ? parts[0]! : { kind: "choice", parts };
  }

  #sequence(): Tree {
    const parts: Tree[] = [];
    for (;;) {
      const next = this.#source[this.#at];
      if (next === undefined || next === "|" || next === ")") return { kind: "sequence", parts };
      parts.push(this.#quantified(this.#term(next)));
    }
  }

  #quantified(part: Tree): Tree {
    const found = this.#take(this.#quantifier);
    if (found === undefined) return part;
    const [, sign, count, comma, end] = found;
    if (sign !== undefined)
      return { kind: "repeat", part, least: sign === "+" ? 1 : 0, most: sign === "?" ? 1 : Infinity };
    const least = Math.min(Number(count), MAX_REPEAT);
    if (comma === "") return { kind: "repeat", part, least, most: least };
    return { kind: "repeat", part, least, most: end === "" || Number(end) > MAX_REPEAT ? Infinity : Number(end) };
  }

  #term(next: string): Tree {
    if (next === "(") return this.#group();
    if (next === "^" || next === "$") {
      this.#at++;
      const bits = this.#isMultiline ? EDGE | LINE_BREAK : EDGE;
      return next === "^"
        ? assertion((before) => (before & bits) !== 0)
        : assertion((_, after) => (after & bits) !== 0);
    }
    if (next === "\\") return this.#escape();
    if (next === "[") return this.#atom(this.#classEnd());
    if (next === ".") return this.#atom(this.#at + 1);
    const character = this.#isUnicode ? this.#source.codePointAt(this.#at)! : this.#source.charCodeAt(this.#at);
    const end = this.#at + (character > 0xffff ? 2 : 1);
    if (this.#flags.includes("i")) return this.#atom(end);
    this.#at = end;
    return { kind: "atom", accepts: (one) => one === character };
  }

  #group(): Tree {
    const [start, kind] = this.#take(this.#groupStart)!;
    if (kind !== undefined && kind !== "?:" && !/^\?<[^=!]/.test(kind))
      throw this.#refused(/[=!]$/.test(kind) ? `the assertion ${start}..)` : `the flags of the group ${start}..)`);
    if (++this.#depth > MAX_DEPTH) throw this.#refused(`more than ${MAX_DEPTH} nested groups`);
    const tree = this.#choice();
    this.#depth--;
    this.#at++;
    return tree;
  }

  #escape(): Tree {
    const edge = this.#source[this.#at + 1];
    if (edge === "b" || edge === "B") {
      this.#at += 2;
      const isEdge = (before: number, after: number) => (before & WORD) !== (after & WORD);
      return assertion(edge === "b" ? isEdge : (before, after) => !isEdge(before, after));
    }
    const start = this.#at;
    const reference = this.#take(this.#reference)?.[0];
    if (reference !== undefined && this.#isReference(reference)) throw this.#refused(`the reference ${reference}`);
    this.#at = start;
    // A \c without a letter is a backslash and a c.
    if (edge === "c" && !/[a-z]/i.test(this.#source[start + 2] ?? "")) {
      this.#at++;
      return { kind: "atom", accepts: (one) => one === 0x5c };
    }
    const [text] = this.#take(this.#escaped)!;
    this.#at = start;
    return this.#atom(start + text.length);
  }

  /** Without the flags u and v some references are escapes of characters. */
  #isReference(text: string): boolean {
    if (text === "\\k<") return this.#isUnicode || this.#groups.groups !== undefined;
    return this.#isUnicode || Number(text.slice(1)) < this.#groups.length;
  }

  #classEnd(): number {
    let depth = 0;
    for (let at = this.#at; ; at++) {
      const next = this.#source[at];
      if (next === "\\") at++;
      else if (next === "[" && (depth === 0 || this.#hasSets)) depth++;
      else if (next === "]" && --depth === 0) return at + 1;
    }
  }

  /** Takes the text up to `end` as the pattern of one character. */
  #atom(end: number): Tree {
    const text = this.#source.slice(this.#at, end);
    this.#at = end;
    return { kind: "atom", accepts: this.#oneOf(text) };
  }

  #oneOf(text: string): Atom {
    if (this.#hasSets && /^(?:\[|\\p)/.test(text) && hasStrings(text, this.#flags))
      throw this.#refused(`the set ${text} of several characters`);
    const pattern = new RegExp(`^(?:${text})$`, this.#flags);
    let last = -1;
    let isIn = false;
    return (character) => {
      if (character !== last) {
        last = character;
        isIn = pattern.test(String.fromCodePoint(character));
      }
      return isIn;
    };
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found === null) return undefined;
    this.#at = pattern.lastIndex;
    return found;
  }

  #refused(part: string): Error {
    const text = `/${this.#source.length > 100 ? `${this.#source.slice(0, 100)}..` : this.#source}/`;
    return invalidArgument(`the regular expression ${text} has ${part}, which is not matched in linear time`);
  }
}

function assertion(holds: Assertion): Tree {
  return { kind: "assertion", holds };
}

/** True for a set with the flag v that contains strings: it has no complement. */
function hasStrings(set: string, flags: string): boolean {
  try {
    new RegExp(`[^${set}]`, flags);
    return false;
  } catch {
    return true;
  }
}
