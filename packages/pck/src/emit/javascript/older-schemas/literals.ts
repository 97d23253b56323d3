/** Values of a schema as expressions: defaults, and the values of absent fields. */
import { isObjectMap, typedArrayOf } from "../../../closures/representation.js";
import { isWide } from "../../../evolve/numbers.js";
import { entryOf, quoted } from "../../../generate/code.js";
import type { Module } from "../../../generate/module.js";
import { inType } from "../../../generate/types.js";
import type { Member, Node, Struct } from "../../../model/model.js";

/**
 * Returns the expression of a value as `decode` returns it; null if it contains an integer that a number cannot hold exactly.
 */
export function literalOf(module: Module, node: Node, value: unknown): string | null {
  switch (node.kind) {
    case "bool":
      return String(value);
    case "utf8":
    case "ascii":
    case "enumeration":
      return quoted(value as string);
    case "bytes":
      return numbersOf("Uint8Array", Array.from(value as Uint8Array, String));
    case "ref":
      return objectOf(module, node.struct, value as object, []);
    case "union": {
      const kind = Reflect.get(value as object, node.discriminator) as string;
      const { struct } = node.arms.find((arm) => arm.name === kind)!;
      return objectOf(module, struct, value as object, [entryOf(node.discriminator, quoted(kind))]);
    }
    case "array":
      return listOf(module, node, value as readonly unknown[]);
    case "map":
      return mapOf(module, node, value as ReadonlyMap<unknown, unknown>);
    case "nullable":
      return value === null ? "null" : literalOf(module, node.value, value);
    default:
      return isWide(node.kind) ? wideOf(module, value as bigint) : numberText(value as number);
  }
}

/** Returns the expression of an absent field: 0, or an empty value. */
export function absentOf(module: Module, kind: "zero" | "empty", type: Node): string {
  if (kind === "zero") return isWide(type.kind) && module.target.int64 === "bigint" ? "0n" : "0";
  switch (type.kind) {
    case "bytes":
      return module.empty("new Uint8Array(0)");
    case "array": {
      const Typed = typedArrayOf(type.element, module.target);
      return module.empty(Typed === undefined ? "[]" : `new ${Typed.name}(0)`);
    }
    case "map":
      return module.empty(isObjectMap(type, module.target) ? "{}" : "new Map()");
    default:
      return '""';
  }
}

function numberText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

function wideOf({ target }: Module, value: bigint): string | null {
  if (target.int64 === "bigint") return `${value}n`;
  return Number.isSafeInteger(Number(value)) ? String(value) : null;
}

function objectOf(module: Module, struct: Struct, value: object, first: readonly string[]): string | null {
  const texts = struct.members.map((member) => memberOf(module, member, Reflect.get(value, member.name)));
  if (texts.includes(null)) return null;
  const entries = [...first, ...struct.members.map((member, i) => entryOf(member.name, texts[i]!))];
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

function memberOf(module: Module, { type }: Member, value: unknown): string | null {
  return value === null ? "null" : literalOf(module, type, value);
}

function listOf(module: Module, node: Node & { readonly kind: "array" }, list: readonly unknown[]): string | null {
  const texts = list.map((item) => literalOf(module, node.element, item));
  if (texts.includes(null)) return null;
  const Typed = typedArrayOf(node.element, module.target);
  return Typed === undefined ? `[${texts.join(", ")}]` : numbersOf(Typed.name, texts as string[]);
}

function numbersOf(type: string, texts: readonly string[]): string {
  return texts.length === 0 ? `new ${type}(0)` : `${type}.of(${texts.join(", ")})`;
}

function mapOf(
  module: Module,
  node: Node & { readonly kind: "map" },
  map: ReadonlyMap<unknown, unknown>,
): string | null {
  const values = [...map.values()].map((value) => literalOf(module, node.value, value));
  if (values.includes(null)) return null;
  const keys = [...map.keys()];
  if (isObjectMap(node, module.target)) {
    const entries = keys.map((key, i) => entryOf(key as string, values[i]!));
    return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
  }
  if (keys.length === 0) return "new Map()";
  const types = module.typed(`<${inType(module, node.key, "key")}, ${inType(module, node.value, "out")}>`);
  // Keys of 64 bits are always bigints.
  const entries = keys.map((key, i) => `[${typeof key === "string" ? quoted(key) : keyText(key)}, ${values[i]}]`);
  return `new Map${types}([${entries.join(", ")}])`;
}

function keyText(key: unknown): string {
  return typeof key === "bigint" ? `${key}n` : String(key);
}
