/** The functions that read bytes of one earlier schema: each once, in the order of their first use. */
import { capitalized } from "../../../generate/names.js";
import type { Struct } from "../../../model/model.js";
import { FunctionQueue } from "../../older-schemas/function-queue.js";
import type { Version } from "../../older-schemas/versions.js";
import type { GoContext } from "../context.js";
import { pascal } from "../names.js";
import { type Needs, StructNeeds } from "../needs.js";
import { ReadBody } from "../read-body.js";
import type { Lines } from "../text.js";

/** The functions of one older schema, and the names that they use. */
export class OlderFunctions {
  readonly context: GoContext;
  readonly version: Version;
  /** The needs of the older structs. */
  readonly needs: StructNeeds;
  /** `V1`, capitalized for names. */
  readonly suffix: string;
  readonly #root: string;
  readonly #taken: Set<string>;
  readonly #queue = new FunctionQueue<Lines>();

  /** `taken`: the names of functions that the file already has. */
  constructor(context: GoContext, version: Version, taken: Set<string>) {
    this.context = context;
    this.version = version;
    this.needs = new StructNeeds(
      version.model,
      () => false,
      () => false,
    );
    this.suffix = capitalized(version.name);
    this.#root = context.names.struct([...version.plans.keys()][0]!);
    this.#taken = taken;
  }

  /**
   * Returns the needs of a function that reads one of these older structs as a new one. It always takes room if there is a
   * limit, because its allocations are known only when its text is written.
   */
  needsOf(structs: readonly Struct[]): Needs {
    return { ...this.needs.needsOf(structs), takesRoom: this.context.settings.maxElements < Infinity };
  }

  /**
   * Returns the name of the function for `key`: `stem`, or `stem` with a number. `receiver`: the type of a method, "" for a
   * function. `write` writes its text, once.
   */
  nameOf(key: string, stem: string, receiver: string, write: (name: string) => Lines): string {
    const choose = () => {
      let name = stem;
      for (let n = 2; !this.reserve(receiver, name); n++) name = `${stem}${n}`;
      return name;
    };
    return this.#queue.nameOf(key, choose, write);
  }

  /** Reserves a name. Returns false if it is in use. */
  reserve(receiver: string, name: string): boolean {
    const key = `${receiver}.${name}`;
    if (this.#taken.has(key)) return false;
    this.#taken.add(key);
    return true;
  }

  /** Returns the texts of all functions that are used, and of the functions that these use. */
  texts(): Generator<Lines> {
    return this.#queue.texts();
  }

  /**
   * Returns the name of the function that skips an older struct. It contains the root's name, since another file of the
   * package may have older structs of the same names.
   */
  skipName({ name, index }: Struct): string {
    return `skip${this.#root}${this.suffix}${capitalized(pascal(name) ?? "") || `Struct${index}`}`;
  }
}

/** A function that reads an older struct or union, while it is written. */
export class OlderBody extends ReadBody {
  readonly functions: OlderFunctions;

  constructor(functions: OlderFunctions, isDeep: boolean, failed = "") {
    super(functions.context, isDeep, failed);
    this.functions = functions;
  }
}
