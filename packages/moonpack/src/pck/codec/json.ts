/** Values in JSON, for vectors, defaults and people (docs/pck-format.md, "Values in JSON"). */

import { pathStep } from "../../bytes/errors.js";
import { keyStep, notOfType, refuse, within } from "../../bytes/pack-writer.js";
import type { Node, Struct } from "../model/model.js";
import { fromBase64, toBase64 } from "./base64.js";

const INTEGER = /^(?:0|-?[1-9][0-9]{0,19})$/;
const WIDE: ReadonlySet<string> = /* @__PURE__ */ new Set(["u64", "i64", "uvar64", "ivar64"]);
const FLOATS: ReadonlySet<string> = /* @__PURE__ */ new Set(["f32", "f64"]);

/** The JSON form of a value as `decode` gives it with the default options. */
export function toJson(node: Node, value: unknown): unknown {
  switch (node.kind) {
    case "u64":
    case "i64":
    case "uvar64":
    case "ivar64":
      return String(value);
    case "f32":
    case "f64":
      return Object.is(value, -0) ? "-0" : Number.isFinite(value) ? value : String(value);
    case "bytes":
      return toBase64(value as Uint8Array);
    case "ref":
      return structToJson(node.struct, value as Record<string, unknown>);
    case "union": {
      const object = value as Record<string, unknown>;
      const { discriminator } = node;
      const arm = node.arms.find(({ name }) => name === object[discriminator])!;
      return Object.fromEntries([[discriminator, arm.name], ...Object.entries(structToJson(arm.struct, object))]);
    }
    case "array":
      return (value as unknown[]).map((item) => toJson(node.element, item));
    case "map":
      return [...(value as Map<unknown, unknown>)].map(([key, item]) => [
        toJson(node.key, key),
        toJson(node.value, item),
      ]);
    case "nullable":
      return value === null ? null : toJson(node.value, value);
    default:
      return value;
  }
}

/** The JSON form of a struct. */
export function structToJson(struct: Struct, value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    struct.members.map(({ name, type }) => {
      const member = value[name];
      return [name, member === null ? null : toJson(type, member)];
    }),
  );
}

/** What a JSON form stands for, nested so deep at most; what it is worth is looked at when it is written. */
export function fromJson(node: Node, json: unknown, left: number): unknown {
  if (left < 0) throw refuse("ERR_LIMIT_DEPTH", "nested too deeply");
  if (WIDE.has(node.kind)) {
    if (typeof json === "string" && INTEGER.test(json)) return BigInt(json);
    throw notOfType("a decimal string", json);
  }
  if (FLOATS.has(node.kind) && typeof json === "string") {
    if (json === "NaN" || json === "Infinity" || json === "-Infinity" || json === "-0") return Number(json);
    throw notOfType("a number", json);
  }
  switch (node.kind) {
    case "bytes": {
      const bytes = typeof json === "string" ? fromBase64(json) : null;
      if (bytes === null) throw notOfType("padded base64", json);
      return bytes;
    }
    case "ref":
      return structFromJson(node.struct, json, left - 1);
    case "union": {
      const object = recordOf(json);
      const { discriminator } = node;
      const name = Object.hasOwn(object, discriminator) ? object[discriminator] : undefined;
      const arm = node.arms.find((candidate) => candidate.name === name);
      if (arm === undefined) {
        const refusal =
          typeof name === "string" ? refuse("ERR_OUT_OF_RANGE", "unknown arm") : notOfType("a name", name);
        throw within(refusal, pathStep(discriminator));
      }
      return Object.fromEntries([
        [discriminator, name],
        ...Object.entries(structFromJson(arm.struct, object, left - 1)),
      ]);
    }
    case "array":
      return listOf(json).map((item, i) => at(`[${i}]`, () => fromJson(node.element, item, left - 1)));
    case "map":
      return mapFromJson(node, json, left - 1);
    case "nullable":
      return json === null ? null : fromJson(node.value, json, left);
    default:
      return json;
  }
}

function mapFromJson(node: Node & { readonly kind: "map" }, json: unknown, left: number): Map<unknown, unknown> {
  const map = new Map<unknown, unknown>();
  for (const [i, pair] of listOf(json).entries()) {
    if (!Array.isArray(pair) || pair.length !== 2) throw within(notOfType("a pair", pair), `[${i}]`);
    const key = at(`[${i}]`, () => fromJson(node.key, pair[0], left));
    if (map.has(key)) throw within(refuse("ERR_DUPLICATE_KEY", "a key is there twice"), keyStep(key));
    map.set(
      key,
      at(keyStep(key), () => fromJson(node.value, pair[1], left)),
    );
  }
  return map;
}

/** What the JSON form of a struct stands for; missing fields stay so. */
export function structFromJson(struct: Struct, json: unknown, left: number): Record<string, unknown> {
  const object = recordOf(json);
  const entries: [string, unknown][] = [];
  for (const { name, type } of struct.members) {
    if (!Object.hasOwn(object, name)) continue;
    const member = object[name];
    entries.push([name, member === null ? null : at(pathStep(name), () => fromJson(type, member, left))]);
  }
  return Object.fromEntries(entries);
}

function at<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw within(error, path);
  }
}

function recordOf(json: unknown): Record<string, unknown> {
  if (typeof json === "object" && json !== null && !Array.isArray(json)) return json as Record<string, unknown>;
  throw notOfType("an object", json);
}

function listOf(json: unknown): readonly unknown[] {
  if (Array.isArray(json)) return json;
  throw notOfType("a list", json);
}
