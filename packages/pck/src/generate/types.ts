/** The TypeScript types of fields: of decoded values, of values to encode, of keys. */

import { isObjectMap, typedArrayOf } from "../closures/representation.js";
import type { Member, Node, Struct } from "../model/model.js";
import type { CodecSettings } from "../settings.js";
import { isIdentifier, quoted } from "./code.js";

/** Which values a type is for: decoded values, values to encode, keys of maps. */
export type Face = "out" | "in" | "key";

/** The context in which a type's text is written: the options of the codec, and the names of structs. */
export interface TypeScope {
  readonly target: Pick<CodecSettings, "int64" | "maps" | "typedArrays">;
  nameOf(struct: Struct): string;
  /** True if values to encode have a separate type. */
  hasInputType(struct: Struct): boolean;
}

const WIDE: ReadonlySet<string> = /* @__PURE__ */ new Set(["u64", "i64", "uvar64", "ivar64"]);

/** True for an integer of 64 bits, which a number may not hold exactly. */
export function isWide(kind: Node["kind"]): boolean {
  return WIDE.has(kind);
}

/** Typed arrays that can be encoded as a list of numbers. */
const NUMBER_ARRAYS =
  "Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array";

/** Returns the type of a value. */
export function inType(scope: TypeScope, node: Node, face: Face): string {
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
      return structType(scope, node.struct, face);
    case "union":
      return node.arms
        .map(({ name, struct }) => {
          const key = isIdentifier(node.discriminator) ? node.discriminator : quoted(node.discriminator);
          return `({ ${face === "in" ? "readonly " : ""}${key}: ${quoted(name)} } & ${structType(scope, struct, face)})`;
        })
        .join(" | ");
    case "array":
      return listType(scope, node, face);
    case "map": {
      const value = inType(scope, node.value, face);
      const isObject = isObjectMap(node, scope.target);
      const key = inType(scope, node.key, face === "out" ? "key" : face);
      if (face === "out") return isObject ? `{ [name: string]: ${value} }` : `Map<${key}, ${value}>`;
      const map = `ReadonlyMap<${key}, ${value}>`;
      return isObject ? `${map} | { readonly [name: string]: ${value} }` : map;
    }
    case "nullable": {
      const value = inType(scope, node.value, face);
      return face === "in" ? `${value} | null | undefined` : `${value} | null`;
    }
    default:
      if (!isWide(node.kind)) return "number";
      if (face === "in") return "bigint | number";
      return face === "out" && scope.target.int64 === "number" ? "number" : "bigint";
  }
}

function listType(scope: TypeScope, node: Node & { readonly kind: "array" }, face: Face): string {
  const { element } = node;
  const item = inType(scope, element, face);
  const list = /[|&]|^readonly /.test(item) ? `(${item})[]` : `${item}[]`;
  if (face !== "in") {
    const Typed = typedArrayOf(element, scope.target);
    return Typed === undefined ? list : `${Typed.name}<ArrayBuffer>`;
  }
  if (isWide(element.kind)) return `readonly ${list} | BigInt64Array | BigUint64Array`;
  return item === "number" ? `readonly ${list} | ${NUMBER_ARRAYS}` : `readonly ${list}`;
}

/** Returns the type of a struct. */
export function structType(scope: TypeScope, struct: Struct, face: Face): string {
  const name = scope.nameOf(struct);
  return face === "in" && scope.hasInputType(struct) ? `${name}Input` : name;
}

/** Returns the type of a field. The caller writes the `?` of an optional one. */
export function memberType(scope: TypeScope, member: Member, face: Face): string {
  const type = inType(scope, member.type, face);
  if (member.omit.has("null")) return face === "in" ? `${type} | null | undefined` : `${type} | null`;
  return face === "in" && member.isOptional ? `${type} | undefined` : type;
}

/**
 * Returns the structs whose values to encode may have more types than decoded ones, including the structs that refer to such
 * a struct.
 */
export function structsWithInputType(structs: readonly Struct[]): ReadonlySet<Struct> {
  const referrers = new Map<Struct, Struct[]>();
  const withInputType = new Set<Struct>();
  for (const struct of structs) {
    for (const { type, isOptional } of struct.members) {
      if (isOptional || hasInputType(type)) withInputType.add(struct);
      for (const other of structsOf(type)) {
        const known = referrers.get(other);
        if (known === undefined) referrers.set(other, [struct]);
        else known.push(struct);
      }
    }
  }
  for (const struct of withInputType) for (const referrer of referrers.get(struct) ?? []) withInputType.add(referrer); // a set grows while it is iterated
  return withInputType;
}

/** True for a type that has two types in TypeScript by itself. */
function hasInputType({ kind }: Node): boolean {
  return kind === "array" || kind === "map" || kind === "nullable" || kind === "bytes" || isWide(kind);
}

function structsOf(node: Node): readonly Struct[] {
  if (node.kind === "ref") return [node.struct];
  return node.kind === "union" ? node.arms.map((arm) => arm.struct) : [];
}
