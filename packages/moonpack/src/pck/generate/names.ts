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

/** The names of one scope, and of those around it. */
export class Names {
  readonly #taken: Set<string>;

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set([...WORDS, ...GLOBALS, ...taken]);
  }

  /** A scope in this one. */
  inner(): Names {
    return new Names(this.#taken);
  }

  has(name: string): boolean {
    return this.#taken.has(name);
  }

  /** Takes a name, which must be free. */
  take(name: string): void {
    this.#taken.add(name);
  }

  /** A free name like this one. */
  of(stem: string): string {
    const clean = stem.replace(/[^A-Za-z0-9_$]+/g, "_").slice(0, 64);
    const first = /^[A-Za-z_$]/.test(clean) ? clean : `_${clean}`;
    let name = first;
    for (let n = 2; this.#taken.has(name); n++) name = `${first}${n}`;
    this.#taken.add(name);
    return name;
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
