/** Reading structs that are nested deeper than recursion may go: slower than read.ts, with the same checks in the same order. */
import {
  bitAt,
  checkDepth,
  type PackReader,
  readBitCount,
  readBits,
  readCount,
  readFlag,
  readIndex,
  refused,
} from "../../bytes/pack-reader.js";
import { minBytesOf, type Node, type Struct, type UnionNode } from "../model/model.js";
import { type Deep, holdsStructs } from "./deep.js";
import { creator } from "./objects.js";
import { absenceOf, absentValueOf, isObjectMap } from "./presence.js";
import type { DecoderCompiler } from "./read.js";
import type { ListNode, MapNode } from "./read-containers.js";
import type { CodecSettings } from "./settings.js";
import { comparisonOf } from "./write.js";

type Create = () => Record<string, unknown>;

/** Reads the structs of a model. */
export class DeepReader {
  readonly #settings: CodecSettings;
  /** Reads what holds no structs. */
  readonly #decoders: DecoderCompiler;
  /** By struct, or by arm: it has its discriminator. */
  readonly #creators = new Map<object, Create>();

  constructor(settings: CodecSettings, decoders: DecoderCompiler) {
    this.#settings = settings;
    this.#decoders = decoders;
  }

  /** A struct that lies at `depth` itself; `first`: properties that come before the fields. */
  *struct(
    r: PackReader,
    struct: Struct,
    depth: number,
    of: object = struct,
    first: readonly (readonly [string, unknown])[] = [],
  ): Deep {
    checkDepth(r, depth);
    const { optionals, bools } = struct;
    const start = readBits(r, optionals.length + bools.length);
    const value = this.#create(struct, of, first);
    for (const [i, { name }] of bools.entries()) value[name] = bitAt(r, start, optionals.length + i);
    for (const { name, type } of struct.fixed) value[name] = yield this.#value(r, type, depth);
    for (const { name, type } of struct.dynamic) value[name] = yield this.#value(r, type, depth);
    for (const [i, member] of optionals.entries()) {
      const { name, type } = member;
      if (!bitAt(r, start, i)) {
        value[name] = absentValueOf(member, this.#settings)();
        continue;
      }
      const { pos } = r;
      value[name] = yield this.#value(r, type, depth);
      if (absenceOf(member, this.#settings)(value[name])) {
        throw refused("ERR_NOT_CANONICAL", "a field that is present and means absent", pos);
      }
    }
    return value;
  }

  #create(struct: Struct, of: object, first: readonly (readonly [string, unknown])[]): Record<string, unknown> {
    const create = this.#creators.get(of) ?? creator(struct, first, this.#settings);
    this.#creators.set(of, create);
    return create();
  }

  /** A value that lies in a struct or container at `depth`. */
  *#value(r: PackReader, node: Node, depth: number): Deep {
    if (!holdsStructs(node)) return this.#decoders.get(node)(r, depth);
    switch (node.kind) {
      case "ref":
        return yield this.struct(r, node.struct, depth + 1);
      case "union":
        return yield this.#union(r, node, depth + 1);
      case "array":
        return yield this.#list(r, node, depth + 1);
      case "map":
        return yield this.#map(r, node, depth + 1);
      default:
        return readFlag(r) ? yield this.#value(r, (node as Node & { readonly kind: "nullable" }).value, depth) : null;
    }
  }

  *#union(r: PackReader, { arms, discriminator }: UnionNode, depth: number): Deep {
    checkDepth(r, depth);
    const arm = arms[readIndex(r, arms.length)]!;
    return yield this.struct(r, arm.struct, depth, arm, [[discriminator, arm.name]]);
  }

  *#list(r: PackReader, { element, length }: ListNode, depth: number): Deep {
    checkDepth(r, depth);
    const list: unknown[] = [];
    if (element.kind === "nullable") {
      const count = length === 0 ? readBitCount(r) : length;
      const start = readBits(r, count);
      for (let i = 0; i < count; i++) list.push(bitAt(r, start, i) ? yield this.#value(r, element.value, depth) : null);
      return list;
    }
    const min = length === 0 ? minBytesOf(element) : 0;
    const count = length === 0 ? readCount(r, min) : length;
    r.owed += count * min;
    for (let i = 0; i < count; i++) {
      r.owed -= min;
      list.push(yield this.#value(r, element, depth));
    }
    return list;
  }

  *#map(r: PackReader, node: MapNode, depth: number): Deep {
    checkDepth(r, depth);
    const min = minBytesOf(node.key) + minBytesOf(node.value);
    const count = readCount(r, min);
    const getKey = this.#decoders.wide(node.key);
    const compare = comparisonOf(node.key);
    const map = new Map<unknown, unknown>();
    let last: unknown;
    r.owed += count * min;
    for (let i = 0; i < count; i++) {
      r.owed -= min;
      const { pos } = r;
      const key = getKey(r, depth);
      if (i > 0 && compare(last, key) >= 0) throw refused("ERR_MAP_ORDER", "keys that do not ascend", pos);
      last = key;
      map.set(key, yield this.#value(r, node.value, depth));
    }
    return isObjectMap(node, this.#settings) ? Object.fromEntries(map) : map;
  }
}
