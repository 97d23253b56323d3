/**
 * The weight of a type: as how many elements one value of it counts towards `maxElements` (docs/pck.md, "Limits"). An element
 * stands for about 50 bytes of memory.
 *
 * - An object or a list: 1.
 * - A Map or bytes: 4.
 * - A number, text or enumeration as an element of a list, or as a key or value of a map: 1.
 * - Eight elements of a list of bools or nullables: 1, and the weights of the elements that are present.
 * - Four optional numbers of a struct: 1.
 *
 * Weights are constants of a schema: a reader counts once for each message, list, map and optional part, and not for each value.
 */
import { HEAVY_ELEMENTS, indexOf } from "moonpack/bytes";
import { isInBits, isNumberKind, type ListNode, type MapNode, type Member, type Node, type Struct } from "./model.js";

/**
 * The largest weight, so that sums and products of weights stay exact. Two values of this weight exceed the limit of any
 * message.
 */
export const MAX_WEIGHT = 2 ** 30;
/**
 * Number of optional numbers that count as one element. An absent number takes no byte of a message, but 8 to 24 bytes of
 * memory.
 */
export const NUMBERS_PER_ELEMENT = 4;
/** V8 turns a sparse array into a dictionary at about this index. */
const MAX_ARRAY_INDEX = 5000;
/** Number of slots of a sparse array that count as one element. V8 allocates up to twice as many slots as the array needs. */
const SLOTS_PER_ELEMENT = 4;
/** Engines store an object with more properties as a dictionary, which takes 40 to 80 bytes for each property. */
const MAX_FAST_FIELDS = 1000;

/** Options that change the size of values. */
export interface WeightSettings {
  /** True if lists of numbers may be typed arrays, which take as much memory as Maps. */
  readonly typedArrays: boolean;
  /** Absent list, map and bytes fields are each decoded as a new empty value (`"own"`), or all as the same frozen one (`"shared"`). */
  readonly absent: "own" | "shared";
  /**
   * True if optional texts, structs, unions and enumerations count as optional numbers do. It is set for values of other formats,
   * such as JSON: their limit grows with the text that was sent. Absent fields add no text but take memory, so they are counted.
   */
  readonly countsAllAbsent?: boolean;
}

/** Computes the weights of a model's types. */
export class Weights {
  readonly #settings: WeightSettings;
  readonly #structs = new Map<Struct, number>();

  constructor(settings: WeightSettings) {
    this.#settings = settings;
  }

  /** Returns the weight of an element, key, map value or message: what the reader allocates before it counts the content. */
  of(node: Node): number {
    switch (node.kind) {
      case "bytes":
      case "map":
        return HEAVY_ELEMENTS;
      case "ref":
        return this.struct(node.struct);
      case "union":
      case "nullable":
        return 0; // counted when the bytes show what is present
      case "array":
        return this.#list(node);
      default:
        return 1;
    }
  }

  /** Returns the weight of `count` elements together. */
  elements(element: Node, count: number): number {
    return Math.min(MAX_WEIGHT, isInBits(element) ? Math.ceil(count / 8) : count * this.of(element));
  }

  /** Returns the weight of an entry of a map. */
  pair({ key, value }: MapNode): number {
    return this.of(key) + this.of(value);
  }

  /** Returns the weight of an optional field that is present, in addition to its share of the struct's weight. */
  present(type: Node): number {
    return type.kind === "ref" || (type.kind === "array" && type.length > 0) ? this.of(type) : 0;
  }

  /**
   * Returns the weight of a nullable value that is present. Numbers and texts have none: their bytes pay for their memory.
   */
  nullable(value: Node): number {
    return value.kind === "ref" || value.kind === "bytes" || value.kind === "array" || value.kind === "map"
      ? this.of(value)
      : 0;
  }

  /** Returns the weight of a struct, including the structs of its required fields. */
  struct(struct: Struct): number {
    // A list of open structs instead of recursion: structs may be nested 4,096 deep. Required refs form no cycle.
    const open = [struct];
    for (let next = open.at(-1); next !== undefined; next = open.at(-1)) {
      const before = open.length;
      if (!this.#structs.has(next)) {
        for (const { type, isOptional } of next.members) {
          const inner = isOptional ? undefined : structIn(type);
          if (inner !== undefined && !this.#structs.has(inner)) open.push(inner);
        }
        if (open.length > before) continue;
        this.#structs.set(next, this.#measure(next));
      }
      open.pop();
    }
    return this.#structs.get(struct)!;
  }

  #measure(struct: Struct): number {
    const { members } = struct;
    let weight = members.length > MAX_FAST_FIELDS ? members.length : 1;
    /** Optional fields of which NUMBERS_PER_ELEMENT count as one element. */
    let lightOptionals = 0;
    for (const member of members) {
      weight += this.field(member);
      if (member.isOptional && (this.#settings.countsAllAbsent || isNumberKind(member.type.kind))) lightOptionals++;
    }
    return Math.min(MAX_WEIGHT, weight + Math.ceil(lightOptionals / NUMBERS_PER_ELEMENT) + weightOfIndices(struct));
  }

  /** Returns the share of a field in its struct's weight. An optional field has it whether it is present or not. */
  field({ type, isOptional }: Member): number {
    if (!isOptional) return isCountedField(type) ? this.of(type) : 0;
    if (this.#settings.absent === "shared") return 0;
    if (type.kind === "bytes" || type.kind === "map") return HEAVY_ELEMENTS;
    return type.kind === "array" && type.length === 0 ? this.#list(type) : 0;
  }

  /** Returns the weight of a list, with its elements if its length is fixed. */
  #list({ element, length }: ListNode): number {
    const isTyped = this.#settings.typedArrays && isNumberKind(element.kind);
    const empty = isTyped ? HEAVY_ELEMENTS : 1;
    return length === 0 ? empty : Math.min(MAX_WEIGHT, empty + this.elements(element, length));
  }
}

/**
 * Returns the weight of field names that are array indices. V8 stores such fields in an array as long as the largest index. Above a
 * few thousand, it stores them in a dictionary (bytes/sparse.ts).
 */
export function weightOfIndices({ members }: Struct): number {
  const largest = members.reduce((most, { name }) => Math.max(most, indexOf(name)), 0);
  return Math.ceil(Math.min(largest, MAX_ARRAY_INDEX) / SLOTS_PER_ELEMENT);
}

/**
 * Returns true for the type of a required field that has a weight. Numbers and texts have none: their bytes pay for their memory. Bools
 * are bits.
 */
function isCountedField({ kind }: Node): boolean {
  return kind === "bytes" || kind === "map" || kind === "array" || kind === "ref";
}

/** Returns the struct that is part of every value of the type, if there is one. */
function structIn(node: Node): Struct | undefined {
  if (node.kind === "ref") return node.struct;
  return node.kind === "array" && node.length > 0 ? structIn(node.element) : undefined;
}
