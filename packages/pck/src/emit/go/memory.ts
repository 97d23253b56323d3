/**
 * The memory that values take in Go, and how much of it counts against the memory limit of a message. The limit is needed because a
 * small message can fill much memory: a struct whose fields are absent is one bit per field in the message, and takes all of its memory in Go.
 *
 * By default the limit is 32 MiB, plus 64 bytes for each byte of the message: a byte pays for 64 bytes of memory. That corresponds to
 * the limit in JavaScript, two elements for each byte, since an element counts as 32 bytes here. A type that never takes more memory
 * than its bytes pay for is not counted, so most schemas count nothing.
 */
import {
  elementsBytes,
  isInBits,
  type Member,
  type Model,
  minBytesOf,
  type Node,
  type Struct,
} from "../../model/model.js";
import { isPointer, PLAIN_TYPES } from "./types.js";

/** A message may take this many bytes of memory for each of its bytes: `roomPerByte` in go/pck. */
const PAID_PER_BYTE = 64;
/**
 * The largest value that may be uncounted. A value is allocated before its bytes are checked, and a message has up to 512
 * levels, so a message that is too short allocates at most 32 MiB.
 */
const MAX_UNCOUNTED_SIZE = 65_536;
/** The memory in bytes that one element of the option `maxElements` stands for. */
const ELEMENT_BYTES = 32n;
/** The largest int64. */
const MAX_LIMIT = 2n ** 63n - 1n;

/** Returns the memory limit in bytes for the option `maxElements`, as a Go constant. */
export function memoryLimitOf(maxElements: number): string {
  const limit = BigInt(maxElements) * ELEMENT_BYTES;
  return String(limit < MAX_LIMIT ? limit : MAX_LIMIT);
}

/** The memory of an empty map. */
const MAP_BYTES = 64;
/** The slots that a map has from its first pair on. */
const MAP_SLOTS = 8;
/** Maximum number of slots for each pair, once a map has grown. */
const SLOTS_PER_PAIR = 2;
/** The largest value that a map stores in a slot. A larger value is stored separately. */
const MAX_SLOT_VALUE = 128;

/** Size and alignment of a type. */
interface Layout {
  readonly size: number;
  readonly align: number;
}

const POINTER: Layout = { size: 8, align: 8 };
/** Strings and interfaces: a pointer and a second word. */
const TWO_WORDS: Layout = { size: 16, align: 8 };
const SLICE: Layout = { size: 24, align: 8 };

/** The memory of a list or map. */
export interface Cost {
  /**
   * The part that does not depend on the number of elements or pairs. It is not counted for an empty list or map in a
   * message.
   */
  readonly fixed: number;
  /** The part for each element or pair. */
  readonly each: number;
}

/**
 * The memory of a model's types on a 64-bit machine. In the methods, `from` is the type in the schema that has written the bytes, if
 * that is an older schema.
 */
export class Memory {
  readonly #isRefPointer: (node: Node) => boolean;
  readonly #maxElements: number;
  readonly #structs = new Map<Struct, Layout>();

  /** `isRefPointer`: true if a required reference is a pointer. `maxElements`: the option; 0 without it. */
  constructor({ structs }: Model, isRefPointer: (node: Node) => boolean, maxElements: number) {
    this.#isRefPointer = isRefPointer;
    this.#maxElements = maxElements;
    for (const struct of structs) this.#measure(struct);
  }

  /** Returns the size of a value, without the targets of its pointers. */
  sizeOf(node: Node): number {
    return this.#layout(node).size;
  }

