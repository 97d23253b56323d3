// The names of a module: imports and constants, and placeholders for values that the playground does not have.
import type { Node } from "acorn";
import { PARTS, similar } from "./names.ts";
import { BrokenError, OutsideError, SourceError } from "./source-error.ts";

/** A placeholder for a value that is not evaluated: a codec, an import of another file, and values made from them. */
export class Outside {
  /** Why it is not there. */
  readonly why: string;
  /** True for a function of moonpack whose first argument is a schema. */
  readonly takesSchema: boolean;
  constructor(why: string, takesSchema = false) {
    this.why = why;
    this.takesSchema = takesSchema;
  }
}

/** Stands for `import * as pck from "@moonpack/pck"`. */
export class Namespace {}

/** A placeholder for a constant whose statement has an error. */
export class Broken {}

/** A placeholder for a constant whose statement comes later. */
class Pending {}

/** The classes that schemas may use, for defaults. */
export const CLASSES: ReadonlySet<string> = new Set(["Map", "Uint8Array"]);

/** The constants that every module has. */
const GLOBALS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["undefined", undefined],
  ["Infinity", Infinity],
  ["NaN", NaN],
  ["console", new Outside("it prints, and makes no schema")],
]);

/** The names of a module and their values. */
export class Scope {
  readonly #values = new Map<string, unknown>();

  /** Declares a name whose value follows. */
  declare(name: string): void {
    if (!this.#values.has(name)) this.#values.set(name, new Pending());
  }

  set(name: string, value: unknown): void {
    this.#values.set(name, value);
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** The current value of a name, unchecked; undefined for an unknown name. */
  peek(name: string): unknown {
    return this.#values.has(name) ? this.#values.get(name) : GLOBALS.get(name);
  }

  /** The value of a name. Throws if it has none. */
  valueOf(name: string, node: Node): unknown {
    if (!this.#values.has(name) && !GLOBALS.has(name)) throw new SourceError(unknownName(name), node);
    const value = this.peek(name);
    if (value instanceof Pending)
      throw new SourceError(
        `${name} is declared below. Move it up, or refer to it by a function: ref("field", () => ${name}).`,
        node,
      );
    if (value instanceof Broken) throw new BrokenError(`${name} has an error.`, node);
    if (value instanceof Outside) throw new OutsideError(`${name} is not here: ${value.why}.`, node);
    return value;
  }
}

function unknownName(name: string): string {
  const known = PARTS.has(name) ? name : similar(name);
  if (known === name) return `${name} is not imported. Add it: import { ${name} } from "@moonpack/pck";`;
  return `${name} is not known here.${known === undefined ? "" : ` Is it ${known}?`}`;
}
