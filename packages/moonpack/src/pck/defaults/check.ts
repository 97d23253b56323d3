/** Is JSON a value of a type? Found out in work that grows with the JSON alone, however many fields it leaves out. */
import { DEFAULT_MAX_DEPTH } from "../../bytes/limits.js";
import { checkNesting, GrowingPackWriter, notOfType, refuse } from "../../bytes/pack-writer.js";
import { armNamed, fromJson } from "../codec/json.js";
import type { MapNode } from "../codec/read-containers.js";
import type { EncoderCompiler, Put } from "../codec/write.js";
import type { Member, Node, Struct, UnionNode } from "../model/model.js";

/** What is looked up of a struct. */
interface Fields {
  readonly byName: ReadonlyMap<string, Member>;
  /** How many are required. */
  readonly required: number;
}

/** Checks values in the JSON form; what holds no struct is checked by writing it. */
export class JsonChecker {
  readonly #encoders: EncoderCompiler;
  readonly #writer = new GrowingPackWriter(64, DEFAULT_MAX_DEPTH);
  readonly #fields = new Map<Struct, Fields>();
  readonly #puts = new Map<Node, Put>();

  constructor(encoders: EncoderCompiler) {
    this.#encoders = encoders;
  }

  /** A copy of the JSON, without what means nothing. Throws as the encoder would. `depth`: that of what it lies in. */
  checked(node: Node, json: unknown, depth: number): unknown {
    switch (node.kind) {
      case "ref":
        checkNesting(this.#writer, depth + 1);
        return Object.fromEntries(this.#struct(node.struct, json, depth + 1));
      case "union":
        checkNesting(this.#writer, depth + 1);
        return this.#union(node, json, depth + 1);
      case "array": {
        checkNesting(this.#writer, depth + 1);
        const list = listOf(json);
        if (node.length > 0 && list.length !== node.length) {
          throw refuse("ERR_OUT_OF_RANGE", `${list.length} elements, not ${node.length}`);
        }
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

  /** Answers what it was written from. */
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
    for (const [name, value] of Object.entries(recordOf(json))) {
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
    const { discriminator } = node;
    const object = recordOf(json);
    const name = Object.hasOwn(object, discriminator) ? object[discriminator] : undefined;
    const struct = armNamed(node, name);
    if (struct === undefined) {
      throw typeof name === "string" ? refuse("ERR_OUT_OF_RANGE", "unknown arm") : notOfType("a name", name);
    }
    return Object.fromEntries([[discriminator, name], ...this.#struct(struct, object, depth)]);
  }

  #map(node: MapNode, json: unknown, depth: number): unknown {
    const keys = new Set<unknown>();
    return listOf(json).map((pair: unknown) => {
      if (!Array.isArray(pair) || pair.length !== 2) throw notOfType("a pair", pair);
      const key = this.#leaf(node.key, pair[0]);
      if (keys.has(key)) throw refuse("ERR_DUPLICATE_KEY", "a key is there twice");
      keys.add(key);
      return [pair[0], this.checked(node.value, pair[1], depth)];
    });
  }
}

function recordOf(json: unknown): { readonly [name: string]: unknown } {
  if (typeof json === "object" && json !== null && !Array.isArray(json)) return json as Record<string, unknown>;
  throw notOfType("an object", json);
}

function listOf(json: unknown): readonly unknown[] {
  if (Array.isArray(json)) return json;
  throw notOfType("a list", json);
}
