/**
 * Decoders as closures: one for each type, made once for a codec; structs when they are first met in bytes. They are the
 * measure for the order of errors: what generated decoders refuse, they refuse with the same code at the same byte.
 */
import {
  bitAt,
  checkDepth,
  type PackReader,
  readAsciiText,
  readBinary,
  readBinaryView,
  readBitCount,
  readBits,
  readCount,
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
import { type Member, minBytesOf, type Node, type Struct, type UnionNode } from "../model/model.js";
import { absenceOf, absentValueOf, isObjectMap, typedArrayOf } from "./presence.js";
import type { CodecSettings } from "./settings.js";
import { comparisonOf } from "./write.js";

/** Reads a value of one type that lies in a struct or container at `depth`. */
export type Get = (r: PackReader, depth: number) => unknown;

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

  constructor(settings: CodecSettings) {
    this.#settings = settings;
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
        return node.element.kind === "bool" || node.element.kind === "nullable" ? this.#bits(node) : this.#array(node);
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
    return (r, depth) => {
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

  #array(node: Node & { readonly kind: "array" }): Get {
    const { element, length } = node;
    const get = this.get(element);
    const min = minBytesOf(element);
    const Typed = typedArrayOf(element, this.#settings);
    return (r, depth) => {
      checkDepth(r, depth + 1);
      const count = length === 0 ? readCount(r, min) : length;
      const owedEach = length === 0 ? min : 0;
      // A fixed length may be more than there is: nothing is allocated ahead of the bytes.
      const typed = Typed === undefined || count * min > r.end - r.pos ? undefined : new Typed(count);
      const list: unknown[] = [];
      r.owed += count * owedEach;
      for (let i = 0; i < count; i++) {
        r.owed -= owedEach;
        const item = get(r, depth + 1);
        if (typed === undefined) list.push(item);
        else typed[i] = item as number;
      }
      return typed ?? list;
    };
  }

  /** A list of bools or nullables, whose bits come before all else. */
  #bits(node: Node & { readonly kind: "array" }): Get {
    const { element, length } = node;
    const get = element.kind === "nullable" ? this.get(element.value) : undefined;
    return (r, depth) => {
      checkDepth(r, depth + 1);
      const count = length === 0 ? readBitCount(r) : length;
      const start = readBits(r, count);
      const list: unknown[] = [];
      for (let i = 0; i < count; i++) {
        const bit = bitAt(r, start, i);
        list.push(get === undefined ? bit : bit ? get(r, depth + 1) : null);
      }
      return list;
    };
  }

  #map(node: Node & { readonly kind: "map" }): Get {
    const key = this.#settings.int64 === "number" ? wideKey(node.key) : undefined;
    const getKey = key ?? this.get(node.key);
    const getValue = this.get(node.value);
    const compare = comparisonOf(node.key);
    const min = minBytesOf(node.key) + minBytesOf(node.value);
    const isObject = isObjectMap(node, this.#settings);
    return (r, depth) => {
      checkDepth(r, depth + 1);
      const count = readCount(r, min);
      r.owed += count * min;
      const map = new Map<unknown, unknown>();
      let last: unknown;
      for (let i = 0; i < count; i++) {
        r.owed -= min;
        const { pos } = r;
        const key = getKey(r, depth + 1);
        if (i > 0 && compare(last, key) >= 0) throw refused("ERR_MAP_ORDER", "keys that do not ascend", pos);
        last = key;
        map.set(key, getValue(r, depth + 1));
      }
      return isObject ? Object.fromEntries(map) : map;
    };
  }
}

/** 64-bit keys are bigints always. */
function wideKey(key: Node): Get | undefined {
  return SAFE.has(key.kind) ? (SIMPLE[key.kind as "u64"] as Get) : undefined;
}

/** Makes objects that have all properties, in the order of their declaration, so that they are of one hidden class. */
function creator(
  struct: Struct,
  first: readonly (readonly [string, unknown])[],
  settings: CodecSettings,
): () => Record<string, unknown> {
  const prototype = settings.classes.get(struct.schema);
  const template = Object.fromEntries([...first, ...struct.members.map((member) => [member.name, undefined] as const)]);
  if (prototype === undefined) return () => ({ ...template });
  const descriptors = Object.getOwnPropertyDescriptors(template);
  return () => Object.create(prototype, descriptors);
}
