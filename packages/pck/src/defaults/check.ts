/** Checks whether JSON is a value of a type. The work is linear in the JSON, however many fields it leaves out. */
import { DEFAULT_MAX_DEPTH, keyFlood, MAX_KEYS, recordOf } from "moonpack/bytes";
import type { Put } from "../closures/closure.js";
import type { EncoderCompiler } from "../closures/write.js";
import { armOf, checkKey, fromJson, jsonList, jsonObject, jsonPair } from "../json/values.js";
import type { MapNode, Member, Node, Struct, UnionNode } from "../model/model.js";
import { checkNesting, expectLength, GrowingPackWriter, notOfType } from "../runtime/writer.js";

/** The fields of a struct, for lookups. */
interface Fields {
  readonly byName: ReadonlyMap<string, Member>;
  /** Number of required fields. */
  readonly required: number;
}

/** Checks values in the JSON form. Numbers, text and bytes are checked by encoding them. */
export class JsonChecker {
  readonly #encoders: EncoderCompiler;
  readonly #writer = new GrowingPackWriter(64, DEFAULT_MAX_DEPTH);
  readonly #fields = new Map<Struct, Fields>();
  readonly #puts = new Map<Node, Put>();

  constructor(encoders: EncoderCompiler) {
    this.#encoders = encoders;
  }

  /**
   * Returns a copy of the JSON, without properties that are not fields. Throws the encoder's errors, without a path.
   * `depth`: depth of the struct or container around it.
   */
  checked(node: Node, json: unknown, depth: number): unknown {
    switch (node.kind) {
      case "ref":
        checkNesting(this.#writer, depth + 1);
        return recordOf(this.#struct(node.struct, json, depth + 1));
      case "union":
        checkNesting(this.#writer, depth + 1);
        return this.#union(node, json, depth + 1);
      case "array": {
        checkNesting(this.#writer, depth + 1);
        const list = jsonList(json);
        if (node.length > 0) expectLength(list.length, node.length);
        return list.map((item: unknown) => this.checked(node.element, item, depth + 1));
      }
      case "map":
        checkNesting(this.#writer, depth + 1);
        return this.#map(node, json, depth + 1);
      case "nullable":
        return json === null ? null : this.checked(node.value, json, depth);
      default:
        this.#leaf(node, json);
        return json;
    }
  }

  /** Checks a value by encoding it, and returns it. */
  #leaf(node: Node, json: unknown): unknown {
    const value = fromJson(node, json, 0);
    const put = this.#puts.get(node) ?? (this.#encoders.put(node) as Put);
    this.#puts.set(node, put);
    this.#writer.pos = 0;
    put(this.#writer, value as never, 0);
    return value;
  }

  #struct(struct: Struct, json: unknown, depth: number): [string, unknown][] {
    const { byName, required } = this.#fieldsOf(struct);
    const entries: [string, unknown][] = [];
    let missing = required;
    for (const [name, value] of Object.entries(jsonObject(json))) {
      const member = byName.get(name);
      if (member === undefined || value === undefined) continue;
      if (!member.isOptional) missing--;
      const isAbsent = value === null && member.omit.has("null");
      entries.push([name, isAbsent ? null : this.checked(member.type, value, depth)]);
    }
    if (missing > 0) throw notOfType("every required field", undefined);
    return entries;
  }

  #fieldsOf(struct: Struct): Fields {
    const known = this.#fields.get(struct);
    if (known !== undefined) return known;
    const { members } = struct;
    const fields = {
      byName: new Map(members.map((member) => [member.name, member])),
      required: members.filter((member) => !member.isOptional).length,
    };
    this.#fields.set(struct, fields);
    return fields;
  }

  #union(node: UnionNode, json: unknown, depth: number): unknown {
    const object = jsonObject(json);
    const [name, struct] = armOf(node, object);
    return recordOf([[node.discriminator, name], ...this.#struct(struct, object, depth)]);
  }

  #map(node: MapNode, json: unknown, depth: number): unknown {
    const keys = new Set<unknown>();
    const entries = jsonList(json, MAX_KEYS);
    const flood = keyFlood(entries.length);
    return entries.map((pair: unknown) => {
      const [json, value] = jsonPair(pair);
      const key = this.#leaf(node.key, json);
      checkKey(keys, key, flood);
      keys.add(key);
      return [json, this.checked(node.value, value, depth)];
    });
  }
}
