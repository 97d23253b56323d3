/** Go source text, formatted as gofmt does. */

/** Lines of code. Each line is indented when it is added. */
export class Lines {
  readonly #lines: string[] = [];
  #depth = 0;

  /** True without lines. */
  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  /** True if the next line is not indented. */
  get isOutermost(): boolean {
    return this.#depth === 0;
  }

  /** Adds lines with the current indentation. */
  add(...lines: readonly string[]): void {
    for (const line of lines) this.#lines.push(line === "" ? "" : "\t".repeat(this.#depth) + line);
  }

  /** Adds `head {`, the indented lines of `body`, and `}`. */
  block(head: string, body: () => void): void {
    this.add(`${head} {`);
    this.indent(body);
    this.add("}");
  }

  /** Adds `head {`, a branch and, if given, `} else {` and the other branch. */
  either(head: string, branch: () => void, otherwise: (() => void) | undefined): void {
    this.add(`${head} {`);
    this.indent(branch);
    if (otherwise !== undefined) {
      this.add("} else {");
      this.indent(otherwise);
    }
    this.add("}");
  }

  /** Indents the lines that `body` adds. */
  indent(body: () => void): void {
    this.#depth++;
    body();
    this.#depth--;
  }

  /** Adds the lines of another object, with the indentation of this one. */
  append(other: Lines): void {
    for (const line of other.#lines) this.add(line);
  }

  /** Returns the text, with a line feed after each line. */
  text(): string {
    return this.#lines.map((line) => `${line}\n`).join("");
  }
}

/** Returns a string literal. */
export function goString(text: string): string {
  // Go has the escapes of JSON, but allows no byte order mark within a file.
  return JSON.stringify(text).replaceAll("\ufeff", "\\ufeff");
}

/** Returns the lines of a comment: `subject` and the doc, or `otherwise` without a doc. */
export function commentOf(subject: string, doc: string, otherwise: string): string[] {
  const lines = docLines(doc);
  if (lines.length === 0) return otherwise === "" ? [] : [`// ${subject} ${otherwise}`];
  if (subject !== "" && !lines[0]!.startsWith(`${subject} `)) lines[0] = `${subject}: ${lines[0]}`;
  return lines.map((line) => `// ${line}`);
}

/**
 * Returns the lines of a doc, without anything that gofmt would reformat: indentation, blank lines, marks of lists and
 * headings.
 */
function docLines(doc: string): string[] {
  return doc
    .split(/[\r\n\u2028\u2029]+/)
    .map((line) => line.replace(/[\p{Cc}\p{Cs}\ufeff\s]+/gu, " ").trim())
    .filter((line) => line !== "")
    .map((line) => line.replace(/^(?=[-+*#\u2022]|\d+[.)])/, "\\"));
}

/** Rows of two columns, aligned as gofmt does. A comment or an empty row ends the alignment. */
export function aligned(rows: readonly (readonly [string, string] | string)[]): string[] {
  const lines: string[] = [];
  let run: (readonly [string, string])[] = [];
  const flush = () => {
    const width = Math.max(0, ...run.map(([first]) => [...first].length));
    for (const [first, second] of run) lines.push(`${first}${" ".repeat(width - [...first].length)} ${second}`);
    run = [];
  };
  for (const row of rows) {
    if (typeof row !== "string") run.push(row);
    else {
      flush();
      lines.push(row);
    }
  }
  flush();
  return lines;
}

/** `x` as an operand: a dereference gets parentheses. */
export function operand(x: string): string {
  return x.startsWith("*") ? `(${x})` : x;
}

/** Returns a product as gofmt writes it within other expressions. */
export function times(factor: number, x: string): string {
  return factor === 1 ? x : `${factor}*${x}`;
}

/** Returns the depth of a value in `level` containers of the struct at `depth`. */
export function depthAt(level: number): string {
  return level === 0 ? "depth" : `depth+${level}`;
}
