/**
 * The JSON form of values, for vectors, defaults and people (docs/pck-format.md, "Values in JSON"). Its functions run
 * as tasks of the trampoline: JSON may be nested deeper than recursion may go.
 */
import { pathStep } from "../../bytes/errors.js";
import { COLLIDING_KEYS, type KeyFlood, keyFlood } from "../../bytes/key-flood.js";
import { MAX_KEYS, MAX_LIST_ELEMENTS } from "../../bytes/limits.js";
import { recordOf } from "../../bytes/sparse.js";
import { runTask, type Task } from "../closures/trampoline.js";
import { isWide, type MapNode, type Member, type Node, type Struct, type UnionNode } from "../model/model.js";
import { unknownName } from "../runtime/write-numbers.js";
import { duplicateKey, keyStep, notOfType, refuse, within } from "../runtime/writer.js";
import { fromBase64, toBase64 } from "./base64.js";

const INTEGER = /^(?:0|-?[1-9][0-9]{0,19})$/;
/** Kinds of keys that are strings. */
const TEXTS: ReadonlySet<string> = /* @__PURE__ */ new Set(["utf8", "ascii", "enumeration"]);
/** Kinds whose values contain other values. */
const NESTED: ReadonlySet<string> = /* @__PURE__ */ new Set(["ref", "union", "array", "map", "nullable"]);

/**
 * When a struct has more than this many times the fields that an object has, the object's properties are looked up among the fields.
 * Otherwise, and for structs of up to this many fields, each field is looked up in the object.
 */
const SPARSE_RATIO = 8;

type JsonObject = Record<string, unknown>;

/** Returns the JSON form of a value, given as `decode` returns it with the default options. */
export function toJson(node: Node, value: unknown): unknown {
  return NESTED.has(node.kind) ? runTask(nestedToJson(node, value)) : leafToJson(node, value);
}

/** Returns the JSON form of a struct. */
export function structToJson(struct: Struct, value: JsonObject): JsonObject {
  return runTask(membersToJson(struct, value)) as JsonObject;
}

function isFloat(node: Node): boolean {
  return node.kind === "f32" || node.kind === "f64";
}

function leafToJson(node: Node, value: unknown): unknown {
  if (isWide(node.kind)) return String(value);
  if (isFloat(node)) return Object.is(value, -0) ? "-0" : Number.isFinite(value) ? value : String(value);
  return node.kind === "bytes" ? toBase64(value as Uint8Array) : value;
}

function* membersToJson(struct: Struct, value: JsonObject, arm?: readonly [string, string]): Task {
  const entries: (readonly [string, unknown])[] = arm === undefined ? [] : [arm];
  for (const { name, type } of struct.members) {
    const member = value[name];
    if (member === null || !NESTED.has(type.kind))
      entries.push([name, member === null ? null : leafToJson(type, member)]);
    else entries.push([name, yield nestedToJson(type, member)]);
  }
  return recordOf(entries);
}

function* nestedToJson(node: Node, value: unknown): Task {
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
      for (const item of value as Iterable<unknown>) list.push(yield nestedToJson(node.element, item));
      return list;
    }
    case "map": {
      const pairs: [unknown, unknown][] = [];
      for (const [key, item] of value as Map<unknown, unknown>) {
        pairs.push([leafToJson(node.key, key), yield nestedToJson(node.value, item)]);
      }
      return pairs;
    }
    case "nullable":
      return value === null ? null : yield nestedToJson(node.value, value);
    default:
      return leafToJson(node, value);
  }
}

function armNamed({ arms, places }: UnionNode, name: unknown): Struct | undefined {
  return arms[places.get(name as string) ?? -1]?.struct;
}

/**
 * Returns the name and the struct of the arm that a JSON object belongs to. `ERR_OUT_OF_RANGE`, `ERR_UNSUPPORTED_TYPE`.
 */
export function armOf(node: UnionNode, object: JsonObject): readonly [name: string, struct: Struct] {
  const { discriminator } = node;
  const name = Object.hasOwn(object, discriminator) ? object[discriminator] : undefined;
  const struct = armNamed(node, name);
  if (struct === undefined) throw within(unknownName(name), pathStep(discriminator));
  return [name as string, struct];
}

/** Returns the key and value of an entry in a map's JSON form. `ERR_UNSUPPORTED_TYPE`. */
export function jsonPair(json: unknown): readonly [key: unknown, value: unknown] {
  if (Array.isArray(json) && json.length === 2) return json as [unknown, unknown];
  throw notOfType("a pair", json);
}

/** Checks a key before it is added to `known`. `ERR_DUPLICATE_KEY`; `ERR_LIMIT_ELEMENTS` for keys chosen to collide. */
export function checkKey(known: { has(key: unknown): boolean }, key: unknown, flood: KeyFlood | null): void {
  if (known.has(key)) throw duplicateKey();
  if (flood?.isFull(key)) throw refuse("ERR_LIMIT_ELEMENTS", COLLIDING_KEYS);
}

/**
 * Returns the value of a JSON form, exactly as it is written: a default. `left`: how many levels of nesting are allowed.
 * The types of its values are checked only when they are written.
 */
export function fromJson(node: Node, json: unknown, left: number): unknown {
  return runTask(jsonValue(node, json, left, { objects: false, integers: false }));
}

/** Returns the value of a struct's JSON form. Missing fields stay missing. */
export function structFromJson(struct: Struct, json: unknown, left: number, integers: boolean): JsonObject {
  return runTask(membersFromJson(struct, json, left, { objects: true, integers })) as JsonObject;
}

