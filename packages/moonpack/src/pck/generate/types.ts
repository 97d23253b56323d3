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

/** May values be written from more than what is read? Structs that refer to such are, too: found from these on, back. */
export function looseStructs(structs: readonly Struct[]): ReadonlySet<Struct> {
  const referrers = new Map<Struct, Struct[]>();
  const loose = new Set<Struct>();
  for (const struct of structs) {
    for (const { type, isOptional } of struct.members) {
      if (isOptional || isLoose(type)) loose.add(struct);
      for (const other of structsOf(type)) {
        const known = referrers.get(other);
        if (known === undefined) referrers.set(other, [struct]);
        else known.push(struct);
      }
    }
  }
  for (const struct of loose) for (const referrer of referrers.get(struct) ?? []) loose.add(referrer); // those, too
  return loose;
}

/** Is it so whatever it refers to? */
function isLoose({ kind }: Node): boolean {
  return kind === "array" || kind === "map" || kind === "nullable" || kind === "bytes" || WIDE.has(kind);
}

function structsOf(node: Node): readonly Struct[] {
  if (node.kind === "ref") return [node.struct];
  return node.kind === "union" ? node.arms.map((arm) => arm.struct) : [];
}
