/** What the data of a region say: which struct, which of its fields. */
import { invalidArgument } from "../../../bytes/errors.js";
import { ownOption } from "../../../bytes/options.js";
import type { Member, Model, Node, Struct } from "../../model/model.js";
import type { RegionData } from "./engine.js";

/** A field of a struct, and one of the types in it that have a name of their own. */
export interface NamedPart<K extends Node["kind"]> {
  readonly struct: Struct;
  readonly member: Member;
  readonly node: Extract<Node, { readonly kind: K }>;
}

/** Finds structs and fields by the names that data have for them. */
export class Lookup {
  readonly #structs = new Map<string, Struct>();
  readonly #all: readonly Struct[];

  /** `given`: names that schemas were given; `emitted`: the name that a struct has in code. */
  constructor(model: Model, given: ReadonlyMap<Struct, string>, emitted: (struct: Struct) => string) {
    this.#all = model.structs;
    for (const struct of model.structs) this.#structs.set(emitted(struct), struct);
    // A schema's own name counts more than what was made of another one's.
    for (const struct of model.structs) {
      const name = given.get(struct) ?? struct.name;
      if (name !== "") this.#structs.set(name, struct);
    }
  }

  /** The struct of this name. */
  named(name: unknown): Struct {
    const struct = typeof name === "string" ? this.#structs.get(name) : undefined;
    if (struct === undefined) throw invalidArgument(`there is no schema ${JSON.stringify(name)}`);
    return struct;
  }

  /** The struct that is `schema` in the data. */
  structOf(data: RegionData): Struct {
    const name = ownOption(data, "schema");
    if (name === undefined) throw invalidArgument('which schema? Say pck:assign({"schema": "Player"}) before');
    return this.named(name);
  }

  /** Every part of a kind in the field that the data name; in all fields of a schema, or of all, where they name none. */
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

/** A type and those in it, without those of structs. */
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

/** The text of a region of which there is one for each thing: a second one would declare it again. */
export class Once {
  readonly #known = new Set<string>();

  /** `ERR_INVALID_ARGUMENT` for what the file has already. */
  add(what: string): void {
    if (this.#known.has(what)) throw invalidArgument(`the file has ${what} already`);
    this.#known.add(what);
  }

  has(what: string): boolean {
    return this.#known.has(what);
  }
}
