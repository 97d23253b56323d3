import { MoonpackError } from "moonpack/bytes";
import type { GoSubject } from "moonpack/pck/emit";
import { parseWholeJson } from "../convert/wholeJson.js";
import { DataError, Failure } from "../shared/failure.js";
import { readWhole } from "../shared/input.js";
import { userPath } from "../shared/paths.js";

/** The names that the file of `--names` chooses for Go, by the keys that regions have: `{"Player.size": "Bytes"}`. */
export class GoNames {
  readonly #file: string;
  readonly #names: ReadonlyMap<string, string>;
  /** Keys that nothing has asked for yet. */
  readonly #open: Set<string>;

  private constructor(file: string, names: ReadonlyMap<string, string>) {
    this.#file = file;
    this.#names = names;
    this.#open = new Set(names.keys());
  }

  static async read(file: string): Promise<GoNames> {
    const path = userPath(file);
    const bytes = await readWhole(path);
    let given: unknown;
    try {
      given = parseWholeJson(bytes);
    } catch (error) {
      if (error instanceof MoonpackError) throw await DataError.of(path, true, error);
      throw error;
    }
    if (typeof given !== "object" || given === null || Array.isArray(given))
      throw new Failure(`${file}: names are an object: {"Player.size": "Bytes"}`);
    const names = new Map<string, string>();
    for (const [key, name] of Object.entries(given)) {
      if (typeof name !== "string") throw new Failure(`${file}: ${JSON.stringify(key)} has no text for a name`);
      names.set(key, name);
    }
    return new GoNames(file, names);
  }

  /** The hook for `emitGo`. */
  readonly choose = (subject: GoSubject, proposed: string): string => {
    const key = keyOf(subject);
    this.#open.delete(key);
    return this.#names.get(key) ?? proposed;
  };

  /** Refuses a key that nothing has asked for: it is misspelt, or what it named has gone. */
  finish(): void {
    const [unknown] = this.#open;
    if (unknown !== undefined)
      throw new Failure(`${this.#file}: there is nothing ${JSON.stringify(unknown)} to choose a name for`);
  }
}

function keyOf({ kind, struct, field, name }: GoSubject): string {
  if (kind === "struct") return name;
  if (kind === "field") return `${struct}.${field}`;
  const type = `${kind} ${struct}.${field}`;
  return kind === "enumeration" || kind === "union" ? type : `${type}.${name}`;
}
