/** Finds the structs and fields that a region's data name. */
import { invalidArgument, ownOption } from "moonpack/bytes";
import type { Member, Model, Node, Struct } from "../../model/model.js";
import type { RegionData } from "./refresh.js";

/** A named part of a field's type, with the field and its struct. */
export interface NamedPart<K extends Node["kind"]> {
  readonly struct: Struct;
  readonly member: Member;
  readonly node: Extract<Node, { readonly kind: K }>;
}

/** Finds structs and fields by name. */
export class Lookup {
  readonly #structs = new Map<string, Struct>();
  readonly #all: readonly Struct[];

  /** `given`: names that the caller gave to structs. `emitted`: the name of a struct in emitted code. */
  constructor(model: Model, given: ReadonlyMap<Struct, string>, emitted: (struct: Struct) => string) {
    this.#all = model.structs;
    for (const struct of model.structs) this.#structs.set(emitted(struct), struct);
    // A schema's own name takes precedence over a name that was derived for another schema.
    for (const struct of model.structs) {
      const name = given.get(struct) ?? struct.name;
      if (name !== "") this.#structs.set(name, struct);
    }
  }

  /** Returns the struct of this name. Throws `ERR_INVALID_ARGUMENT` if there is none. */
  named(name: unknown): Struct {
    const struct = typeof name === "string" ? this.#structs.get(name) : undefined;
    if (struct === undefined) throw invalidArgument(`no schema is named ${JSON.stringify(name)}`);
    return struct;
  }

  /** Returns the struct that the data name as `schema`. */
  structOf(data: RegionData): Struct {
    const name = ownOption(data, "schema");
    if (name === undefined)
      throw invalidArgument('the region needs a schema: write pck:assign({"schema": "Player"}) before it');
    return this.named(name);
  }

  /**
   * Every part of this kind: in the field that the data name, or in all fields of the schema that they name, or in
   * all schemas.
   */
  partsOf<K extends Node["kind"]>(data: RegionData, kind: K): readonly NamedPart<K>[] {
    const field = ownOption(data, "field");
    const isForAll = field === undefined && ownOption(data, "schema") === undefined;
    const structs = isForAll ? this.#all : [this.structOf(data)];
    const parts: NamedPart<K>[] = [];
    for (const struct of structs) {
      for (const member of struct.members) {
        if (field !== undefined && member.name !== field) continue;
        for (const node of nodesIn(member.type))
          if (node.kind === kind) parts.push({ struct, member, node: node as NamedPart<K>["node"] });
      }
    }
    if (parts.length > 0) return parts;
    const where = isForAll ? "any schema" : JSON.stringify(field === undefined ? ownOption(data, "schema") : field);
    throw invalidArgument(`there is no ${kind} in ${where}`);
  }
}

/** Returns a type and the types in it, without those inside structs. */
function nodesIn(node: Node): readonly Node[] {
  switch (node.kind) {
    case "array":
      return [node, ...nodesIn(node.element)];
    case "map":
      return [node, ...nodesIn(node.key), ...nodesIn(node.value)];
    case "nullable":
      return [node, ...nodesIn(node.value)];
    default:
      return [node];
  }
}

/** The regions that a file may have only once, because a second one would declare the same thing again. */
export class UniqueRegions {
  readonly #known = new Set<string>();

  /** Throws `ERR_INVALID_ARGUMENT` if the file has the region already. */
  add(what: string): void {
    if (this.#known.has(what)) throw invalidArgument(`the file already has ${what}`);
    this.#known.add(what);
  }

  has(what: string): boolean {
    return this.#known.has(what);
  }
}
