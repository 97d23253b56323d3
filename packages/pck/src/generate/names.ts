/** Names in generated code: identifiers, unique in their scope, and never a reserved word. */

/** Reserved words, and a few words that would be misread as names. */
const WORDS = [
  ...["arguments", "async", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default"],
  ...["delete", "do", "else", "enum", "eval", "export", "extends", "false", "finally", "for", "function", "get", "if"],
  ...["implements", "import", "in", "instanceof", "interface", "let", "new", "null", "of", "package", "private"],
  ...["protected", "public", "return", "set", "static", "super", "switch", "this", "throw", "true", "try", "type"],
  ...["typeof", "undefined", "var", "void", "while", "with", "yield"],
];

/** Names of the language that emitted code uses. */
const GLOBALS = [
  ...["Array", "ArrayBuffer", "ArrayLike", "BigInt", "BigInt64Array", "BigUint64Array", "Error", "Float32Array"],
  ...["Float64Array", "Function", "Infinity", "Int16Array", "Int32Array", "Int8Array", "Map", "Math", "NaN", "Number"],
  ...[
    "Object",
    "ReadonlyMap",
    "Record",
    "Reflect",
    "Set",
    "String",
    "Symbol",
    "Uint16Array",
    "Uint32Array",
    "Uint8Array",
  ],
  ...["Uint8ClampedArray", "globalThis"],
];

/** True for a global name of JavaScript or TypeScript that emitted code uses. */
export function isGlobal(name: string): boolean {
  return GLOBALS.includes(name);
}

/** The names of one scope and of the scopes around it. */
export class Names {
  readonly #taken: Set<string>;
  readonly #outer: Names | null;
  /** The next number to try for each stem. */
  readonly #counts = new Map<string, number>();

  constructor(taken: Iterable<string> = [], outer: Names | null = null) {
    this.#taken = new Set(outer === null ? [...WORDS, ...GLOBALS, ...taken] : taken);
    this.#outer = outer;
  }

  /** Returns a scope within this one. Names that this scope reserves later are not known to it in advance. */
  inner(): Names {
    return new Names([], this);
  }

  has(name: string): boolean {
    return this.#taken.has(name) || this.#outer?.has(name) === true;
  }

  /** Reserves a name, which must be free. */
  reserve(name: string): void {
    this.#taken.add(name);
  }

  /** Reserves and returns a free name that is `stem`, or begins with it. */
  unique(stem: string): string {
    const clean = stem.replace(/[^A-Za-z0-9_$]+/g, "_").slice(0, 64);
    const first = /^[A-Za-z_$]/.test(clean) ? clean : `_${clean}`;
    if (!this.has(first)) {
      this.#taken.add(first);
      return first;
    }
    let n = this.#countOf(first);
    while (this.has(`${first}${n}`)) n++;
    this.#counts.set(first, n + 1);
    this.#taken.add(`${first}${n}`);
    return `${first}${n}`;
  }

  /** Returns the first number to try: all lower numbers of the stem are reserved, here or in an outer scope. */
  #countOf(stem: string): number {
    return Math.max(this.#counts.get(stem) ?? 2, this.#outer === null ? 2 : this.#outer.#countOf(stem));
  }
}

/** `positionX` for `position` and `x`. */
export function camel(...parts: readonly string[]): string {
  return parts.reduce((name, part) => name + capitalized(part));
}

/** Returns the text with a capital first letter. */
export function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
