import type { GoSubject } from "@moonpack/pck/emit";
import { MoonpackError } from "moonpack/bytes";
import { parseWholeJson } from "../convert/whole-json.js";
import { DataError, Failure } from "../shared/failure.js";
import { readWhole } from "../shared/input.js";
import { userPath } from "../shared/paths.js";

/** The Go names that the file of `--names` chooses. Its keys are the keys of regions: `{"Player.size": "Bytes"}`. */
export class GoNames {
  readonly #file: string;
  readonly #names: ReadonlyMap<string, string>;
  /** Keys that have not been used yet. */
  readonly #open: Set<string>;

  /** @internal */
  constructor(file: string, names: ReadonlyMap<string, string>) {
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
      throw new Failure(`${file}: expected an object of names, such as {"Player.size": "Bytes"}`);
    const names = new Map<string, string>();
    for (const [key, name] of Object.entries(given)) {
      if (typeof name !== "string") throw new Failure(`${file}: ${JSON.stringify(key)} must have a string as its name`);
      names.set(key, name);
    }
    return new GoNames(file, names);
  }

  /** The hook that `emitGo` calls for every name. */
  readonly choose = (subject: GoSubject, proposed: string): string => {
    const key = keyOf(subject);
    this.#open.delete(key);
    return this.#names.get(key) ?? proposed;
  };

  /** Throws for a key that was never used: it is misspelt, or the schema no longer has it. */
  finish(): void {
    const [unknown] = this.#open;
    if (unknown !== undefined)
      throw new Failure(`${this.#file}: the schema has nothing named ${JSON.stringify(unknown)}`);
  }
}

function keyOf({ kind, struct, field, name }: GoSubject): string {
  if (kind === "struct") return name;
  if (kind === "field") return `${struct}.${field}`;
  const type = `${kind} ${struct}.${field}`;
  return kind === "enumeration" || kind === "union" ? type : `${type}.${name}`;
}