/** What is read besides the form that is written. */
interface Form {
  /** Objects for maps with text keys. */
  readonly objects: boolean;
  /** Numbers and bigints for integers of 64 bits, and bigints for other numbers. */
  readonly integers: boolean;
}

function leafFromJson(node: Node, json: unknown, { integers }: Form): unknown {
  if (isWide(node.kind)) {
    if (typeof json === "string" && INTEGER.test(json)) return BigInt(json);
    // Of a number that is unsafe, or no integer, the encoder says so.
    if (integers && (typeof json === "bigint" || typeof json === "number"))
      return Number.isSafeInteger(json) ? BigInt(json) : json;
    throw notOfType("a decimal string", json);
  }
  if (integers && typeof json === "bigint" && BigInt(Number(json)) === json) return Number(json);
  if (isFloat(node) && typeof json === "string") {
    if (json === "NaN" || json === "Infinity" || json === "-Infinity" || json === "-0") return Number(json);
    throw notOfType("a number", json);
  }
  if (node.kind !== "bytes") return json;
  const bytes = typeof json === "string" ? fromBase64(json) : null;
  if (bytes === null) throw notOfType("padded base64", json);
  return bytes;
}

function* jsonValue(node: Node, json: unknown, left: number, form: Form): Task {
  if (left < 0) throw refuse("ERR_LIMIT_DEPTH", "nested too deeply");
  switch (node.kind) {
    case "ref":
      return yield membersFromJson(node.struct, json, left - 1, form);
    case "union":
      return yield armFromJson(node, jsonObject(json), left - 1, form);
    case "array": {
      const list: unknown[] = [];
      for (const item of jsonList(json)) {
        try {
          list.push(yield jsonValue(node.element, item, left - 1, form));
        } catch (error) {
          throw within(error, `[${list.length}]`);
        }
      }
      return list;
    }
    case "map":
      return yield mapFromJson(node, json, left - 1, form);
    case "nullable":
      return json === null ? null : yield jsonValue(node.value, json, left, form);
    default:
      return leafFromJson(node, json, form);
  }
}

function* armFromJson(node: UnionNode, object: JsonObject, left: number, form: Form): Task {
  const [name, struct] = armOf(node, object);
  return yield membersFromJson(struct, object, left, form, [node.discriminator, name]);
}

function* mapFromJson(node: MapNode, json: unknown, left: number, form: Form): Task {
  const map = new Map<unknown, unknown>();
  const entries =
    form.objects && TEXTS.has(node.key.kind) && isJsonObject(json) ? Object.entries(json) : jsonList(json, MAX_KEYS);
  const flood = keyFlood(entries.length);
  for (const [i, item] of entries.entries()) {
    let step = `[${i}]`;
    try {
      const pair = jsonPair(item);
      const key = leafFromJson(node.key, pair[0], form);
      step = keyStep(key);
      checkKey(map, key, flood);
      map.set(key, yield jsonValue(node.value, pair[1], left, form));
    } catch (error) {
      throw within(error, step);
    }
  }
  return map;
}

function* membersFromJson(
  struct: Struct,
  json: unknown,
  left: number,
  form: Form,
  arm?: readonly [string, string],
): Task {
  const object = jsonObject(json);
  const entries: (readonly [string, unknown])[] = arm === undefined ? [] : [arm];
  for (const { name, type } of membersIn(struct, object)) {
    const member = object[name];
    try {
      entries.push([name, member === null ? null : yield jsonValue(type, member, left, form)]);
    } catch (error) {
      throw within(error, pathStep(name));
    }
  }
  return recordOf(entries);
}

/** For each struct, the places of its fields in their declaration. */
const PLACES = /* @__PURE__ */ new WeakMap<Struct, ReadonlyMap<string, number>>();

/**
 * Returns the fields that an object has, in the order of their declaration. Looking for each field in each object costs time that
 * is not linear in the JSON: 1 MB of `{}` in a list of structs of 400 optional fields took 11 s.
 */
function membersIn(struct: Struct, object: JsonObject): readonly Member[] {
  const { members } = struct;
  const names = members.length > SPARSE_RATIO ? Object.getOwnPropertyNames(object) : null;
  if (names === null || names.length * SPARSE_RATIO > members.length)
    return members.filter(({ name }) => Object.hasOwn(object, name));
  let places = PLACES.get(struct);
  if (places === undefined) PLACES.set(struct, (places = new Map(members.map(({ name }, i) => [name, i]))));
  const found = names.map((name) => places.get(name)).filter((place) => place !== undefined);
  return found.sort((a, b) => a - b).map((place) => members[place]!);
}

/** True for JSON objects. */
export function isJsonObject(json: unknown): json is Readonly<JsonObject> {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

/** Returns the JSON if it is an object. `ERR_UNSUPPORTED_TYPE`. */
export function jsonObject(json: unknown): JsonObject {
  if (isJsonObject(json)) return json;
  throw notOfType("an object", json);
}

/** Returns the JSON if it is a list of at most `most` items. `ERR_UNSUPPORTED_TYPE`, `ERR_LIMIT_ELEMENTS`. */
export function jsonList(json: unknown, most: number = MAX_LIST_ELEMENTS): readonly unknown[] {
  if (!Array.isArray(json)) throw notOfType("a list", json);
  if (json.length > most)
    throw refuse("ERR_LIMIT_ELEMENTS", `${json.length} elements, more than a list or a map can have`);
  return json;
}
