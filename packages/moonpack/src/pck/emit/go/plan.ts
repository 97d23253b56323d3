/**
 * What the functions of each struct need: a function that cannot fail answers no error, one that cannot nest too deeply
 * takes no depth, one without counts does not hear what the containers around it owe.
 */
import { DEFAULT_MAX_DEPTH } from "../../../bytes/limits.js";
import { type Member, type Model, minBytesOf, type Node, type Struct } from "../../model/model.js";

/** Sizes above are all the same: an int has 32 bits on small machines, and no message has as many bytes. */
export const MAX_LEAST = 2 ** 31 - 1;

/** Go's compiler refuses variables of more than a gigabyte, and no program wants one of this size. */
const MAX_SIZE = 2 ** 28;

/** A struct within a struct, so many levels further down. */
interface Edge {
  readonly to: Struct;
  readonly levels: number;
}

/** What is known about the structs of a model. */
export class Plan {
  /** Those that take their depth: they lie in a cycle, below one or too deeply anyway, or lead to such a struct. */
  readonly #deep: ReadonlySet<Struct>;
  readonly #counted: ReadonlySet<Struct>;
  readonly #fallible: ReadonlySet<Struct>;

  /** `isRefused`: can a field's own value be refused when it is written? */
  constructor(model: Model, isRefused: (member: Member) => boolean) {
    const { structs } = model;
    const down = new Map<Struct, Edge[]>(structs.map((struct) => [struct, edgesOf(struct)]));
    const up = reversed(structs, down);
    const above = longestPaths(structs, up, down, () => 1);
    const below = longestPaths(structs, down, up, (struct) =>
      struct.members.reduce((most, { type }) => Math.max(most, levelsOf(type)), 0),
    );
    const isDeep = (struct: Struct) => !(above.get(struct)! + below.get(struct)! <= DEFAULT_MAX_DEPTH);
    this.#deep = spread(structs.filter(isDeep), up);
    this.#counted = spread(
      structs.filter((struct) => struct.members.some(({ type }) => isCounted(type))),
      up,
    );
    this.#fallible = spread(
      structs.filter((struct) => this.#deep.has(struct) || struct.members.some(isRefused)),
      up,
    );
  }

  /** Can a value be nested deeper than is allowed? */
  isDeep(struct: Struct): boolean {
    return this.#deep.has(struct);
  }

  /** Has it arrays or maps with a count, itself or in a struct within? */
  hasCounts(struct: Struct): boolean {
    return this.#counted.has(struct);
  }

  /** Can a value be refused when it is written? */
  canFail(struct: Struct): boolean {
    return this.#fallible.has(struct);
  }

  /** Does a type contain counts? */
  typeHasCounts(node: Node): boolean {
    return isCounted(node) || targetsOf(node).some((struct) => this.hasCounts(struct));
  }

  /** Is a type's depth limited by checks? */
  typeIsDeep(node: Node): boolean {
    return targetsOf(node).some((struct) => this.isDeep(struct));
  }
}

/** The fewest bytes of an element, for counts. */
export function leastOf(node: Node): number {
  return Math.min(MAX_LEAST, minBytesOf(node));
}

/** Structs that a type leads to, with the levels of containers on the way. */
function edgesOf(struct: Struct): Edge[] {
  const edges: Edge[] = [];
  const visit = (node: Node, levels: number): void => {
    switch (node.kind) {
      case "ref":
        edges.push({ to: node.struct, levels: levels + 1 });
        break;
      case "union":
        for (const arm of node.arms) edges.push({ to: arm.struct, levels: levels + 1 });
        break;
      case "array":
        visit(node.element, levels + 1);
        break;
      case "map":
        visit(node.value, levels + 1);
        break;
      case "nullable":
        visit(node.value, levels);
    }
  };
  for (const { type } of struct.members) visit(type, 0);
  return edges;
}

/** Structs that a value of the type may contain directly. */
export function targetsOf(node: Node): readonly Struct[] {
  switch (node.kind) {
    case "ref":
      return [node.struct];
    case "union":
      return node.arms.map((arm) => arm.struct);
    case "array":
      return targetsOf(node.element);
    case "map":
    case "nullable":
      return targetsOf(node.value);
    default:
      return [];
  }
}

/** Levels of containers within a type, without those of the structs in it. */
function levelsOf(node: Node): number {
  if (node.kind === "array") return 1 + levelsOf(node.element);
  if (node.kind === "map") return 1 + levelsOf(node.value);
  if (node.kind === "nullable") return levelsOf(node.value);
  return 0;
}

