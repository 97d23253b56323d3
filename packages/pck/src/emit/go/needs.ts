/**
 * The parameters and results that the functions of each struct need. A function that cannot fail does not return an error.
 * A function that cannot nest too deeply has no depth parameter. A function without counts has no parameter for the bytes
 * that open containers still need. A function whose bytes pay for all memory that it allocates has no room parameter.
 */
import { DEFAULT_MAX_DEPTH } from "moonpack/bytes";
import {
  containersIn,
  type Edges,
  edgesDown,
  reachable,
  reversed,
  structsIn,
  topological,
} from "../../generate/struct-graph.js";
import { type Member, type Model, minBytesOf, type Node, type Struct } from "../../model/model.js";

/** Larger minimum sizes count as this one: an int has 32 bits on small machines, and no message has as many bytes. */
export const MAX_INT32 = 2 ** 31 - 1;

/** The parameters of a reading function besides the message and the position. */
export interface Needs {
  readonly isDeep: boolean;
  readonly hasCounts: boolean;
  readonly takesRoom: boolean;
}

/** The needs of a model's structs. */
export class StructNeeds {
  /** Structs that take their depth: in a cycle, below one, too deep anyway, or containing such a struct. */
  readonly #deep: ReadonlySet<Struct>;
  readonly #counted: ReadonlySet<Struct>;
  readonly #fallible: ReadonlySet<Struct>;
  readonly #roomy: ReadonlySet<Struct>;

  /**
   * `isRefused`: whether a field's own value can be refused when it is written. `takesRoom`: whether memory is counted for
   * the field when it is read.
   */
  constructor({ structs }: Model, isRefused: (member: Member) => boolean, takesRoom: (member: Member) => boolean) {
    const down = edgesDown(structs);
    const up = reversed(structs, down);
    const above = longestPaths(structs, up, down, () => 1);
    const below = longestPaths(structs, down, up, (struct) =>
      struct.members.reduce((most, { type }) => Math.max(most, containersIn(type)), 0),
    );
    const spread = (isMeant: (struct: Struct) => boolean) =>
      reachable(structs.filter(isMeant), (struct) => up.get(struct)!);
    this.#deep = spread((struct) => !(above.get(struct)! + below.get(struct)! <= DEFAULT_MAX_DEPTH));
    this.#counted = spread((struct) => struct.members.some(({ type }) => isCounted(type)));
    this.#fallible = spread((struct) => this.#deep.has(struct) || struct.members.some(isRefused));
    this.#roomy = spread((struct) => struct.members.some(takesRoom));
  }

  /** Can a value be nested deeper than is allowed? */
  isDeep(struct: Struct): boolean {
    return this.#deep.has(struct);
  }

  /** Does the struct, or a struct within it, have lists or maps with a count? */
  hasCounts(struct: Struct): boolean {
    return this.#counted.has(struct);
  }

  /** Can a value be refused when it is written? */
  canFail(struct: Struct): boolean {
    return this.#fallible.has(struct);
  }

  /** Returns the needs of a function that reads one of these structs. */
  needsOf(structs: readonly Struct[]): Needs {
    return {
      isDeep: structs.some((struct) => this.isDeep(struct)),
      hasCounts: structs.some((struct) => this.hasCounts(struct)),
      takesRoom: structs.some((struct) => this.#roomy.has(struct)),
    };
  }

  /** Does a type contain counts? */
  typeHasCounts(node: Node): boolean {
    return isCounted(node) || structsIn(node).some((struct) => this.hasCounts(struct));
  }

  /** Can a value of the type be nested deeper than is allowed? */
  typeIsDeep(node: Node): boolean {
    return structsIn(node).some((struct) => this.isDeep(struct));
  }
}

/** Returns the minimum size of an element in bytes, for checks of counts. */
export function minBytesInGo(node: Node): number {
  return Math.min(MAX_INT32, minBytesOf(node));
}

function isCounted(node: Node): boolean {
  if (node.kind === "array") return node.length === 0 || isCounted(node.element);
  return node.kind === "map" || (node.kind === "nullable" && isCounted(node.value));
}

/** Returns the longest path from each struct along `edges`; Infinity for one that leads into a cycle. `end`: what a path that ends here counts. */
function longestPaths(
  structs: readonly Struct[],
  edges: Edges,
  back: Edges,
  end: (struct: Struct) => number,
): ReadonlyMap<Struct, number> {
  const longest = new Map<Struct, number>();
  for (const struct of topological(structs, edges, back)) {
    let length = end(struct);
    for (const { to, levels } of edges.get(struct)!) length = Math.max(length, levels + longest.get(to)!);
    longest.set(struct, length);
  }
  for (const struct of structs) if (!longest.has(struct)) longest.set(struct, Infinity);
  return longest;
}
