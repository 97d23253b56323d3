/**
 * Writes structs that are nested deeper than recursion may go: slower than write.ts, with the same bytes and errors.
 */
import { pathStep } from "moonpack/bytes";
import type { ListNode, MapNode, Node, NullableNode, Struct, UnionNode } from "../model/model.js";
import { listOf, objectOf } from "../runtime/value-kinds.js";
import { writeFlag, writeIndex, writeUvar } from "../runtime/write-numbers.js";
import {
  checkNesting,
  expectLength,
  keyStep,
  notOfType,
  openBits,
  type PackWriter,
  setBit,
  within,
} from "../runtime/writer.js";
import type { CodecSettings } from "../settings.js";
import { absenceOf } from "./absence.js";
import type { ValueEncoders } from "./closure.js";
import { holdsStructs, type Task } from "./trampoline.js";
import { entriesReader, propertyNamed, propertyOf, writePresence } from "./value-access.js";

/** Writes the structs of a model as tasks. */
export class DeepWriter {
  readonly #settings: CodecSettings;
  /** Writes values that contain no structs. */
  readonly #encoders: ValueEncoders;

  constructor(settings: CodecSettings, encoders: ValueEncoders) {
    this.#settings = settings;
    this.#encoders = encoders;
  }

  /** Writes a struct whose own depth is `depth`. */
  *struct(w: PackWriter, struct: Struct, value: object, depth: number): Task {
    checkNesting(w, depth);
    const { optionals, bools } = struct;
    let step = "";
    const memberOf = (name: string): unknown => {
      step = pathStep(name);
      return propertyOf(value, propertyNamed(name));
    };
    try {
      const start = openBits(w, optionals.length + bools.length);
      const present: unknown[] = [];
      for (const [i, member] of optionals.entries()) {
        const field = memberOf(member.name);
        const isAbsent = absenceOf(member, this.#settings)(field);
        present.push(isAbsent ? undefined : field);
        if (!isAbsent) setBit(w, start, i);
      }
      for (const [i, { name }] of bools.entries()) {
        const field = memberOf(name);
        if (typeof field !== "boolean") throw notOfType("a boolean", field);
        if (field) setBit(w, start, optionals.length + i);
      }
      for (const { name, type } of [...struct.fixed, ...struct.dynamic]) {
        yield this.#value(w, type, memberOf(name), depth);
      }
      for (const [i, { name, type }] of optionals.entries()) {
        if (present[i] === undefined) continue;
        step = pathStep(name);
        yield this.#value(w, type, present[i], depth);
      }
    } catch (error) {
      throw within(error, step);
    }
    return undefined;
  }

  /** Writes a value within a struct or container at `depth`. */
  *#value(w: PackWriter, node: Node, value: unknown, depth: number): Task {
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
        const isPresent = value !== null && value !== undefined;
        writeFlag(w, isPresent);
        return isPresent ? yield this.#value(w, (node as NullableNode).value, value, depth) : undefined;
      }
    }
  }

  *#union(w: PackWriter, { arms, places, discriminator }: UnionNode, value: unknown, depth: number): Task {
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

  *#list(w: PackWriter, { element, length }: ListNode, value: unknown, depth: number): Task {
    const list = listOf(value as readonly unknown[]);
    checkNesting(w, depth);
    const count = list.length;
    if (length === 0) writeUvar(w, count);
    else expectLength(count, length);
    const isNullable = element.kind === "nullable";
    const inner = isNullable ? element.value : element;
    let i = 0;
    try {
      const items = isNullable ? writePresence(w, list, count) : list;
      for (; i < count; i++) {
        if (!isNullable || items[i] !== undefined) yield this.#value(w, inner, items[i], depth);
      }
    } catch (error) {
      throw within(error, `[${i}]`);
    }
    return undefined;
  }

  *#map(w: PackWriter, node: MapNode, value: unknown, depth: number): Task {
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
