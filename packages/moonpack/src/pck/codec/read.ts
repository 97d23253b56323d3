/**
 * Decoders as closures: one for each type, made once for a codec; structs when they are first met in bytes. They are the
 * measure for the order of errors: what generated decoders refuse, they refuse with the same code at the same byte.
 */
import {
  bitAt,
  checkDepth,
  readAsciiText,
  readBinary,
  readBinaryView,
  readBits,
  readF32,
  readF64,
  readFlag,
  readI8,
  readI16,
  readI32,
  readI64,
  readIndex,
  readIvar,
  readIvar64,
  readSafeI64,
  readSafeIvar64,
  readSafeU64,
  readSafeUvar64,
  readText,
  readU8,
  readU16,
  readU32,
  readU64,
  readUvar,
  readUvar64,
  refused,
} from "../../bytes/pack-reader.js";
import type { Member, Node, Struct, UnionNode } from "../model/model.js";
import { RECURSIVE_DEPTH, runDeep } from "./deep.js";
import { creator } from "./objects.js";
import { absenceOf, absentValueOf, isObjectMap, typedArrayOf } from "./presence.js";
import { bitListReader, type Get, type ListNode, listReader, type MapNode, mapReader } from "./read-containers.js";
import { DeepReader } from "./read-deep.js";
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
        return (r, depth) => this.struct(struct)(r, depth + 1);
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
    const create = creator(struct, first, this.#settings);
    const optionals = struct.optionals.map((member) => ({
      ...this.#field(member),
      isAbsent: absenceOf(member, this.#settings),
      absent: absentValueOf(member, this.#settings),
    }));
    const bools = struct.bools.map((member) => member.name);
    const required = [...struct.fixed, ...struct.dynamic].map((member) => this.#field(member));
    const bits = optionals.length + bools.length;
    const of = first.length === 0 ? struct : first;
    return (r, depth) => {
      if (depth > RECURSIVE_DEPTH) return runDeep(this.#deep.struct(r, struct, depth, of, first));
      checkDepth(r, depth);
      const start = bits === 0 ? 0 : readBits(r, bits);
      const value = create();
      // Loops by index: iterators cost half of the time of a small struct.
      for (let i = 0; i < bools.length; i++) value[bools[i]!] = bitAt(r, start, optionals.length + i);
      for (let i = 0; i < required.length; i++) {
        const { name, get } = required[i]!;
        value[name] = get(r, depth);
      }
      for (let i = 0; i < optionals.length; i++) {
        const { name, get, isAbsent, absent } = optionals[i]!;
        if (!bitAt(r, start, i)) {
          value[name] = absent();
          continue;
        }
        const { pos } = r;
        const member = get(r, depth);
        if (isAbsent(member)) throw refused("ERR_NOT_CANONICAL", "a field that is present and means absent", pos);
        value[name] = member;
      }
      return value;
    };
  }

  #field(member: Member): { name: string; get: Get } {
    return { name: member.name, get: this.get(member.type) };
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
    return listReader(node, this.get(element), typedArrayOf(element, this.#settings));
  }

  #map(node: MapNode): Get {
    const answer = isObjectMap(node, this.#settings) ? Object.fromEntries : unchanged;
    return mapReader(node, this.wide(node.key), this.get(node.value), answer);
  }
}

function unchanged<T>(value: T): T {
  return value;
}
