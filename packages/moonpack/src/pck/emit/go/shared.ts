/** What all parts of the emitter share: names, types, what of the runtime and of other packages is used. */
import { schemaError } from "../../model/errors.js";
import type { Member, Model, Node, Struct } from "../../model/model.js";
import { Choices } from "./choices.js";
import { FunctionBody } from "./function.js";
import { GoNames } from "./names.js";
import type { GoSettings } from "./options.js";
import { Plan, tooLarge } from "./plan.js";
import { isPlain, isPointer, isVarint, PLAIN_TYPES, presenceOf, widthOf } from "./types.js";

/** Fields of structs within that are read and written as if they were their owner's, at most. */
const MAX_FLAT = 16;

/** Fields of a struct that is written where it stands, at most. */
const MAX_SMALL = 4;

/** The state of one emission. */
export class Shared {
  readonly settings: GoSettings;
  readonly names: GoNames;
  readonly plan: Plan;
  /** Paths of packages that the code uses. */
  readonly imports = new Set<string>();
  readonly #choices: Choices;
  readonly #flat = new Map<Struct, number>();

  constructor(model: Model, given: ReadonlyMap<Struct, string>, settings: GoSettings) {
    this.settings = settings;
    this.names = new GoNames(model, given, settings);
    this.#choices = new Choices(model, this.names, settings);
    const large = tooLarge(
      model,
      (member) => isPointer(member),
      (node) => this.isRefPointer(node),
    );
    if (large !== undefined) throw schemaError(large.name, "a value would be larger than 256 MiB in Go");
    this.plan = new Plan(model, (member) => isRefused(member.type, (node) => this.isRefPointer(node)));
  }

  /** The body of a function, which has no variables of names that mean something else. */
  body(): FunctionBody {
    return new FunctionBody(this.#choices.words);
  }

  /** The names that no variable may have. */
  get words(): ReadonlySet<string> {
    return this.#choices.words;
  }

  /** The receiver of a struct's methods: the name of the value in them. */
  receiver(struct: Struct): string {
    return this.#choices.receiverOf(struct);
  }

  /** The caller's type of a bool, number or text: its values are converted. Other types need no conversion. */
  ownType(node: Node): string | undefined {
    return isPlain(node.kind) && this.#choices.typeOf(node) !== undefined ? this.type(node) : undefined;
  }

  /** A value of a type as a plain one of Go's. */
  plain(node: Node, x: string): string {
    if (!isPlain(node.kind) || this.ownType(node) === undefined) return x;
    return `${PLAIN_TYPES[node.kind]}(${x})`;
  }

  /** A plain value as one of a type. */
  owned(node: Node, x: string): string {
    const own = this.ownType(node);
    return own === undefined ? x : `${own}(${x})`;
  }

  /** Is a reference that is required a pointer? */
  isRefPointer(node: Node): boolean {
    return this.#choices.isPointer(node);
  }

  /** The Go type of a type. */
  type(node: Node): string {
    for (const path of this.#choices.importsOf(node)) this.imports.add(path);
    return this.#choices.type(node);
  }

  /** The expression for a pointer to a new value. */
  newOf(node: Node): string {
    return node.kind === "ref" ? this.make(this.names.struct(node.struct)) : `new(${this.type(node)})`;
  }

  /** The same for a struct, or the wrapper of an arm, of this type. */
  make(type: string): string {
    const own = this.#choices.factoryOf(type);
    if (own?.import !== undefined) this.imports.add(own.import);
    return own?.make ?? `new(${type})`;
  }

  /** A function, type or constant of the runtime. */
  run(name: string): string {
    if (this.settings.runtime !== "beside") {
      this.imports.add(this.settings.runtime);
      return `pck.${name}`;
    }
    return name === "Error" ? "PCKError" : `pck${name}`;
  }

  /** A name of a package of Go's own library. */
  use(path: string, name: string): string {
    this.imports.add(path);
    return `${path.slice(path.lastIndexOf("/") + 1)}.${name}`;
  }

  /** The condition that an optional field, `x`, is there. */
  presence(member: Member, x: string): string {
    return presenceOf(member, x, (bits) => this.use("math", `Float${bits}bits(${this.plain(member.type, x)})`));
  }

  /** May the fields of a struct be read and written as if they were their owner's? They are all of fixed width then. */
  isFlat(struct: Struct): boolean {
    return this.#flatFields(struct) <= MAX_FLAT;
  }

  /** Is a struct so small that its fields are written, measured and read where it stands, without a call? */
  isSmall(struct: Struct): boolean {
    if (struct.storeBytes > 0 || struct.members.length > MAX_SMALL) return false;
    return struct.members.every(({ type }) => widthOf(type) > 0 || isVarint(type));
  }

  #flatFields(struct: Struct): number {
    const known = this.#flat.get(struct);
    if (known !== undefined) return known;
    let count = 0;
    if (struct.knownBytes < 0 || struct.storeBytes > 0) count = Infinity;
    else {
      for (const member of struct.fixed) {
        const { type } = member;
        if (this.isRefPointer(type)) count = Infinity;
        else if (type.kind === "ref") count += this.#flatFields(type.struct);
        else count += widthOf(type) > 0 || type.kind === "bytes" ? 1 : Infinity;
      }
    }
    this.#flat.set(struct, count);
    return count;
  }
}

/** Can a value of the type be refused, whatever the structs in it are? */
function isRefused(node: Node, isPointer: (node: Node) => boolean): boolean {
  switch (node.kind) {
    case "utf8":
    case "ascii":
    case "enumeration":
    case "union":
    case "map":
      return true;
    case "bytes":
      return node.length === 0;
    case "ref":
      return isPointer(node);
    case "array":
      return node.length === 0 || isRefused(node.element, isPointer);
    case "nullable":
      return isRefused(node.value, isPointer);
    default:
      return false;
  }
}
