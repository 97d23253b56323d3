/**
 * Reads structs that are nested deeper than recursion may go: slower than read.ts, with the same checks in the same
 * order.
 */
import { recordOf } from "moonpack/bytes";
import type { Node, NullableNode, Struct, UnionNode } from "../model/model.js";
import { Weights } from "../model/weights.js";
import {
  bitAt,
  checkDepth,
  countElements,
  notCanonical,
  type PackReader,
  readBits,
  readIndex,
  readPresent,
} from "../runtime/reader.js";
import type { CodecSettings } from "../settings.js";
import { absenceOf, absentValueOf } from "./absence.js";
import type { ValueDecoders } from "./closure.js";
import { creator } from "./objects.js";
import { readDeepList, readDeepMap } from "./read-deep-containers.js";
import { isObjectMap } from "./representation.js";
import { holdsStructs, type Task } from "./trampoline.js";

type Create = () => Record<string, unknown>;

/** Reads the structs of a model as tasks. */
export class DeepReader {
  readonly #settings: CodecSettings;
  /** Reads values that contain no structs. */
  readonly #decoders: ValueDecoders;
  readonly #weights: Weights;
  /** By struct; by arm where the object has a discriminator. */
  readonly #creators = new Map<object, Create>();

  constructor(settings: CodecSettings, decoders: ValueDecoders) {
    this.#settings = settings;
    this.#weights = new Weights(settings);
    this.#decoders = decoders;
  }

  /**
   * Reads a struct whose own depth is `depth`. For a union's arm, `first` has the properties before the fields and `of`
   * identifies the arm.
   */
  *struct(
    r: PackReader,
    struct: Struct,
    depth: number,
    of: object = struct,
    first: readonly (readonly [string, unknown])[] = [],
  ): Task {
    checkDepth(r, depth);
    const { optionals, bools } = struct;
    const start = readBits(r, optionals.length + bools.length);
    const value = this.#create(struct, of, first);
    for (const [i, { name }] of bools.entries()) value[name] = bitAt(r, start, optionals.length + i);
    for (const { name, type } of [...struct.fixed, ...struct.dynamic]) value[name] = yield this.#value(r, type, depth);
    for (const [i, member] of optionals.entries()) {
      const { name, type } = member;
      if (!bitAt(r, start, i)) {
        value[name] = absentValueOf(member, this.#settings)();
        continue;
      }
      const { pos } = r;
      countElements(r, this.#weights.present(type));
      value[name] = yield this.#value(r, type, depth);
      if (absenceOf(member, this.#settings)(value[name])) throw notCanonical(pos);
    }
    return value;
  }

  #create(struct: Struct, of: object, first: readonly (readonly [string, unknown])[]): Record<string, unknown> {
    const create = this.#creators.get(of) ?? creator(struct, first, this.#settings);
    this.#creators.set(of, create);
    return create();
  }

  /** Reads a value within a struct or container at `depth`. */
  *#value(r: PackReader, node: Node, depth: number): Task {
    if (!holdsStructs(node)) return this.#decoders.get(node)(r, depth);
    const inner = depth + 1;
    switch (node.kind) {
      case "ref":
        return yield this.struct(r, node.struct, inner);
      case "union":
        return yield this.#union(r, node, inner);
      case "array": {
        const { element } = node;
        const item = element.kind === "nullable" ? element.value : element;
        return yield readDeepList(r, node, this.#weights, inner, () => this.#value(r, item, inner));
      }
      case "map": {
        const get = () => this.#value(r, node.value, inner);
        const map = yield readDeepMap(r, node, this.#weights, inner, this.#decoders.key(node.key), get);
        return isObjectMap(node, this.#settings) ? recordOf(map as Map<string, unknown>) : map;
      }
      default: {
        const { value } = node as NullableNode;
        return readPresent(r, this.#weights.nullable(value)) ? yield this.#value(r, value, depth) : null;
      }
    }
  }

  *#union(r: PackReader, { arms, discriminator }: UnionNode, depth: number): Task {
    checkDepth(r, depth);
    const arm = arms[readIndex(r, arms.length)]!;
    countElements(r, this.#weights.struct(arm.struct));
    return yield this.struct(r, arm.struct, depth, arm, [[discriminator, arm.name]]);
  }
}