  /**
   * Returns how much of `size` bytes of memory is counted for a value that takes at least `minBytes` in a message. Without the option
   * `maxElements`, that is 0 if these bytes pay for the memory.
   */
  counted(size: number, minBytes: number): number {
    if (this.#maxElements > 0) return this.#maxElements === Infinity ? 0 : size;
    return size <= PAID_PER_BYTE * minBytes && size <= MAX_UNCOUNTED_SIZE ? 0 : size;
  }

  /** Returns the size of a value that a pointer points to. */
  targetSize(node: Node): number {
    return node.kind === "ref" ? this.structSize(node.struct) : this.sizeOf(node);
  }

  /** Returns the size of a struct. */
  structSize(struct: Struct): number {
    return this.#structs.get(struct)!.size;
  }

  /** Returns the counted memory of a value that a pointer points to. */
  countedTarget(node: Node, from = node): number {
    return this.counted(this.targetSize(node), minBytesOf(from));
  }

  /** Returns the counted memory of a union's arm. The index of the arm takes a byte. */
  countedArm(struct: Struct, from = struct): number {
    return this.counted(this.structSize(struct), 1 + from.minBytes);
  }

  /** Returns the counted memory of a list of variable length; undefined if its bytes pay for it. */
  listCost(element: Node, from = element): Cost | undefined {
    const size = this.#elementSize(element, from);
    const counted = isInBits(from) ? this.counted(8 * size, 1) : this.counted(size, minBytesOf(from));
    return counted === 0 ? undefined : { fixed: 0, each: size };
  }

  /** Returns the counted memory of a list of fixed length. */
  fixedListCost(element: Node, length: number, from: Node): number {
    return this.counted(length * this.#elementSize(element, from), elementsBytes(from, length));
  }

  /** Returns the memory of an element. A bool that becomes nullable also allocates its pointer's target. */
  #elementSize(element: Node, from: Node): number {
    return this.sizeOf(element) + (from.kind === "bool" && element.kind === "nullable" ? 8 : 0);
  }

  /** Returns the memory of a map, even if its bytes pay for it. */
  mapMemory({ key, value }: MapNode): Cost {
    const size = this.sizeOf(value);
    const isSeparate = size > MAX_SLOT_VALUE;
    const slot = roundUp(this.sizeOf(key), 8) + roundUp(isSeparate ? POINTER.size : size, 8);
    return { fixed: MAP_BYTES + MAP_SLOTS * slot, each: SLOTS_PER_PAIR * slot + (isSeparate ? size : 0) };
  }

  /** Returns the counted memory of a map; undefined if its bytes pay for it. */
  mapCost(to: MapNode, from = to): Cost | undefined {
    const cost = this.mapMemory(to);
    const minBytes = minBytesOf(from.key) + minBytesOf(from.value);
    const isPaid = this.counted(cost.fixed + cost.each, 1 + minBytes) + this.counted(cost.each, minBytes) === 0;
    return isPaid ? undefined : cost;
  }

  /** True if memory is counted for a field. Does not look at the fields of structs in it. */
  counts(member: Member): boolean {
    return (isPointer(member) && this.countedTarget(member.type) > 0) || this.#countsIn(member.type);
  }

  /** True if memory is counted for a type. Does not look at the fields of structs in it. */
  #countsIn(node: Node): boolean {
    switch (node.kind) {
      case "ref":
        return this.#isRefPointer(node) && this.countedTarget(node) > 0;
      case "union":
        return node.arms.some(({ struct }) => this.countedArm(struct) > 0);
      case "nullable":
        return (node.value.kind !== "union" && this.countedTarget(node.value) > 0) || this.#countsIn(node.value);
      case "array":
        return (node.length === 0 && this.listCost(node.element) !== undefined) || this.#countsIn(node.element);
      case "map":
        return this.mapCost(node) !== undefined || this.#countsIn(node.value);
      default:
        return false;
    }
  }

  /**
   * Measures a struct after the structs in it. Keeps a list of open structs instead of recursion, because structs may be nested
   * thousands deep.
   */
  #measure(root: Struct): void {
    const open = [root];
    for (let next = open.at(-1); next !== undefined; next = open.at(-1)) {
      const before = open.length;
      // A struct may be referred to many times but is measured once.
      if (!this.#structs.has(next)) {
        for (const member of next.members) {
          const inner = isPointer(member) ? undefined : this.#structIn(member.type);
          if (inner !== undefined && !this.#structs.has(inner)) open.push(inner);
        }
        if (open.length > before) continue;
        this.#structs.set(next, this.#layoutOf(next));
      }
      open.pop();
    }
  }

  /** Returns the struct that every value of the type contains; undefined if there is none. */
  #structIn(node: Node): Struct | undefined {
    if (node.kind === "ref") return this.#isRefPointer(node) ? undefined : node.struct;
    return node.kind === "array" && node.length > 0 ? this.#structIn(node.element) : undefined;
  }

  #layoutOf({ members }: Struct): Layout {
    let [size, align] = [0, 1];
    for (const member of members) {
      const field = isPointer(member) ? POINTER : this.#layout(member.type);
      size = roundUp(size, field.align) + field.size;
      align = Math.max(align, field.align);
    }
    return { size: roundUp(size, align), align };
  }

  #layout(node: Node): Layout {
    switch (node.kind) {
      case "ref":
        return this.#isRefPointer(node) ? POINTER : this.#structs.get(node.struct)!;
      case "array": {
        if (node.length === 0) return SLICE;
        const { size, align } = this.#layout(node.element);
        return { size: node.length * size, align };
      }
      case "bytes":
        return node.length === 0 ? SLICE : { size: node.length, align: 1 };
      case "union":
      case "utf8":
      case "ascii":
        return TWO_WORDS;
      case "nullable":
        return node.value.kind === "union" ? TWO_WORDS : POINTER;
      case "map":
        return POINTER;
      case "bool":
        return { size: 1, align: 1 };
      case "enumeration":
        return { size: 4, align: 4 };
      default: {
        const size = Number(/\d+$/.exec(PLAIN_TYPES[node.kind])) / 8;
        return { size, align: size };
      }
    }
  }
}

type MapNode = Node & { readonly kind: "map" };

function roundUp(size: number, align: number): number {
  return Math.ceil(size / align) * align;
}
