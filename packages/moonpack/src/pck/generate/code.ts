/** Lines of source text, indented as they are written. */
export class Code {
  readonly #lines: string[] = [];
  #indent = 0;

  /** How many lines there are: a place for {@link Code.insert}. */
  get size(): number {
    return this.#lines.length;
  }

  /** Appends lines. */
  line(...lines: readonly string[]): void {
    for (const text of lines) this.#lines.push(text === "" ? "" : "  ".repeat(this.#indent) + text);
  }

  /** Appends a line that begins a block: what follows is indented. */
  open(text: string): void {
    this.line(text);
    this.#indent++;
  }

  /** Ends a block. */
  close(text = "}"): void {
    this.#indent--;
    this.line(text);
  }

  /** Ends a block of a `switch`, which has no bracket. */
  end(): void {
    this.#indent--;
  }

  /** Ends a block and begins another: `} else {`. */
  turn(text: string): void {
    this.close(text);
    this.#indent++;
  }

  /** Puts lines where `at` was, at the indentation of now. */
  insert(at: number, lines: readonly string[]): void {
    this.#lines.splice(at, 0, ...lines.map((text) => "  ".repeat(this.#indent) + text));
  }

  toString(): string {
    return this.#lines.map((line) => `${line}\n`).join("");
  }
}

/** A string literal. What a schema names gets into source text through here only. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(/[\u2028\u2029]/g, (c) => (c === "\u2028" ? "\\u2028" : "\\u2029"));
}

/** May this be written as an identifier? */
export function isIdentifier(text: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(text);
}

/** A property of an object. */
export function propertyOf(object: string, name: string): string {
  return isIdentifier(name) ? `${object}.${name}` : `${object}[${quoted(name)}]`;
}

/** Values that are words. */
const LITERALS: ReadonlySet<string> = /* @__PURE__ */ new Set(["false", "null", "true"]);

/** A property in an object literal. Computed, `__proto__` is a property like any other. */
export function entryOf(name: string, value: string): string {
  if (name === "__proto__") return `["__proto__"]: ${value}`;
  if (name === value && isIdentifier(name) && !LITERALS.has(name)) return name;
  return `${isIdentifier(name) ? name : quoted(name)}: ${value}`;
}
