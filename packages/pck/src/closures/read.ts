/**
 * Decoders as closures: one for each type, made once for a codec. Structs are compiled when the bytes first contain
 * them. These decoders define which error comes first: generated decoders throw the same code at the same byte.
 */

import { recordOf } from "moonpack/bytes";
import {
  isWide,
  type ListNode,
  type MapNode,
  type Member,
  type Node,
  type Struct,
  type UnionNode,
} from "../model/model.js";
import { Weights } from "../model/weights.js";
import {
  readF32s,
  readF64s,
  readI8s,
  readI16s,
  readI32s,
  readI64s,
  readIvars,
  readTypedArray,
  readU8s,
  readU16s,
  readU32s,
  readU64s,
  readUvars,
} from "../runtime/read-lists.js";
import {
  readF32,
  readF64,
  readI8,
  readI16,
  readI32,
  readI64,
  readIvar,
  readIvar64,
  readSafeI64,
  readSafeIvar64,
  readSafeU64,
  readSafeUvar64,
  readU16,
  readU32,
  readU64,
  readUvar64,
} from "../runtime/read-numbers.js";
import { readAsciiText, readBinary, readBinaryView, readText } from "../runtime/read-text.js";
import {
  bitAt,
  checkDepth,
  countElements,
  notCanonical,
  readBits,
  readFlag,
  readIndex,
  readU8,
  readUvar,
} from "../runtime/reader.js";
import type { CodecSettings } from "../settings.js";
import { absenceOf, absentValueOf } from "./absence.js";
import type { Get, ValueDecoders } from "./closure.js";
import { structReader } from "./objects.js";
import {
  bitListReader,
  type GetNumbers,
  listReader,
  mapReader,
  nullableReader,
  numbersReader,
} from "./read-containers.js";
import { DeepReader } from "./read-deep.js";
import type { ReadField } from "./read-fields.js";
import { isObjectMap, typedArrayOf } from "./representation.js";
import { RECURSIVE_DEPTH, runTask } from "./trampoline.js";

const SIMPLE = {
  u8: readU8,
  u16: readU16,
  u32: readU32,
  u64: readU64,
  i8: readI8,
  i16: readI16,
  i32: readI32,
  i64: readI64,
  f32: readF32,
  f64: readF64,
  uvar: readUvar,
  ivar: readIvar,
  uvar64: readUvar64,
  ivar64: readIvar64,
  utf8: readText,
  bool: readFlag, // as a map value, or within nullable
} as const;

/** Readers of whole lists. */
const NUMBERS: ReadonlyMap<string, GetNumbers> = /* @__PURE__ */ new Map<string, GetNumbers>([
  ["u8", readU8s],
  ["u16", readU16s],
  ["u32", readU32s],
  ["u64", readU64s],
  ["i8", readI8s],
  ["i16", readI16s],
  ["i32", readI32s],
  ["i64", readI64s],
  ["f32", readF32s],
  ["f64", readF64s],
  ["uvar", readUvars],
  ["ivar", readIvars],
]);

/** Readers of 64-bit integers as numbers. */
const SAFE: ReadonlyMap<string, Get> = /* @__PURE__ */ new Map<string, Get>([
  ["u64", readSafeU64],
  ["i64", readSafeI64],
  ["uvar64", readSafeUvar64],
  ["ivar64", readSafeIvar64],
]);

/** Compiles the decoders of a model. */
export class DecoderCompiler implements ValueDecoders {
  readonly #settings: CodecSettings;
  readonly #weights: Weights;
  /** Decoders of refs. The arms of unions have their own, which set the discriminator. */
  readonly #structs = new Map<Struct, Get>();
  readonly #deep: DeepReader;

  constructor(settings: CodecSettings) {
    this.#settings = settings;
    this.#weights = new Weights(settings);
    this.#deep = new DeepReader(settings, this);
  }

