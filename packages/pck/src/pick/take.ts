/** The parts to take from values that are already decoded, by their types: see runtime/take.ts. */
import { isInBits, type Node, type Struct } from "../model/model.js";
import { takeEachOf, takeOf } from "../runtime/picks.js";
import type { Key, Take } from "../runtime/take.js";
import type { PathTree } from "./tree.js";

/** How a take `T` is made: as an object, or as its text. */
export interface TakeMaker<T> {
  take(keys: readonly Key[], fields?: Named<T>, discriminator?: string, arms?: Named<T>): T;
  each(keys: readonly Key[], lists: readonly Key[], each: T, perSlot: number): T;
}
type Named<T> = readonly (readonly [name: string, take: T])[];

/** Makes takes as objects. */
export const TAKES: TakeMaker<Take> = { take: takeOf, each: takeEachOf };

/** Compiles takes. */
export class TakeCompiler<T> {
  readonly #maker: TakeMaker<T>;
  /** Kept: a path through unions would reach a struct in many ways. */
  readonly #structs = new Map<PathTree, Map<Struct, T>>();

  constructor(maker: TakeMaker<T>) {
    this.#maker = maker;
  }

  /** Returns the take of the wanted places in a value, and of the value itself. */
  value(tree: PathTree, node: Node): T {
    const { keys, each, fields } = tree;
    const type = node.kind === "nullable" ? node.value : node;
    if (type.kind === "ref") return this.#struct(tree, type.struct);
    if (type.kind === "union") {
      const { discriminator, arms } = type;
      const kind = fields.get(discriminator);
      const inArms = arms.map(({ name, struct }) => [name, this.#struct(tree, struct)] as const);
      const named = kind === undefined ? [] : [[discriminator, this.#maker.take(kind.keys)] as const];
      return this.#maker.take(keys, named, discriminator, inArms);
    }
    if (type.kind !== "array" || each === undefined) return this.#maker.take(keys);
    const { element } = type;
    return this.#maker.each(keys, each.lists, this.value(each.tree, element), isInBits(element) ? 8 : 1);
  }

  #struct(tree: PathTree, struct: Struct): T {
    const takes = this.#structs.get(tree) ?? new Map<Struct, T>();
    this.#structs.set(tree, takes);
    const known = takes.get(struct);
    if (known !== undefined) return known;
    const fields = struct.members.flatMap(({ name, type }) => {
      const wanted = tree.fields.get(name);
      return wanted === undefined ? [] : [[name, this.value(wanted, type)] as const];
    });
    const take = this.#maker.take(tree.keys, fields);
    takes.set(struct, take);
    return take;
  }
}
