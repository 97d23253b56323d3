/**
 * Values in JSON, for vectors, defaults and people (docs/pck-format.md, "Values in JSON"). With a stack on the heap: JSON may
 * be nested deeper than recursion may go.
 */
import { pathStep } from "../../bytes/errors.js";
import { keyStep, notOfType, refuse, within } from "../../bytes/pack-writer.js";
import type { Node, Struct, UnionNode } from "../model/model.js";
import { fromBase64, toBase64 } from "./base64.js";
import { type Deep, runDeep } from "./deep.js";
import type { MapNode } from "./read-containers.js";

const INTEGER = /^(?:0|-?[1-9][0-9]{0,19})$/;
const WIDE: ReadonlySet<string> = /* @__PURE__ */ new Set(["u64", "i64", "uvar64", "ivar64"]);
const FLOATS: ReadonlySet<string> = /* @__PURE__ */ new Set(["f32", "f64"]);
const OPEN: ReadonlySet<string> = /* @__PURE__ */ new Set(["ref", "union", "array", "map", "nullable"]);

type JsonObject = Record<string, unknown>;

/** The JSON form of a value as `decode` gives it with the default options. */
export function toJson(node: Node, value: unknown): unknown {
  return OPEN.has(node.kind) ? runDeep(openToJson(node, value)) : leafToJson(node, value);
}

/** The JSON form of a struct. */
export function structToJson(struct: Struct, value: JsonObject): JsonObject {
  return runDeep(membersToJson(struct, value)) as JsonObject;
}

function leafToJson(node: Node, value: unknown): unknown {
  if (WIDE.has(node.kind)) return String(value);
  if (FLOATS.has(node.kind)) return Object.is(value, -0) ? "-0" : Number.isFinite(value) ? value : String(value);
  return node.kind === "bytes" ? toBase64(value as Uint8Array) : value;
}

function* membersToJson(struct: Struct, value: JsonObject, arm?: readonly [string, string]): Deep {
  const entries: (readonly [string, unknown])[] = arm === undefined ? [] : [arm];
  for (const { name, type } of struct.members) {
    const member = value[name];
    if (member === null || !OPEN.has(type.kind))
      entries.push([name, member === null ? null : leafToJson(type, member)]);
    else entries.push([name, yield openToJson(type, member)]);
  }
  return Object.fromEntries(entries);
}

function* openToJson(node: Node, value: unknown): Deep {
  switch (node.kind) {
    case "ref":
      return yield membersToJson(node.struct, value as JsonObject);
    case "union": {
      const object = value as JsonObject;
      const name = object[node.discriminator] as string;
      return yield membersToJson(armNamed(node, name)!, object, [node.discriminator, name]);
    }
    case "array": {
      const list: unknown[] = [];
      for (const item of value as Iterable<unknown>) list.push(yield openToJson(node.element, item));
      return list;
    }
    case "map": {
      const pairs: [unknown, unknown][] = [];
      for (const [key, item] of value as Map<unknown, unknown>) {
        pairs.push([leafToJson(node.key, key), yield openToJson(node.value, item)]);
      }
      return pairs;
    }
    case "nullable":
      return value === null ? null : yield openToJson(node.value, value);
    default:
      return leafToJson(node, value);
  }
}

/** The struct of an arm of this name. */
export function armNamed({ arms, places }: UnionNode, name: unknown): Struct | undefined {
  return arms[places.get(name as string) ?? -1]?.struct;
}

/** What a JSON form stands for, nested so deep at most; what it is worth is looked at when it is written. */
export function fromJson(node: Node, json: unknown, left: number): unknown {
  return runDeep(jsonValue(node, json, left));
}

/** What the JSON form of a struct stands for; missing fields stay so. */
export function structFromJson(struct: Struct, json: unknown, left: number): JsonObject {
  return runDeep(membersFromJson(struct, json, left)) as JsonObject;
}

function leafFromJson(node: Node, json: unknown): unknown {
  if (WIDE.has(node.kind)) {
    if (typeof json === "string" && INTEGER.test(json)) return BigInt(json);
    throw notOfType("a decimal string", json);
  }
  if (FLOATS.has(node.kind) && typeof json === "string") {
    if (json === "NaN" || json === "Infinity" || json === "-Infinity" || json === "-0") return Number(json);
    throw notOfType("a number", json);
  }
  if (node.kind !== "bytes") return json;
  const bytes = typeof json === "string" ? fromBase64(json) : null;
  if (bytes === null) throw notOfType("padded base64", json);
  return bytes;
}

function* jsonValue(node: Node, json: unknown, left: number): Deep {
  if (left < 0) throw refuse("ERR_LIMIT_DEPTH", "nested too deeply");
  switch (node.kind) {
    case "ref":
      return yield membersFromJson(node.struct, json, left - 1);
    case "union":
      return yield armFromJson(node, recordOf(json), left - 1);
    case "array": {
      const list: unknown[] = [];
      for (const item of listOf(json)) {
        try {
          list.push(yield jsonValue(node.element, item, left - 1));
        } catch (error) {
          throw within(error, `[${list.length}]`);
        }
      }
      return list;
    }
    case "map":
      return yield mapFromJson(node, json, left - 1);
    case "nullable":
      return json === null ? null : yield jsonValue(node.value, json, left);
    default:
      return leafFromJson(node, json);
  }
}

function* armFromJson(node: UnionNode, object: JsonObject, left: number): Deep {
  const { discriminator } = node;
  const name = Object.hasOwn(object, discriminator) ? object[discriminator] : undefined;
  const struct = armNamed(node, name);
  if (struct === undefined) {
    const refusal = typeof name === "string" ? refuse("ERR_OUT_OF_RANGE", "unknown arm") : notOfType("a name", name);
    throw within(refusal, pathStep(discriminator));
  }
  return yield membersFromJson(struct, object, left, [discriminator, name as string]);
}

function* mapFromJson(node: MapNode, json: unknown, left: number): Deep {
  const map = new Map<unknown, unknown>();
  for (const [i, pair] of listOf(json).entries()) {
    let step = `[${i}]`;
    try {
      if (!Array.isArray(pair) || pair.length !== 2) throw notOfType("a pair", pair);
      const key = leafFromJson(node.key, pair[0]);
      step = keyStep(key);
      if (map.has(key)) throw refuse("ERR_DUPLICATE_KEY", "a key is there twice");
      map.set(key, yield jsonValue(node.value, pair[1], left));
    } catch (error) {
      throw within(error, step);
    }
  }
  return map;
}

function* membersFromJson(struct: Struct, json: unknown, left: number, arm?: readonly [string, string]): Deep {
  const object = recordOf(json);
  const entries: (readonly [string, unknown])[] = arm === undefined ? [] : [arm];
  for (const { name, type } of struct.members) {
    if (!Object.hasOwn(object, name)) continue;
    const member = object[name];
    try {
      entries.push([name, member === null ? null : yield jsonValue(type, member, left)]);
    } catch (error) {
      throw within(error, pathStep(name));
    }
  }
  return Object.fromEntries(entries);
}

function recordOf(json: unknown): JsonObject {
  if (typeof json === "object" && json !== null && !Array.isArray(json)) return json as JsonObject;
  throw notOfType("an object", json);
}

function listOf(json: unknown): readonly unknown[] {
  if (Array.isArray(json)) return json;
  throw notOfType("a list", json);
}