  /** Returns the decoder of a type. */
  get(node: Node): Get {
    switch (node.kind) {
      case "bytes": {
        const read = this.#settings.binary === "view" ? readBinaryView : readBinary;
        return (r) => read(r, node.length);
      }
      case "ascii":
        return (r) => readAsciiText(r, node.length);
      case "enumeration": {
        const { values } = node;
        return (r) => values[readIndex(r, values.length)];
      }
      case "ref": {
        const { struct } = node;
        let get: Get | undefined; // not compiled here: the struct may refer to itself
        return (r, depth) => (get ??= this.struct(struct))(r, depth + 1);
      }
      case "union":
        return this.#union(node);
      case "array":
        return this.#array(node);
      case "map":
        return this.#map(node);
      case "nullable":
        return nullableReader(node, this.#weights, this.get(node.value));
      default:
        return (this.#settings.int64 === "number" && SAFE.get(node.kind)) || (SIMPLE[node.kind] as Get);
    }
  }

  /** Returns the decoder of a map's keys: as {@link get}, but 64-bit integers are always bigints. */
  key(node: Node): Get {
    return isWide(node.kind) ? (SIMPLE[node.kind as "u64"] as Get) : this.get(node);
  }

  /** Returns the decoder of a struct. Its parameter `depth` is the struct's own depth. */
  struct(struct: Struct): Get {
    const known = this.#structs.get(struct);
    if (known !== undefined) return known;
    const get = this.#compile(struct, []);
    this.#structs.set(struct, get);
    return get;
  }

  /** `first`: properties before the fields. */
  #compile(struct: Struct, first: readonly (readonly [string, unknown])[]): Get {
    const { optionals } = struct;
    const names: string[] = [];
    const gets: ReadField[] = [];
    const bits = optionals.length + struct.bools.length;
    for (const [i, { name }] of struct.bools.entries()) {
      names.push(name);
      gets.push((r, _, start) => bitAt(r, start, optionals.length + i));
    }
    for (const { name, type } of [...struct.fixed, ...struct.dynamic]) {
      names.push(name);
      gets.push(this.get(type));
    }
    for (const [i, member] of optionals.entries()) {
      names.push(member.name);
      gets.push(this.#optional(member, i));
    }
    const read = structReader(struct, first, this.#settings, names, gets);
    const of = first.length === 0 ? struct : first;
    return (r, depth) => {
      if (depth > RECURSIVE_DEPTH) return runTask(this.#deep.struct(r, struct, depth, of, first));
      checkDepth(r, depth);
      return read(r, depth, bits === 0 ? 0 : readBits(r, bits));
    };
  }

  /** Returns the decoder of an optional field, whose presence bit has the number `i`. */
  #optional(member: Member, i: number): ReadField {
    const get = this.get(member.type);
    const isAbsent = absenceOf(member, this.#settings);
    const absent = absentValueOf(member, this.#settings);
    const weight = this.#weights.present(member.type);
    return (r, depth, start) => {
      if (!bitAt(r, start, i)) return absent();
      const { pos } = r;
      if (weight > 0) countElements(r, weight);
      const value = get(r, depth);
      if (isAbsent(value)) throw notCanonical(pos);
      return value;
    };
  }

  #union(node: UnionNode): Get {
    const { arms, discriminator } = node;
    const compiled: (Get | undefined)[] = arms.map(() => undefined);
    const weights = arms.map(({ struct }) => this.#weights.struct(struct));
    return (r, depth) => {
      checkDepth(r, depth + 1);
      const index = readIndex(r, arms.length);
      const { name, struct } = arms[index]!;
      countElements(r, weights[index]!);
      const get = (compiled[index] ??= this.#compile(struct, [[discriminator, name]]));
      return get(r, depth + 1);
    };
  }

  #array(node: ListNode): Get {
    const { element } = node;
    if (element.kind === "bool") return bitListReader(node, this.#weights, undefined);
    if (element.kind === "nullable") return bitListReader(node, this.#weights, this.get(element.value));
    const Class = typedArrayOf(element, this.#settings);
    if (Class !== undefined) return numbersReader(node, (r, count) => readTypedArray(r, count, Class), true);
    const numbers = this.#settings.int64 === "number" && isWide(element.kind) ? undefined : NUMBERS.get(element.kind);
    return numbers !== undefined
      ? numbersReader(node, numbers, false)
      : listReader(node, this.#weights, this.get(element));
  }

  #map(node: MapNode): Get {
    const isObject = isObjectMap(node, this.#settings);
    const resultOf = (map: Map<unknown, unknown>) => (isObject ? recordOf(map as Map<string, unknown>) : map);
    return mapReader(node, this.#weights, this.key(node.key), this.get(node.value), resultOf);
  }
}
