/** Lines of JavaScript or TypeScript source text. Each line is indented when it is added. */
export class Code {
  readonly #lines: string[] = [];
  #indent = 0;

  /** The number of lines so far: a position for {@link Code.insert}. */
  get size(): number {
    return this.#lines.length;
  }

  /** Appends lines. */
  line(...lines: readonly string[]): void {
    for (const text of lines) this.#lines.push(text === "" ? "" : "  ".repeat(this.#indent) + text);
  }

  /** Appends a line that begins a block. The lines after it are indented. */
  open(text: string): void {
    this.line(text);
    this.#indent++;
  }

  /** Ends a block. */
  close(text = "}"): void {
    this.#indent--;
    this.line(text);
  }

  /** Ends a case of a `switch`, which has no closing brace. */
  endCase(): void {
    this.#indent--;
  }

  /** Ends a block and begins another one: `} else {`. */
  reopen(text: string): void {
    this.close(text);
    this.#indent++;
  }

  /** Inserts lines before line `at`, with the current indentation. */
  insert(at: number, lines: readonly string[]): void {
    this.#lines.splice(at, 0, ...lines.map((text) => "  ".repeat(this.#indent) + text));
  }

  toString(): string {
    return this.#lines.map((line) => `${line}\n`).join("");
  }
}

/** Returns a string literal. Every text from a schema enters source text through this function. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(/[\u2028\u2029]/g, (c) => (c === "\u2028" ? "\\u2028" : "\\u2029"));
}

/** True for text that can be written as an identifier. */
export function isIdentifier(text: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(text);
}

/** Returns the expression that reads a property of an object. */
export function propertyOf(object: string, name: string): string {
  return isIdentifier(name) ? `${object}.${name}` : `${object}[${quoted(name)}]`;
}

/** Identifiers that are literals, so a property of that name has no shorthand. */
const LITERALS: ReadonlySet<string> = /* @__PURE__ */ new Set(["false", "null", "true"]);

/** Returns an entry of an object literal. A computed `__proto__` is a property like any other. */
export function entryOf(name: string, value: string): string {
  if (name === "__proto__") return `["__proto__"]: ${value}`;
  if (name === value && isIdentifier(name) && !LITERALS.has(name)) return name;
  return `${isIdentifier(name) ? name : quoted(name)}: ${value}`;
}
