/** Refuses structs that are too large for Go. */
import { type Edge, reversed, topological } from "../../generate/struct-graph.js";
import type { Member, Model, Node, Struct } from "../../model/model.js";

/** Go's compiler refuses variables of more than a gigabyte; a quarter of that is far more than programs use. */
const MAX_SIZE = 2 ** 28;

/**
 * Returns a struct whose values would take more than 256 MiB in Go, or undefined. `isPointer` and `isRefPointer`: the
 * fields and references that hold only a pointer.
 */
export function tooLarge(
  { structs }: Model,
  isPointer: (member: Member) => boolean,
  isRefPointer: (node: Node) => boolean,
): Struct | undefined {
  const inlineMembers = (struct: Struct) => struct.members.filter((member) => !isPointer(member));
  const inlineStructs = (node: Node): readonly Edge[] => {
    if (node.kind === "ref") return isRefPointer(node) ? [] : [{ to: node.struct, levels: 0 }];
    return node.kind === "array" && node.length > 0 ? inlineStructs(node.element) : [];
  };
  const sizeOf = (node: Node): number => {
    if (node.kind === "ref" && !isRefPointer(node)) return sizes.get(node.struct)!;
    if (node.kind === "array" && node.length > 0) return node.length * sizeOf(node.element);
    // Numbers, strings, slices, maps, interfaces and pointers take at most 24 bytes.
    return Math.max(24, node.kind === "bytes" ? node.length : 0);
  };
  // A fixed list that is too large counts even behind a pointer.
  const hasLarge = (node: Node): boolean => {
    if (node.kind === "array") return sizeOf(node) > MAX_SIZE || hasLarge(node.element);
    return (node.kind === "map" || node.kind === "nullable") && hasLarge(node.value);
  };
  const edges = new Map<Struct, readonly Edge[]>(
    structs.map((struct) => [struct, inlineMembers(struct).flatMap(({ type }) => inlineStructs(type))]),
  );
  const sizes = new Map<Struct, number>();
  for (const struct of topological(structs, edges, reversed(structs, edges))) {
    let size = 8 * (struct.members.length - inlineMembers(struct).length);
    for (const { type } of inlineMembers(struct)) size += sizeOf(type);
    if (size > MAX_SIZE) return struct;
    sizes.set(struct, size);
  }
  return structs.find(({ members }) => members.some(({ type }) => hasLarge(type)));
}
