/** The TypeScript types of fields: as they are read, as they may be written, as keys. */

import { isObjectMap, typedArrayOf } from "../codec/presence.js";
import type { Member, Node, Struct } from "../model/model.js";
import { isIdentifier, quoted } from "./code.js";
import type { Module } from "./module.js";

/** Which of a type's faces: values as they are read, as they may be written, and as a map's keys. */
export type Face = "out" | "in" | "key";

const WIDE: ReadonlySet<string> = /* @__PURE__ */ new Set(["u64", "i64", "uvar64", "ivar64"]);

/** Typed arrays that a list of numbers may be written from. */
const NUMBER_ARRAYS =
  "Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array";

/** The type of a value. */
export function inType(module: Module, node: Node, face: Face): string {
  switch (node.kind) {
    case "bool":
      return "boolean";
    case "utf8":
    case "ascii":
      return "string";
    case "bytes":
      return face === "in" ? "Uint8Array" : "Uint8Array<ArrayBuffer>";
    case "enumeration":
      return node.values.map(quoted).join(" | ");
    case "ref":
      return structType(module, node.struct, face);
    case "union":
      return node.arms
        .map(({ name, struct }) => {
          const key = isIdentifier(node.discriminator) ? node.discriminator : quoted(node.discriminator);
          return `({ ${face === "in" ? "readonly " : ""}${key}: ${quoted(name)} } & ${structType(module, struct, face)})`;
        })
        .join(" | ");
    case "array":
      return listType(module, node, face);
    case "map": {
      const value = inType(module, node.value, face);
      const isObject = isObjectMap(node, module.target);
      const key = inType(module, node.key, face === "out" ? "key" : face);
      if (face === "out") return isObject ? `{ [name: string]: ${value} }` : `Map<${key}, ${value}>`;
      const map = `ReadonlyMap<${key}, ${value}>`;
      return isObject ? `${map} | { readonly [name: string]: ${value} }` : map;
    }
    case "nullable": {
      const value = inType(module, node.value, face);
      return face === "in" ? `${value} | null | undefined` : `${value} | null`;
    }
    default:
      if (!WIDE.has(node.kind)) return "number";
      if (face === "in") return "bigint | number";
      return face === "out" && module.target.int64 === "number" ? "number" : "bigint";
  }
}

function listType(module: Module, node: Node & { readonly kind: "array" }, face: Face): string {
  const { element } = node;
  const item = inType(module, element, face);
  const list = /[|&]|^readonly /.test(item) ? `(${item})[]` : `${item}[]`;
  if (face !== "in") {
    const Typed = typedArrayOf(element, module.target);
    return Typed === undefined ? list : `${Typed.name}<ArrayBuffer>`;
  }
  if (WIDE.has(element.kind)) return `readonly ${list} | BigInt64Array | BigUint64Array`;
  return item === "number" ? `readonly ${list} | ${NUMBER_ARRAYS}` : `readonly ${list}`;
}

/** The type of a struct. */
export function structType(module: Module, struct: Struct, face: Face): string {
  const name = module.nameOf(struct);
  return face === "in" && module.isLoose(struct) ? `${name}Input` : name;
}

/** The type of a field; where it may be left out, the `?` is the caller's. */
export function memberType(module: Module, member: Member, face: Face): string {
  const type = inType(module, member.type, face);
  if (member.omit.has("null")) return face === "in" ? `${type} | null | undefined` : `${type} | null`;
  return face === "in" && member.isOptional ? `${type} | undefined` : type;
}

/** May values be written from more than what is read? Structs that refer to such are, too. */
export function looseStructs(structs: readonly Struct[]): ReadonlySet<Struct> {
  const loose = new Set(
    structs.filter((struct) => struct.members.some((m) => m.isOptional || isLoose(m.type, new Set()))),
  );
  for (let size = -1; size !== loose.size; ) {
    size = loose.size;
    for (const struct of structs) if (struct.members.some((member) => isLoose(member.type, loose))) loose.add(struct);
  }
  return loose;
}

function isLoose(node: Node, loose: ReadonlySet<Struct>): boolean {
  switch (node.kind) {
    case "ref":
      return loose.has(node.struct);
    case "union":
      return node.arms.some((arm) => loose.has(arm.struct));
    case "array":
    case "map":
    case "nullable":
    case "bytes":
      return true;
    default:
      return WIDE.has(node.kind);
  }
}
