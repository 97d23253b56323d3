/** What is known of structs before code for them is written: which may be nested without end, which are small. */
import { uvar32Size } from "../../bytes/varint.js";
import { type Member, minBytesOf, type Node, type Struct } from "../model/model.js";

/** Structs of up to so many fields are read and written where they are referred to. */
const INLINE_FIELDS = 12;
/** The same, in bytes. */
const INLINE_BYTES = 256;

/** Facts about the structs that some roots reach. */
export class Facts {
  /** Those, every one after some that refers to it. */
  readonly structs: readonly Struct[];
  readonly #deep = new Set<Struct>();
  readonly #counting = new Set<Struct>();
  readonly #maxBytes = new Map<Struct, number>();
  readonly #fields = new Map<Struct, number>();

  constructor(roots: readonly Struct[], maxDepth: number) {
    this.structs = reachable(roots);
    const leavesFirst = this.#findDeep(roots, maxDepth);
    this.#findCounting();
    for (const struct of leavesFirst) {
      this.#maxBytes.set(struct, this.#measure(struct));
      this.#fields.set(struct, this.#countFields(struct));
    }
  }

  /** Has it to know how deep it lies, since it may lie deeper than is allowed? */
  isDeep(struct: Struct): boolean {
    return this.#deep.has(struct);
  }

  /** The most bytes that a value takes; Infinity where there is no such number. A bool's bit takes none. */
  maxBytesOf(node: Node): number {
    switch (node.kind) {
      case "bool":
        return 0;
      case "uvar":
      case "ivar":
        return 5;
      case "uvar64":
      case "ivar64":
        return 10;
      case "enumeration":
        return uvar32Size(node.values.length - 1);
      case "utf8":
      case "union":
      case "map":
      case "nullable":
      case "array":
        return Infinity;
      case "bytes":
      case "ascii":
        return node.length === 0 ? Infinity : node.length;
      case "ref":
        return this.#maxBytes.get(node.struct) ?? Infinity;
      default:
        return minBytesOf(node);
    }
  }

  /** Is this field a struct that is read and written in the place of the reference? */
  inlined({ type, isOptional }: Member): Struct | null {
    if (type.kind !== "ref" || isOptional) return null;
    const { struct } = type;
    if (this.#deep.has(struct) || (this.#fields.get(struct) ?? Infinity) > INLINE_FIELDS) return null;
    return this.maxBytesOf(type) <= INLINE_BYTES ? struct : null;
  }

  /** Is it read and written without a look at the bytes? It has no fields, and its depth counts for nothing. */
  isVoid(struct: Struct): boolean {
    return struct.members.length === 0 && !this.#deep.has(struct);
  }

  /** Are there containers with a count in values of this type? They look at what those around them still owe. */
  hasCounts(node: Node): boolean {
    switch (node.kind) {
      case "ref":
        return this.#counting.has(node.struct);
      case "union":
        return node.arms.some((arm) => this.#counting.has(arm.struct));
      case "array":
        return node.length === 0 || this.hasCounts(node.element);
      case "map":
        return true;
      case "nullable":
        return this.hasCounts(node.value);
      default:
        return false;
    }
  }

  /** Finds what may lie too deep; answers the others, each behind those that it refers to. */
  #findDeep(roots: readonly Struct[], maxDepth: number): readonly Struct[] {
    const { structs } = this;
    const users = new Map<Struct, Struct[]>(structs.map((struct) => [struct, []]));
    for (const struct of structs) for (const [target] of edgesOf(struct)) users.get(target)!.push(struct);
    const leavesFirst = peel(structs, (struct) => users.get(struct)!);
    const usersFirst = peel(structs, (struct) => edgesOf(struct).map(([target]) => target));
    const depths = new Map<Struct, number>(roots.map((root) => [root, 1]));
    let deepest = 0;
    for (const struct of usersFirst) {
      const depth = depths.get(struct) ?? 1;
      deepest = Math.max(deepest, depth + containersIn(struct));
      for (const [target, levels] of edgesOf(struct)) {
        depths.set(target, Math.max(depths.get(target) ?? 1, depth + levels));
      }
    }
    // Neither above a cycle nor below one: their depth is one of a few numbers, all of them allowed.
    const ending = new Set(deepest > maxDepth ? [] : leavesFirst);
    const bounded = new Set(usersFirst);
    const rest = structs.filter((struct) => !ending.has(struct) || !bounded.has(struct));
    for (let struct = rest.pop(); struct !== undefined; struct = rest.pop()) {
      if (this.#deep.has(struct)) continue;
      this.#deep.add(struct);
      for (const user of users.get(struct)!) rest.push(user); // who refers to it has to tell it
    }
    return leavesFirst;
  }

  #findCounting(): void {
    const users = new Map<Struct, Struct[]>(this.structs.map((struct) => [struct, []]));
    for (const struct of this.structs) for (const [target] of edgesOf(struct)) users.get(target)!.push(struct);
    const rest = this.structs.filter((struct) => struct.members.some(({ type }) => this.hasCounts(type)));
    for (let struct = rest.pop(); struct !== undefined; struct = rest.pop()) {
      if (this.#counting.has(struct)) continue;
      this.#counting.add(struct);
      for (const user of users.get(struct)!) rest.push(user);
    }
  }

  #measure(struct: Struct): number {
    let bytes = struct.storeBytes;
    for (const { type } of struct.members) bytes += this.maxBytesOf(type);
    return bytes;
  }

  #countFields(struct: Struct): number {
    let fields = 0;
    for (const member of struct.members) {
      const inner = this.inlined(member);
      fields += inner === null ? 1 : 1 + this.#fields.get(inner)!;
    }
    return fields;
  }
}

/** What the roots reach, without recursion: structs may be nested thousands deep. */
function reachable(roots: readonly Struct[]): readonly Struct[] {
  const found = new Set(roots);
  for (const struct of found) for (const [target] of edgesOf(struct)) found.add(target);
  return [...found];
}

/** The structs that it refers to, and how much deeper each lies. */
function edgesOf(struct: Struct): (readonly [Struct, number])[] {
  return struct.members.flatMap(({ type }) => edgesIn(type, 1));
}

function edgesIn(node: Node, levels: number): (readonly [Struct, number])[] {
  switch (node.kind) {
    case "ref":
      return [[node.struct, levels]];
    case "union":
      return node.arms.map((arm) => [arm.struct, levels] as const);
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

/** Lists and maps within each other in one field. */
function containersIn(struct: Struct): number {
  let most = 0;
  for (const { type } of struct.members) {
    let levels = 0;
    let node: Node | null = type;
    while (node !== null) {
      if (node.kind === "array" || node.kind === "map") levels++;
      node = node.kind === "array" ? node.element : node.kind === "map" || node.kind === "nullable" ? node.value : null;
    }
    most = Math.max(most, levels);
  }
  return most;
}

/** Takes away, again and again, what no remaining struct holds on to: what stays has to do with a cycle. */
function peel(structs: readonly Struct[], released: (struct: Struct) => readonly Struct[]): readonly Struct[] {
  const holds = new Map<Struct, number>(structs.map((struct) => [struct, 0]));
  for (const struct of structs) for (const other of released(struct)) holds.set(other, holds.get(other)! + 1);
  const order = structs.filter((struct) => holds.get(struct) === 0);
  for (const struct of order) {
    for (const other of released(struct)) {
      const left = holds.get(other)! - 1;
      holds.set(other, left);
      if (left === 0) order.push(other);
    }
  }
  return order;
}