function isCounted(node: Node): boolean {
  if (node.kind === "array") return node.length === 0 || isCounted(node.element);
  return node.kind === "map" || (node.kind === "nullable" && isCounted(node.value));
}

/**
 * The longest path from each struct along `edges`; Infinity for those that a cycle is among. `least`: what a path counts
 * that ends here.
 */
function longestPaths(
  structs: readonly Struct[],
  edges: ReadonlyMap<Struct, readonly Edge[]>,
  back: ReadonlyMap<Struct, readonly Edge[]>,
  least: (struct: Struct) => number,
): ReadonlyMap<Struct, number> {
  const longest = new Map<Struct, number>();
  for (const struct of inOrder(structs, edges, back)) {
    let length = least(struct);
    for (const { to, levels } of edges.get(struct)!) length = Math.max(length, levels + longest.get(to)!);
    longest.set(struct, length);
  }
  for (const struct of structs) if (!longest.has(struct)) longest.set(struct, Infinity);
  return longest;
}

/** Structs, each after all that its edges lead to: Kahn's topological sorting. Without those that lead into a cycle. */
function* inOrder(
  structs: readonly Struct[],
  edges: ReadonlyMap<Struct, readonly Edge[]>,
  back: ReadonlyMap<Struct, readonly Edge[]>,
): Generator<Struct> {
  const open = new Map<Struct, number>(structs.map((struct) => [struct, edges.get(struct)!.length]));
  const ready = structs.filter((struct) => open.get(struct) === 0);
  for (let struct = ready.pop(); struct !== undefined; struct = ready.pop()) {
    yield struct;
    for (const { to } of back.get(struct)!) {
      const left = open.get(to)! - 1;
      open.set(to, left);
      if (left === 0) ready.push(to);
    }
  }
}

/** Edges the other way. */
function reversed(
  structs: readonly Struct[],
  edges: ReadonlyMap<Struct, readonly Edge[]>,
): ReadonlyMap<Struct, readonly Edge[]> {
  const back = new Map<Struct, Edge[]>(structs.map((struct) => [struct, []]));
  for (const [from, list] of edges) for (const { to, levels } of list) back.get(to)!.push({ to: from, levels });
  return back;
}

/** A struct whose values are larger than Go can handle; undefined for none. The others: what holds only a pointer? */
export function tooLarge(
  { structs }: Model,
  isPointer: (member: Member) => boolean,
  isRefPointer: (node: Node) => boolean,
): Struct | undefined {
  const held = (struct: Struct) => struct.members.filter((member) => !isPointer(member));
  const heldStructs = (node: Node): readonly Edge[] => {
    if (node.kind === "ref") return isRefPointer(node) ? [] : [{ to: node.struct, levels: 0 }];
    return node.kind === "array" && node.length > 0 ? heldStructs(node.element) : [];
  };
  const sizeOf = (node: Node): number => {
    if (node.kind === "ref" && !isRefPointer(node)) return sizes.get(node.struct)!;
    if (node.kind === "array" && node.length > 0) return node.length * sizeOf(node.element);
    // Numbers, strings, slices, maps, interfaces and pointers take 24 bytes at most.
    return Math.max(24, node.kind === "bytes" ? node.length : 0);
  };
  // Is it, or does it contain, a list of a fixed length that is too large, were it behind a pointer?
  const hasLarge = (node: Node): boolean => {
    if (node.kind === "array") return sizeOf(node) > MAX_SIZE || hasLarge(node.element);
    return (node.kind === "map" || node.kind === "nullable") && hasLarge(node.value);
  };
  const edges = new Map<Struct, Edge[]>(
    structs.map((struct) => [struct, held(struct).flatMap(({ type }) => heldStructs(type))]),
  );
  const sizes = new Map<Struct, number>();
  for (const struct of inOrder(structs, edges, reversed(structs, edges))) {
    let size = 8 * (struct.members.length - held(struct).length);
    for (const { type } of held(struct)) size += sizeOf(type);
    if (size > MAX_SIZE) return struct;
    sizes.set(struct, size);
  }
  return structs.find(({ members }) => members.some(({ type }) => hasLarge(type)));
}

/** These structs and all that contain one of them. */
function spread(from: readonly Struct[], up: ReadonlyMap<Struct, readonly Edge[]>): ReadonlySet<Struct> {
  const found = new Set(from);
  for (const struct of found) for (const { to } of up.get(struct)!) found.add(to);
  return found;
}
