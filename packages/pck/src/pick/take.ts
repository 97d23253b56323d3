/**
 * Takes wanted places from values that are decoded already, as their schema describes them: an object may also be a map, whose keys
 * are data, and bytes are not a list.
 */
import type { Node, NodeOf, Struct, UnionNode } from "../model/model.js";
import { countElements, type PackReader } from "../runtime/reader.js";
import { type EachTree, type PathTree, putKeys, Rows, slotsOf } from "./tree.js";
import type { Out } from "./walk.js";

/** Takes the wanted places from a value. What it lacks stays as it is in `out`. */
export type Take = (r: PackReader, value: unknown, out: Out) => void;

/** Compiles takes. */
export class TakeCompiler {
  readonly #structs = new Map<PathTree, Map<Struct, Take>>();

  /** Returns the take of the wanted places in a value, and of the value itself. */
  value(tree: PathTree, type: Node): Take {
    const inner = this.#inner(tree, type.kind === "nullable" ? type.value : type);
    return (r, value, out) => {
      putKeys(tree, value, out);
      if (value !== null) inner?.(r, value, out);
    };
  }

  #inner(tree: PathTree, type: Node): Take | undefined {
    switch (type.kind) {
      case "ref":
        return this.#struct(tree, type.struct);
      case "union":
        return this.#union(tree, type);
      case "array":
        return tree.each && this.#list(tree.each, type);
      default:
        return undefined;
    }
  }

  #struct(tree: PathTree, struct: Struct): Take {
    // Kept: a path through unions would reach a struct in many ways.
    const takes = this.#structs.get(tree) ?? new Map<Struct, Take>();
    this.#structs.set(tree, takes);
    const known = takes.get(struct);
    if (known !== undefined) return known;
    const fields = struct.members.flatMap(({ name, type }) => {
      const wanted = tree.fields.get(name);
      return wanted === undefined ? [] : [{ name, take: this.value(wanted, type) }];
    });
    const take: Take = (r, value, out) => {
      for (const { name, take } of fields) take(r, (value as Out)[name], out);
    };
    takes.set(struct, take);
    return take;
  }

  #union(tree: PathTree, { arms, discriminator }: UnionNode): Take {
    const kind = tree.fields.get(discriminator);
    const takes = new Map<unknown, Take>(arms.map(({ name, struct }) => [name, this.#struct(tree, struct)]));
    return (r, value, out) => {
      const name = (value as Out)[discriminator];
      if (kind !== undefined) putKeys(kind, name, out);
      takes.get(name)!(r, value, out);
    };
  }

  #list(each: EachTree, { element }: NodeOf<"array">): Take {
    const take = this.value(each.tree, element);
    return (r, value, out) => {
      const elements = value as ArrayLike<unknown>;
      countElements(r, each.lists.length * (1 + slotsOf(element, elements.length)));
      const rows = new Rows(each, out);
      for (let i = 0; i < elements.length; i++) {
        take(r, elements[i], rows.row);
        rows.next();
      }
    };
  }
}
