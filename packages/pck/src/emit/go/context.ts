/** The names, types and imports of a file, which all parts of the Go emitter use. */
import { schemaError } from "../../model/errors.js";
import type { Member, Model, Node, Struct, UnionNode } from "../../model/model.js";
import { FunctionBody } from "./function-body.js";
import { Memory, memoryLimitOf } from "./memory.js";
import { GoNames } from "./names.js";
import { type Needs, StructNeeds } from "./needs.js";
import type { GoSettings } from "./options.js";
import { tooLarge } from "./size-limit.js";
import { hasPlainType, isPointer, isVarint, PLAIN_TYPES, presenceOf, widthOf } from "./types.js";
import { UserChoices } from "./user-choices.js";

/** The most fixed-width fields of a struct that is read and written as part of the struct around it. */
const MAX_FLAT = 16;

/** The most fields of a struct that is read and written inline, without a call. */
const MAX_SMALL = 4;

/** The state of one emitted file. */
export class GoContext {
  readonly settings: GoSettings;
  readonly names: GoNames;
  readonly needs: StructNeeds;
  readonly memory: Memory;
  /** The import paths of packages that the code uses. */
  readonly imports = new Set<string>();
  readonly #choices: UserChoices;
  readonly #flat = new Map<Struct, number>();

  constructor(model: Model, given: ReadonlyMap<Struct, string>, settings: GoSettings) {
    this.settings = settings;
    this.names = new GoNames(model, given, settings);
    this.#choices = new UserChoices(model, this.names, settings);
    const large = tooLarge(
      model,
      (member) => isPointer(member),
      (node) => this.isRefPointer(node),
    );
    if (large !== undefined) throw schemaError(large.name, "a value would be larger than 256 MiB in Go");
    this.memory = new Memory(model, (node) => this.isRefPointer(node), settings.maxElements);
    this.needs = new StructNeeds(
      model,
      (member) => isRefused(member.type, (node) => this.isRefPointer(node)),
      (member) => this.memory.counts(member),
    );
  }

  /** Returns the needs of the function that reads a struct. */
  structNeeds(struct: Struct): Needs {
    return this.needs.needsOf([struct]);
  }

  /** Returns the needs of the function that reads a union. */
  unionNeeds({ arms }: UnionNode): Needs {
    const needs = this.needs.needsOf(arms.map(({ struct }) => struct));
    return { ...needs, takesRoom: needs.takesRoom || arms.some(({ struct }) => this.memory.countedArm(struct) > 0) };
  }

  /** The statement that computes the room of a whole message. */
  get room(): string {
    const { maxElements } = this.settings;
    return `room := ${maxElements === 0 ? `${this.runtime("RoomFor")}(b)` : `int64(${memoryLimitOf(maxElements)})`}`;
  }

  /** Returns a new function body, whose variables avoid the names that the caller uses. */
  body(): FunctionBody {
    return new FunctionBody(this.#choices.reservedNames);
  }

  /** Names that no variable may have. */
  get reservedNames(): ReadonlySet<string> {
    return this.#choices.reservedNames;
  }

  /** Returns the receiver's name in a struct's methods. */
  receiver(struct: Struct): string {
    return this.#choices.receiverOf(struct);
  }

  /** Returns the caller's type for a bool, number or text, whose values need a conversion; undefined for other types. */
  ownType(node: Node): string | undefined {
    return hasPlainType(node.kind) && this.#choices.typeOf(node) !== undefined ? this.type(node) : undefined;
  }

  /** Converts `x` from the caller's type to the plain type of Go. */
  plain(node: Node, x: string): string {
    if (!hasPlainType(node.kind) || this.ownType(node) === undefined) return x;
    return `${PLAIN_TYPES[node.kind]}(${x})`;
  }

  /** Converts `x` from the plain type of Go to the caller's type. */
  owned(node: Node, x: string): string {
    const own = this.ownType(node);
    return own === undefined ? x : `${own}(${x})`;
  }

  /** Whether a required reference is a pointer. */
  isRefPointer(node: Node): boolean {
    return this.#choices.isPointer(node);
  }

  /** Returns the type of a value in Go. */
  type(node: Node): string {
    for (const path of this.#choices.importsOf(node)) this.imports.add(path);
    return this.#choices.type(node);
  }

  /** Returns the expression for a pointer to a new value. */
  newOf(node: Node): string {
    return node.kind === "ref" ? this.make(this.names.struct(node.struct)) : `new(${this.type(node)})`;
  }

  /** Returns the expression for a pointer to a new struct, or to the wrapper of an arm. */
  make(type: string): string {
    const own = this.#choices.factoryOf(type);
    if (own?.import !== undefined) this.imports.add(own.import);
    return own?.make ?? `new(${type})`;
  }

  /** Returns the name of a function, type or constant of the runtime. */
  runtime(name: string): string {
    if (this.settings.runtime !== "beside") {
      this.imports.add(this.settings.runtime);
      return `pck.${name}`;
    }
    return name === "Error" ? "PCKError" : `pck${name}`;
  }

  /** Returns a name of a package in Go's standard library. */
  use(path: string, name: string): string {
    this.imports.add(path);
    return `${path.slice(path.lastIndexOf("/") + 1)}.${name}`;
  }

  /** Returns the condition that the optional field `x` is present. */
  presence(member: Member, x: string): string {
    return presenceOf(member, x, (bits) => this.use("math", `Float${bits}bits(${this.plain(member.type, x)})`));
  }

  /**
   * Whether a struct's fields are read and written as part of the struct around it. All of them have a fixed width
   * then.
   */
  isFlat(struct: Struct): boolean {
    return this.#flatFields(struct) <= MAX_FLAT;
  }

  /** Whether a struct's fields are written, measured and read inline. */
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

/** Whether a value of the type can be refused, apart from the structs in it. */
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
