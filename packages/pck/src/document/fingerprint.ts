/** Fingerprints: eight bytes that identify the wire format of a schema (docs/pck-format.md, "Fingerprints"). */
import type { Member, Model, Node, Struct } from "../model/model.js";
import { type SchemaInput, toModel } from "./to-model.js";

const OMIT_TEXT = [
  ["null", "?null"],
  ["empty", "?empty"],
  ["zero", "?zero"],
] as const;

/**
 * Returns the fingerprint of a schema: FNV-1a 64 of its canonical text, little-endian. Names of fields are part of the
 * text; names of structs, defaults, docs and old names are not. Throws `ERR_SCHEMA` for a schema that is not valid.
 *
 * @example
 * fingerprint(schema(ivar("value"), omitNull(ref("next", () => Node)))); // 5a c5 01 d4 8d 97 8c 22
 */
export function fingerprint(schema: SchemaInput): Uint8Array<ArrayBuffer> {
  return fingerprintOf(toModel(schema));
}

/** Returns the fingerprint of a model's root. */
export function fingerprintOf(model: Model): Uint8Array<ArrayBuffer> {
  return fnv1a64(canonicalText(model.root));
}

/** Returns the canonical text of a struct. An explicit stack instead of recursion: structs may be nested 4,096 deep. */
export function canonicalText(root: Struct): string {
  const visited = new Map<Struct, number>();
  const parts: string[] = [];
  const rest: (string | Node | Struct | Member)[] = [root];
  for (let item = rest.pop(); item !== undefined; item = rest.pop()) {
    if (typeof item === "string") parts.push(item);
    else if (isStruct(item)) {
      const seen = visited.get(item);
      if (seen !== undefined) {
        parts.push(`#${seen}`);
        continue;
      }
      visited.set(item, visited.size);
      pushAll(rest, ["{", ...listed(item.ordered), "}"]);
    } else if (isMember(item)) {
      const { omit } = item;
      const flags = OMIT_TEXT.map(([flag, text]) => (omit.has(flag) ? text : "")).join("");
      pushAll(rest, [`${JSON.stringify(item.name)}:`, item.type, flags]);
    } else pushAll(rest, partsOf(item));
  }
  return parts.join("");
}

// Own properties: `in` would also find properties of a polluted Object.prototype.
function isStruct(item: Node | Struct | Member): item is Struct {
  return Object.hasOwn(item, "ordered");
}

function isMember(item: Node | Member): item is Member {
  return Object.hasOwn(item, "omit");
}

/** Pushes items so that the first one is popped first. */
function pushAll<T>(rest: T[], items: readonly T[]): void {
  for (let i = items.length - 1; i >= 0; i--) rest.push(items[i]!);
}

function listed<T>(items: readonly T[]): (T | string)[] {
  return items.flatMap((item, i) => (i === 0 ? [item] : [",", item]));
}

/** Returns the canonical text of a type; inner types and structs are still to be replaced by theirs. */
function partsOf(node: Node): (string | Node | Struct)[] {
  switch (node.kind) {
    case "bytes":
    case "ascii":
      return [node.length === 0 ? node.kind : `${node.kind}(${node.length})`];
    case "enumeration":
      return [`enum[${node.values.map((value) => JSON.stringify(value)).join(",")}]`];
    case "ref":
      return [node.struct];
    case "union": {
      const arms = node.arms.flatMap(({ name, struct }, i) => [
        `${i === 0 ? "" : ","}${JSON.stringify(name)}:`,
        struct,
      ]);
      return ["union[", ...arms, "]"];
    }
    case "array":
      return ["array<", node.element, node.length === 0 ? ">" : `,${node.length}>`];
    case "map":
      return ["map<", node.key, ",", node.value, ">"];
    case "nullable":
      return ["nullable<", node.value, ">"];
    default:
      return [node.kind];
  }
}

/** FNV-1a of 64 bits, computed in two words: http://www.isthe.com/chongo/tech/comp/fnv. The prime is 2^40 + 0x1b3. */
function fnv1a64(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(text);
  let low = 0x84222325;
  let high = 0xcbf29ce4;
  for (let i = 0; i < bytes.length; i++) {
    low = (low ^ bytes[i]!) >>> 0;
    const product = low * 0x1b3;
    high = (high * 0x1b3 + Math.floor(product / 0x100000000) + low * 0x100) % 0x100000000;
    low = product >>> 0;
  }
  const result = new Uint8Array(8);
  const view = new DataView(result.buffer);
  view.setUint32(0, low, true);
  view.setUint32(4, high, true);
  return result;
}
