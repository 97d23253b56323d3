/** Writing structs that are nested deeper than recursion may go: slower than write.ts, with the same bytes and errors. */
import { pathStep } from "../../bytes/errors.js";
import { listOf, objectOf } from "../../bytes/pack-values.js";
import { writeFlag, writeIndex, writeUvar } from "../../bytes/pack-write-numbers.js";
import {
  checkNesting,
  keyStep,
  notOfType,
  openBits,
  type PackWriter,
  refuse,
  setBit,
  within,
} from "../../bytes/pack-writer.js";
import type { Node, Struct, UnionNode } from "../model/model.js";
import { type Deep, holdsStructs } from "./deep.js";
import { entriesReader, presentOf, propertyNamed, propertyOf } from "./holders.js";
import { absenceOf } from "./presence.js";
import type { ListNode, MapNode } from "./read-containers.js";
import type { CodecSettings } from "./settings.js";
import type { EncoderCompiler } from "./write.js";

/** Writes the structs of a model. */
export class DeepWriter {
  readonly #settings: CodecSettings;
  /** Writes what holds no structs. */
  readonly #encoders: EncoderCompiler;

  constructor(settings: CodecSettings, encoders: EncoderCompiler) {
    this.#settings = settings;
    this.#encoders = encoders;
  }

  /** A struct that lies at `depth` itself. */
  *struct(w: PackWriter, struct: Struct, value: object, depth: number): Deep {
    checkNesting(w, depth);
    const { optionals, bools } = struct;
    let step = "";
    const memberOf = (name: string): unknown => {
      step = pathStep(name);
      return propertyOf(value, propertyNamed(name));
    };
    try {
      const start = openBits(w, optionals.length + bools.length);
      const held: unknown[] = [];
      for (const [i, member] of optionals.entries()) {
        const of = memberOf(member.name);
        const isAbsent = absenceOf(member, this.#settings)(of);
        held.push(isAbsent ? undefined : of);
        if (!isAbsent) setBit(w, start, i);
      }
      for (const [i, { name }] of bools.entries()) {
        const of = memberOf(name);
        if (typeof of !== "boolean") throw notOfType("a boolean", of);
        if (of) setBit(w, start, optionals.length + i);
      }
      for (const { name, type } of struct.fixed) yield this.#value(w, type, memberOf(name), depth);
      for (const { name, type } of struct.dynamic) yield this.#value(w, type, memberOf(name), depth);
      for (const [i, { name, type }] of optionals.entries()) {
        if (held[i] === undefined) continue;
        step = pathStep(name);
        yield this.#value(w, type, held[i], depth);
      }
    } catch (error) {
      throw within(error, step);
    }
    return undefined;
  }

  /** A value that lies in a struct or container at `depth`. */
  *#value(w: PackWriter, node: Node, value: unknown, depth: number): Deep {
    if (!holdsStructs(node)) {
      this.#encoders.put(node)(w, value, depth);
      return undefined;
    }
    switch (node.kind) {
      case "ref":
        return yield this.struct(w, node.struct, objectOf(value as object), depth + 1);
      case "union":
        return yield this.#union(w, node, value, depth + 1);
      case "array":
        return yield this.#list(w, node, value, depth + 1);
      case "map":
        return yield this.#map(w, node, value, depth + 1);
      default: {
        const isThere = value !== null && value !== undefined;
        writeFlag(w, isThere);
        const { value: inner } = node as Node & { readonly kind: "nullable" };
        return isThere ? yield this.#value(w, inner, value, depth) : undefined;
      }
    }
  }

  *#union(w: PackWriter, { arms, places, discriminator }: UnionNode, value: unknown, depth: number): Deep {
    const object = objectOf(value as object);
    checkNesting(w, depth);
    let arm: unknown;
    try {
      arm = propertyOf(object, propertyNamed(discriminator));
      writeIndex(w, arm as string, places);
    } catch (error) {
      throw within(error, pathStep(discriminator));
    }
    return yield this.struct(w, arms[places.get(arm as string)!]!.struct, object, depth);
  }

  *#list(w: PackWriter, { element, length }: ListNode, value: unknown, depth: number): Deep {
    const list = listOf(value as readonly unknown[]);
    checkNesting(w, depth);
    const count = list.length;
    if (length === 0) writeUvar(w, count);
    else if (count !== length) throw refuse("ERR_OUT_OF_RANGE", `${count} elements, not ${length}`);
    const isNullable = element.kind === "nullable";
    const inner = isNullable ? element.value : element;
    let i = 0;
    try {
      const items = isNullable ? presentOf(w, list, count) : list;
      for (; i < count; i++) {
        if (!isNullable || items[i] !== undefined) yield this.#value(w, inner, items[i], depth);
      }
    } catch (error) {
      throw within(error, `[${i}]`);
    }
    return undefined;
  }

  *#map(w: PackWriter, node: MapNode, value: unknown, depth: number): Deep {
    const putKey = this.#encoders.put(node.key);
    const entries = entriesReader(node, this.#settings)(value);
    checkNesting(w, depth);
    writeUvar(w, entries.length);
    let step = "";
    try {
      for (const [key, item] of entries) {
        step = keyStep(key);
        putKey(w, key, depth);
        yield this.#value(w, node.value, item, depth);
      }
    } catch (error) {
      throw within(error, step);
    }
    return undefined;
  }
}
