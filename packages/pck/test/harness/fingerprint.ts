/** The reference model of PCK, 7: fingerprints ("Fingerprints"). */
import type { Layout } from "./layout.ts";
import { type DocumentField, type DocumentType, shapeOf } from "./shape.ts";
import { hexOf, utf8Of } from "./text.ts";

/** Returns the canonical text of a layout's root. */
export function canonicalReference(layout: Layout): string {
  const visited: string[] = [];
  const struct = (name: string): string => {
    const seen = visited.indexOf(name);
    if (seen >= 0) return `#${seen}`;
    visited.push(name);
    return `{${layout.ordered(name).map(field).join(",")}}`;
  };
  const field = ({ name, type: of, omit = [] }: DocumentField): string => {
    const flags = (["null", "empty", "zero"] as const).filter((flag) => omit.includes(flag)).map((flag) => `?${flag}`);
    return `${JSON.stringify(name)}:${type(of)}${flags.join("")}`;
  };
  const type = (of: DocumentType): string => {
    if (typeof of === "string") return of;
    const shape = shapeOf(of);
    switch (shape.is) {
      case "bytes":
      case "ascii":
        return `${shape.is}(${shape.length})`;
      case "enumeration":
        return `enum[${shape.values.map((value) => JSON.stringify(value)).join(",")}]`;
      case "ref":
        return struct(shape.struct);
      case "union":
        return `union[${shape.arms.map(([arm, name]) => `${JSON.stringify(arm)}:${struct(name)}`).join(",")}]`;
      case "array":
        return `array<${type(shape.element)}${shape.length === undefined ? "" : `,${shape.length}`}>`;
      case "map":
        return `map<${type(shape.key)},${type(shape.value)}>`;
      case "nullable":
        return `nullable<${type(shape.value)}>`;
      default:
        throw new Error(`${shape.is} is a name`);
    }
  };
  return struct(layout.doc.root);
}

/** Returns FNV-1a 64 of the canonical text: 8 bytes, little-endian, in hexadecimal. */
export function fingerprintReference(layout: Layout): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of utf8Of(canonicalReference(layout)))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hexOf(Array.from({ length: 8 }, (_, i) => Number((hash >> BigInt(8 * i)) & 255n)));
}
