/** Go source text as gofmt writes it. */

/** Lines of code, indented as they are added. */
export class Lines {
  readonly #lines: string[] = [];
  #depth = 0;

  /** Is nothing there? */
  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  /** Is what comes next not indented? */
  get isOutermost(): boolean {
    return this.#depth === 0;
  }

  /** Adds lines at the present indentation. */
  add(...lines: readonly string[]): void {
    for (const line of lines) this.#lines.push(line === "" ? "" : "\t".repeat(this.#depth) + line);
  }

  /** Adds `head {`, what `body` adds, indented, and `}`. */
  block(head: string, body: () => void): void {
    this.add(`${head} {`);
    this.indent(body);
    this.add("}");
  }

  /** `head {`, one branch and, if there is one, `} else {` and the other. */
  either(head: string, branch: () => void, otherwise: (() => void) | undefined): void {
    this.add(`${head} {`);
    this.indent(branch);
    if (otherwise !== undefined) {
      this.add("} else {");
      this.indent(otherwise);
    }
    this.add("}");
  }

  /** What `body` adds is indented. */
  indent(body: () => void): void {
    this.#depth++;
    body();
    this.#depth--;
  }

  /** Adds what other lines hold, indented as here. */
  take(other: Lines): void {
    for (const line of other.#lines) this.add(line);
  }

  /** The text, with a line end behind each line. */
  text(): string {
    return this.#lines.map((line) => `${line}\n`).join("");
  }
}

/** A string literal. */
export function goString(text: string): string {
  // JSON's escapes are Go's too; Go has no byte order mark within a file.
  return JSON.stringify(text).replaceAll("\ufeff", "\\ufeff");
}

/** Comment lines: `subject` and the doc, or `otherwise` where there is none. */
export function commentOf(subject: string, doc: string, otherwise: string): string[] {
  const lines = docLines(doc);
  if (lines.length === 0) return otherwise === "" ? [] : [`// ${subject} ${otherwise}`];
  if (subject !== "" && !lines[0]!.startsWith(`${subject} `)) lines[0] = `${subject}: ${lines[0]}`;
  return lines.map((line) => `// ${line}`);
}

/** The lines of a doc, without what gofmt would lay out anew: indentation, empty lines, signs of lists and headings. */
function docLines(doc: string): string[] {
  return doc
    .split(/[\r\n\u2028\u2029]+/)
    .map((line) => line.replace(/[\p{Cc}\p{Cs}\ufeff\s]+/gu, " ").trim())
    .filter((line) => line !== "")
    .map((line) => line.replace(/^(?=[-+*#\u2022]|\d+[.)])/, "\\"));
}

/** Rows of two columns, the second one aligned as gofmt does; an empty row or a comment ends a run. */
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

/** The value that `x` points to, as an operand. */
export function operand(x: string): string {
  return x.startsWith("*") ? `(${x})` : x;
}

/** A product, as gofmt writes it within other expressions. */
export function times(factor: number, x: string): string {
  return factor === 1 ? x : `${factor}*${x}`;
}

/** The depth of what lies in so many containers, and in the struct at `depth`. */
export function depthAt(level: number): string {
  return level === 0 ? "depth" : `depth+${level}`;
}
