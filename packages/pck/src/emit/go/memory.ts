/**
 * The memory that values take in Go, and how much of it is counted while a message is read. A struct whose fields are
 * absent takes all of its memory for one bit per field. Each byte of a message pays for 64 bytes of memory, like two
 * elements in JavaScript. A type that never takes more than its bytes pay for is not counted, so most schemas count
 * nothing.
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

/** The memory that a byte pays for: `roomPerByte` in go/pck. */
const PAID_PER_BYTE = 64;
/**
 * Larger values are always counted: they are allocated before their bytes are checked, and may be nested as deep as
 * messages are. 512 values of this size take 32 MiB.
 */
const MAX_UNCOUNTED = 65_536;
/** The memory that one element stands for. */
const ELEMENT_BYTES = 32n;
/** The largest int64. */
const MAX_ROOM_BYTES = 2n ** 63n - 1n;

/** Returns the memory of `maxElements` elements, as a Go constant. */
export function roomOf(maxElements: number): string {
  const room = BigInt(maxElements) * ELEMENT_BYTES;
  return String(room < MAX_ROOM_BYTES ? room : MAX_ROOM_BYTES);
}

/** The memory of an empty map, and its minimum number of slots. */
const MAP_BYTES = 64;
const MAP_SLOTS = 8;
/** The most slots for each pair, once a map has grown. */
const SLOTS_PER_PAIR = 2;
/** A map stores larger values separately. */
const MAX_SLOT_VALUE = 128;

/** Size and alignment of a type. */
interface Layout {
  readonly size: number;
  readonly align: number;
}

const POINTER: Layout = { size: 8, align: 8 };
/** Strings and interfaces. */
const PAIR: Layout = { size: 16, align: 8 };
const SLICE: Layout = { size: 24, align: 8 };

/** The memory of a list or map: `each` for every element or pair. A list or map that is not empty takes `some` more. */
export interface Cost {
  readonly some: number;
  readonly each: number;
}

/** The memory of a model's types on a 64-bit machine. */
export class Memory {
  readonly #isRefPointer: (node: Node) => boolean;
  readonly #maxElements: number;
  readonly #structs = new Map<Struct, Layout>();

  /** `isRefPointer`: whether a required reference is a pointer. `maxElements`: the option; 0 means the default. */
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
   * The counted memory of a value of this size whose bytes are at least `least`. By default 0 if these bytes pay for
   * it.
   */
  counted(size: number, least: number): number {
    if (this.#maxElements > 0) return this.#maxElements === Infinity ? 0 : size;
    return size <= PAID_PER_BYTE * least && size <= MAX_UNCOUNTED ? 0 : size;
  }

  /** Returns the size of a value that a pointer points to. */
  targetOf(node: Node): number {
    return node.kind === "ref" ? this.structSize(node.struct) : this.sizeOf(node);
  }

  /** Returns the size of a struct. */
  structSize(struct: Struct): number {
    return this.#structs.get(struct)!.size;
  }

  /** Returns the counted memory of a value that a pointer points to. `from`: the type of its bytes. */
  countedTarget(node: Node, from = node): number {
    return this.counted(this.targetOf(node), minBytesOf(from));
  }

  /** Returns the counted memory of a union's arm. Its index takes a byte. */
  countedArm(struct: Struct, from = struct): number {
    return this.counted(this.structSize(struct), 1 + from.minBytes);
  }

  /**
   * Returns the counted memory of a list with a count; undefined if its bytes pay for it. `from`: the type of its elements'
   * bytes.
   */
  listCost(element: Node, from = element): Cost | undefined {
    const size = this.#elementSize(element, from);
    const counted = isInBits(from) ? this.counted(8 * size, 1) : this.counted(size, minBytesOf(from));
    return counted === 0 ? undefined : { some: 0, each: size };
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
  pairCost({ key, value }: MapNode): Cost {
    const size = this.sizeOf(value);
    const isApart = size > MAX_SLOT_VALUE;
    const slot = roundUp(this.sizeOf(key), 8) + roundUp(isApart ? POINTER.size : size, 8);
    return { some: MAP_BYTES + MAP_SLOTS * slot, each: SLOTS_PER_PAIR * slot + (isApart ? size : 0) };
  }

  /** Returns the counted memory of a map; undefined if its bytes pay for it. */
  mapCost(to: MapNode, from = to): Cost | undefined {
    const cost = this.pairCost(to);
    const least = minBytesOf(from.key) + minBytesOf(from.value);
    const isPaid = this.counted(cost.some + cost.each, 1 + least) + this.counted(cost.each, least) === 0;
    return isPaid ? undefined : cost;
  }

  /** Whether any memory is counted for a field, apart from the structs in it. */
  counts(member: Member): boolean {
    return (isPointer(member) && this.countedTarget(member.type) > 0) || this.#countsIn(member.type);
  }

  /** Whether any memory is counted for a type, apart from the structs in it. */
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

  /** Measures a struct after the structs in it. Uses its own stack, because structs may be nested thousands deep. */
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
        return PAIR;
      case "nullable":
        return node.value.kind === "union" ? PAIR : POINTER;
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
