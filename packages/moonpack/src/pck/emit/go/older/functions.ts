/** The functions that read bytes of one older schema: each once, in the order in which they are asked for. */
import { capitalized } from "../../../generate/names.js";
import type { Struct } from "../../../model/model.js";
import type { Version } from "../../older.js";
import { pascal } from "../names.js";
import { Plan } from "../plan.js";
import { ReadBody } from "../read-body.js";
import type { Shared } from "../shared.js";
import type { Lines } from "../text.js";

/** Names that are taken, and functions that wait to be written. */
export class OlderFunctions {
  readonly shared: Shared;
  readonly version: Version;
  /** What the older structs need: depth, and what containers owe. */
  readonly plan: Plan;
  /** `V1`, as it stands in names. */
  readonly suffix: string;
  readonly #root: string;
  readonly #functions = new Map<string, string>();
  readonly #taken: Set<string>;
  readonly #waiting: (() => Lines)[] = [];

  /** `taken`: names of functions that the file has already. */
  constructor(shared: Shared, version: Version, taken: Set<string>) {
    this.shared = shared;
    this.version = version;
    this.plan = new Plan(version.model, () => false);
    this.suffix = capitalized(version.name);
    this.#root = shared.names.struct([...version.plans.keys()][0]!);
    this.#taken = taken;
  }

  /** The name of a function like `stem`, which is of the type `receiver` or of the package; `write` writes its text, once. */
  of(key: string, stem: string, receiver: string, write: (name: string) => Lines): string {
    const known = this.#functions.get(key);
    if (known !== undefined) return known;
    let name = stem;
    for (let n = 2; !this.take(receiver, name); n++) name = `${stem}${n}`;
    this.#functions.set(key, name);
    this.#waiting.push(() => write(name));
    return name;
  }

  /** Takes a name; false where it is taken. */
  take(receiver: string, name: string): boolean {
    const key = `${receiver}.${name}`;
    if (this.#taken.has(key)) return false;
    this.#taken.add(key);
    return true;
  }

  /** The texts of all functions that have been asked for, and of those that these ask for. */
  *texts(): Generator<Lines> {
    for (let write = this.#waiting.shift(); write !== undefined; write = this.#waiting.shift()) yield write();
  }

  /** The name of what skips an older struct. Other files of the package may have older structs of the same names. */
  skipName({ name, index }: Struct): string {
    return `skip${this.#root}${this.suffix}${capitalized(pascal(name) ?? "") || `Struct${index}`}`;
  }
}

/** A function while it is written. */
export class OlderBody extends ReadBody {
  readonly functions: OlderFunctions;

  constructor(functions: OlderFunctions, isDeep: boolean, failed = "") {
    super(functions.shared, isDeep, failed);
    this.functions = functions;
  }
}
