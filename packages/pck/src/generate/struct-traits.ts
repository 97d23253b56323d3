/** Properties of structs that decide how code for them looks: which may nest too deep, which are small. */
import { uvar32Size } from "moonpack/bytes";
import { type Member, minBytesOf, type Node, type Struct } from "../model/model.js";
import { containersIn, type Edges, edgesDown, edgesOf, reachable, reversed, topological } from "./struct-graph.js";

/** The most fields of a struct that is read and written inline. */
const INLINE_FIELDS = 12;
/** The most bytes of a struct that is read and written inline. */
const INLINE_BYTES = 256;

/** The traits of all structs that the roots reach. */
export class StructTraits {
  /** The structs. Each comes after a struct that refers to it. */
  readonly structs: readonly Struct[];
  readonly roots: readonly Struct[];
  readonly #down: Edges;
  readonly #up: Edges;
  #deep: ReadonlySet<Struct> = new Set();
  #counting: ReadonlySet<Struct> = new Set();
  readonly #maxBytes = new Map<Struct, number>();
  readonly #fields = new Map<Struct, number>();

  constructor(roots: readonly Struct[], maxDepth: number) {
    this.roots = roots;
    this.structs = [...reachable(roots, edgesOf)];
    this.#down = edgesDown(this.structs);
    this.#up = reversed(this.structs, this.#down);
    const leavesFirst = this.#findDeep(maxDepth);
    this.#findCounting();
    for (const struct of leavesFirst) {
      this.#maxBytes.set(struct, this.#measure(struct));
      this.#fields.set(struct, this.#countFields(struct));
    }
  }

  /** Whether a value may lie deeper than is allowed, so that its functions take a depth. */
  isDeep(struct: Struct): boolean {
    return this.#deep.has(struct);
  }

  /** Returns the size of the largest value in bytes; Infinity without a limit. A bool is a bit and takes no byte. */
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

  /** Returns the struct of a field that is read and written inline; null for other fields. */
  inlined({ type, isOptional }: Member): Struct | null {
    if (type.kind !== "ref" || isOptional) return null;
    const { struct } = type;
    if (this.#deep.has(struct) || (this.#fields.get(struct) ?? Infinity) > INLINE_FIELDS) return null;
    return this.maxBytesOf(type) <= INLINE_BYTES ? struct : null;
  }

  /** True if no bytes are read or written: the struct has no fields, and its depth is not checked. */
  hasNoBytes(struct: Struct): boolean {
    return struct.members.length === 0 && !this.#deep.has(struct);
  }

  /**
   * Whether values of this type contain lists or maps with a count, which are checked against the bytes that open
   * containers reserve.
   */
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

  /** Finds structs that may lie too deep. Returns the structs that lead into no cycle, each after the structs in it. */
  #findDeep(maxDepth: number): readonly Struct[] {
    const { structs } = this;
    const leavesFirst = topological(structs, this.#down, this.#up);
    const rootsFirst = topological(structs, this.#up, this.#down);
    const depths = new Map<Struct, number>(this.roots.map((root) => [root, 1]));
    let deepest = 0;
    for (const struct of rootsFirst) {
      const depth = depths.get(struct) ?? 1;
      const levels = struct.members.map(({ type }) => containersIn(type));
      deepest = Math.max(deepest, depth + Math.max(0, ...levels));
      for (const { to, levels } of this.#down.get(struct)!) {
        depths.set(to, Math.max(depths.get(to) ?? 1, depth + levels));
      }
    }
    // Neither above a cycle nor below one: such a struct lies at one of a few depths, all of them allowed.
    const leavesOnly = new Set(deepest > maxDepth ? [] : leavesFirst);
    const rootsOnly = new Set(rootsFirst);
    const deep = structs.filter((struct) => !leavesOnly.has(struct) || !rootsOnly.has(struct));
    // A struct that contains a deep one passes the depth to it.
    this.#deep = reachable(deep, (struct) => this.#up.get(struct)!);
    return leavesFirst;
  }

  #findCounting(): void {
    const counting = this.structs.filter((struct) => struct.members.some(({ type }) => this.hasCounts(type)));
    this.#counting = reachable(counting, (struct) => this.#up.get(struct)!);
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
