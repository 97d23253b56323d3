/** Structs as a graph: an edge leads from a struct to each struct that its values may contain directly. */
import type { Node, Struct } from "../model/model.js";

/** One edge. */
export interface Edge {
  readonly to: Struct;
  /** How many levels deeper the inner struct lies: 1, and 1 more for each list or map around it. */
  readonly levels: number;
}

/** The edges of some structs, in one direction. */
export type Edges = ReadonlyMap<Struct, readonly Edge[]>;

/** Returns the edges from each of these structs to the structs that it contains. */
export function edgesDown(structs: readonly Struct[]): Edges {
  return new Map(structs.map((struct) => [struct, edgesOf(struct)]));
}

/** Returns the same edges, from each struct to the structs that contain it. */
export function reversed(structs: readonly Struct[], edges: Edges): Edges {
  const back = new Map<Struct, Edge[]>(structs.map((struct) => [struct, []]));
  for (const [from, list] of edges) for (const { to, levels } of list) back.get(to)!.push({ to: from, levels });
  return back;
}

/** Returns the edges of one struct. */
export function edgesOf(struct: Struct): readonly Edge[] {
  return struct.members.flatMap(({ type }) => edgesIn(type, 1));
}

function edgesIn(node: Node, levels: number): readonly Edge[] {
  switch (node.kind) {
    case "ref":
      return [{ to: node.struct, levels }];
    case "union":
      return node.arms.map((arm) => ({ to: arm.struct, levels }));
    case "array":
      return edgesIn(node.element, levels + 1);
    case "map":
      return edgesIn(node.value, levels + 1);
    case "nullable":
      return edgesIn(node.value, levels);
    default:
      return [];
  }
}

/** Returns the structs that a value of this type may contain directly. */
export function structsIn(node: Node): readonly Struct[] {
  return edgesIn(node, 1).map(({ to }) => to);
}

/**
 * Structs, each after all structs that its edges lead to: Kahn's topological sorting. A struct that leads into a cycle is
 * left out.
 */
export function topological(structs: readonly Struct[], edges: Edges, back: Edges): readonly Struct[] {
  const open = new Map(structs.map((struct) => [struct, edges.get(struct)!.length]));
  const order = structs.filter((struct) => open.get(struct) === 0);
  for (const struct of order) {
    for (const { to } of back.get(struct)!) {
      const left = open.get(to)! - 1;
      open.set(to, left);
      if (left === 0) order.push(to);
    }
  }
  return order;
}

/** These structs and all structs that edges lead to from them. */
export function reachable(from: readonly Struct[], edges: (struct: Struct) => readonly Edge[]): ReadonlySet<Struct> {
  const found = new Set(from);
  // Without recursion: structs may be nested thousands deep.
  for (const struct of found) for (const { to } of edges(struct)) found.add(to);
  return found;
}

/** Lists and maps around each other within a type. */
export function containersIn(node: Node): number {
  if (node.kind === "array") return 1 + containersIn(node.element);
  if (node.kind === "map") return 1 + containersIn(node.value);
  return node.kind === "nullable" ? containersIn(node.value) : 0;
}
