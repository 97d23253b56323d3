/** What all parts of the emitter share: names, types, what of the runtime and of other packages is used. */
import { invalidArgument } from "../../../bytes/errors.js";
import { schemaError } from "../../model/errors.js";
import type { Member, Model, Node, Struct } from "../../model/model.js";
import { GoNames } from "./names.js";
import { type GoFieldType, type GoSettings, IMPORT_PATH } from "./options.js";
import { Plan, tooLarge } from "./plan.js";
import { goTypeOf, isPointer, isVarint, presenceOf, takesOwnType, widthOf } from "./types.js";

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
  readonly #ownTypes = new Map<Member, GoFieldType>();
  readonly #pointers = new Set<Member>();
  readonly #flat = new Map<Struct, number>();

  constructor(model: Model, given: ReadonlyMap<Struct, string>, settings: GoSettings) {
    this.settings = settings;
    this.names = new GoNames(model, given, settings);
    for (const struct of model.structs) for (const member of struct.members) this.#askHooks(struct, member);
    const large = tooLarge(model, (member) => this.isPointer(member));
    if (large !== undefined) throw schemaError(large.name, "a value would be larger than 256 MiB in Go");
    this.plan = new Plan(model, (member) => this.#pointers.has(member) || isRefused(member.type));
  }

  #askHooks(struct: Struct, member: Member): void {
    const { type, isOptional, name } = member;
    const field = { struct: struct.name, name };
    if (type.kind === "ref" && !isOptional && this.settings.pointers(field)) this.#pointers.add(member);
    if (!takesOwnType(type)) return;
    const own = this.settings.types(field, goTypeOf(type, this.names));
    if (own === undefined) return;
    if (typeof own.type !== "string" || !/^(?:[a-z_]\w*\.)?[\p{L}_][\p{L}\p{Nd}_]*$/u.test(own.type)) {
      throw schemaError(`${struct.name}.${name}`, `${JSON.stringify(own.type)} is no name of a type in Go`);
    }
    if (own.import !== undefined && !IMPORT_PATH.test(own.import)) {
      throw invalidArgument(`${JSON.stringify(own.import)} is no path of a Go package`);
    }
    if (own.import !== undefined) this.imports.add(own.import);
    this.#ownTypes.set(member, own);
  }

  /** The type of the caller's choice for a field. */
  ownType(member: Member): string | undefined {
    return this.#ownTypes.get(member)?.type;
  }

  /** The type of a field's value; the field itself may be a pointer to it. */
  valueType(member: Member): string {
    return this.ownType(member) ?? this.type(member.type);
  }

  /** Is a required reference a pointer? */
  isRefPointer(member: Member): boolean {
    return this.#pointers.has(member);
  }

  /** Is a field a pointer to its value? */
  isPointer(member: Member): boolean {
    return isPointer(member, this.isRefPointer(member));
  }

  /** The Go type of a type. */
  type(node: Node): string {
    return goTypeOf(node, this.names);
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
    const isOwn = this.ownType(member) !== undefined;
    return presenceOf(member, x, (bits) => this.use("math", `Float${bits}bits(${isOwn ? `float${bits}(${x})` : x})`));
  }

  /** May the fields of a struct be read and written as if they were their owner's? They are all of fixed width then. */
  isFlat(struct: Struct): boolean {
    return this.#flatFields(struct) <= MAX_FLAT;
  }

  /** Is a struct so small that its fields are written, measured and read where it stands, without a call? */
  isSmall(struct: Struct): boolean {
    if (struct.storeBytes > 0 || struct.members.length > MAX_SMALL || this.plan.isDeep(struct)) return false;
    return struct.members.every(({ type }) => widthOf(type) > 0 || isVarint(type));
  }

  #flatFields(struct: Struct): number {
    const known = this.#flat.get(struct);
    if (known !== undefined) return known;
    let count = 0;
    if (struct.knownBytes < 0 || struct.storeBytes > 0 || this.plan.isDeep(struct)) count = Infinity;
    else {
      for (const member of struct.fixed) {
        const { type } = member;
        if (this.isRefPointer(member)) count = Infinity;
        else if (type.kind === "ref") count += this.#flatFields(type.struct);
        else count += widthOf(type) > 0 || type.kind === "bytes" ? 1 : Infinity;
      }
    }
    this.#flat.set(struct, count);
    return count;
  }
}

/** Can a value of the type be refused, whatever the structs in it are? */
function isRefused(node: Node): boolean {
  switch (node.kind) {
    case "utf8":
    case "ascii":
    case "enumeration":
    case "union":
    case "map":
      return true;
    case "bytes":
      return node.length === 0;
    case "array":
      return node.length === 0 || isRefused(node.element);
    case "nullable":
      return isRefused(node.value);
    default:
      return false;
  }
}
