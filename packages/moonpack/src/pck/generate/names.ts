/** Names that generated code gives to things: identifiers, each once in its scope, never a word of the language. */

/** Words that are no names in a module, and some that would be misread. */
const WORDS = [
  ...["arguments", "async", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default"],
  ...["delete", "do", "else", "enum", "eval", "export", "extends", "false", "finally", "for", "function", "get", "if"],
  ...["implements", "import", "in", "instanceof", "interface", "let", "new", "null", "of", "package", "private"],
  ...["protected", "public", "return", "set", "static", "super", "switch", "this", "throw", "true", "try", "type"],
  ...["typeof", "undefined", "var", "void", "while", "with", "yield"],
];

/** What emitted code takes from the language. */
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

/** Is it a name that emitted code needs for what JavaScript or TypeScript has? */
export function isGlobal(name: string): boolean {
  return GLOBALS.includes(name);
}

/** The names of one scope, and of those around it. */
export class Names {
  readonly #taken: Set<string>;
  readonly #outer: Names | null;
  /** How far the names of a stem are counted. */
  readonly #counts = new Map<string, number>();

  constructor(taken: Iterable<string> = [], outer: Names | null = null) {
    this.#taken = new Set(outer === null ? [...WORDS, ...GLOBALS, ...taken] : taken);
    this.#outer = outer;
  }

  /** A scope in this one: of names that this one takes later, it does not know until it asks. */
  inner(): Names {
    return new Names([], this);
  }

  has(name: string): boolean {
    return this.#taken.has(name) || this.#outer?.has(name) === true;
  }

  /** Takes a name, which must be free. */
  take(name: string): void {
    this.#taken.add(name);
  }

  /** A free name like this one. */
  of(stem: string): string {
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

  /** All names of a stem with lower numbers are taken, here or around. */
  #countOf(stem: string): number {
    return Math.max(this.#counts.get(stem) ?? 2, this.#outer === null ? 2 : this.#outer.#countOf(stem));
  }
}

/** `positionX` of `position` and `x`. */
export function camel(...parts: readonly string[]): string {
  return parts.reduce((name, part) => name + capitalized(part));
}

/** With a capital first letter. */
export function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
