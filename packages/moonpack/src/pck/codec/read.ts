/**
 * Decoders as closures: one for each type, made once for a codec; structs when they are first met in bytes. They are the
 * measure for the order of errors: what generated decoders refuse, they refuse with the same code at the same byte.
 */
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
} from "../../bytes/pack-read-lists.js";
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
} from "../../bytes/pack-read-numbers.js";
import { readAsciiText, readBinary, readBinaryView, readText } from "../../bytes/pack-read-text.js";
import {
  bitAt,
  checkDepth,
  notCanonical,
  readBits,
  readFlag,
  readIndex,
  readU8,
  readUvar,
} from "../../bytes/pack-reader.js";
import type { Member, Node, Struct, UnionNode } from "../model/model.js";
import { RECURSIVE_DEPTH, runDeep } from "./deep.js";
import { structReader } from "./objects.js";
import { absenceOf, absentValueOf, isObjectMap, typedArrayOf } from "./presence.js";
import {
  bitListReader,
  type Get,
  type GetNumbers,
  type ListNode,
  listReader,
  type MapNode,
  mapReader,
  numbersReader,
} from "./read-containers.js";
import { DeepReader } from "./read-deep.js";
import type { ReadField } from "./read-fields.js";
import type { CodecSettings } from "./settings.js";

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
  bool: readFlag, // a map's value, or inside nullable
} as const;

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

const SAFE: ReadonlyMap<string, Get> = /* @__PURE__ */ new Map<string, Get>([
  ["u64", readSafeU64],
  ["i64", readSafeI64],
  ["uvar64", readSafeUvar64],
  ["ivar64", readSafeIvar64],
]);

/** Makes the decoders of a model. */
export class DecoderCompiler {
  readonly #settings: CodecSettings;
  /** Those of refs and, with their discriminator, of arms. */
  readonly #structs = new Map<Struct, Get>();
  readonly #deep: DeepReader;

  constructor(settings: CodecSettings) {
    this.#settings = settings;
    this.#deep = new DeepReader(settings, this);
  }

  /** The decoder of a type. */
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
        let get: Get | undefined; // recursive structs are not there yet
        return (r, depth) => (get ??= this.struct(struct))(r, depth + 1);
      }
      case "union":
        return this.#union(node);
      case "array":
        return this.#array(node);
      case "map":
        return this.#map(node);
      case "nullable": {
        const get = this.get(node.value);
        return (r, depth) => (readFlag(r) ? get(r, depth) : null);
      }
      default:
        return (this.#settings.int64 === "number" && SAFE.get(node.kind)) || (SIMPLE[node.kind] as Get);
    }
  }

  /** The same of keys: 64-bit integers are bigints always. */
  wide(node: Node): Get {
    return SAFE.has(node.kind) ? (SIMPLE[node.kind as "u64"] as Get) : this.get(node);
  }

  /** The decoder of a struct that lies at the depth it is given. */
  struct(struct: Struct): Get {
    const known = this.#structs.get(struct);
    if (known !== undefined) return known;
    const get = this.#compile(struct, []);
    this.#structs.set(struct, get);
    return get;
  }

  /** `first`: properties that come before the fields. */
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
      if (depth > RECURSIVE_DEPTH) return runDeep(this.#deep.struct(r, struct, depth, of, first));
      checkDepth(r, depth);
      return read(r, depth, bits === 0 ? 0 : readBits(r, bits));
    };
  }

  /** A field that is there if bit `i` says so. */
  #optional(member: Member, i: number): ReadField {
    const get = this.get(member.type);
    const isAbsent = absenceOf(member, this.#settings);
    const absent = absentValueOf(member, this.#settings);
    return (r, depth, start) => {
      if (!bitAt(r, start, i)) return absent();
      const { pos } = r;
      const value = get(r, depth);
      if (isAbsent(value)) throw notCanonical(pos);
      return value;
    };
  }

  #union(node: UnionNode): Get {
    const { arms, discriminator } = node;
    const compiled: (Get | undefined)[] = arms.map(() => undefined);
    return (r, depth) => {
      checkDepth(r, depth + 1);
      const index = readIndex(r, arms.length);
      const { name, struct } = arms[index]!;
      const get = (compiled[index] ??= this.#compile(struct, [[discriminator, name]]));
      return get(r, depth + 1);
    };
  }

  #array(node: ListNode): Get {
    const { element } = node;
    if (element.kind === "bool") return bitListReader(node, undefined);
    if (element.kind === "nullable") return bitListReader(node, this.get(element.value));
    const Class = typedArrayOf(element, this.#settings);
    if (Class !== undefined) return numbersReader(node, (r, count) => readTypedArray(r, count, Class));
    const numbers = this.#settings.int64 === "number" && SAFE.has(element.kind) ? undefined : NUMBERS.get(element.kind);
    return numbers !== undefined ? numbersReader(node, numbers) : listReader(node, this.get(element));
  }

  #map(node: MapNode): Get {
    const answer = isObjectMap(node, this.#settings) ? Object.fromEntries : unchanged;
    return mapReader(node, this.wide(node.key), this.get(node.value), answer);
  }
}

function unchanged<T>(value: T): T {
  return value;
}
