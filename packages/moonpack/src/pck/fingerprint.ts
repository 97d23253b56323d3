/** Fingerprints: eight bytes that say what a schema's bytes look like (docs/pck-format.md, "Evolution"). */
import type { Member, Model, Node, Struct } from "./model/model.js";
import { type SchemaInput, toModel } from "./to-model.js";

const OMIT_TEXT = [
  ["null", "?null"],
  ["empty", "?empty"],
  ["zero", "?zero"],
] as const;

/**
 * FNV-1a 64 of the schema's canonical text, little-endian. Names of fields count, those of structs do not; nor do
 * defaults, docs and old names. `ERR_SCHEMA` for a schema that is not valid.
 *
 * @example
 * fingerprint(schema(ivar("value"), omitNull(ref("next", () => Node)))); // 5a c5 01 d4 8d 97 8c 22
 */
export function fingerprint(schema: SchemaInput): Uint8Array<ArrayBuffer> {
  return fingerprintOf(toModel(schema));
}

/** The fingerprint of a model's root. */
export function fingerprintOf(model: Model): Uint8Array<ArrayBuffer> {
  return fnv1a64(canonicalText(model.root));
}

/** The text that the fingerprint stands for. Without recursion: structs may be nested 4,096 deep. */
export function canonicalText(root: Struct): string {
  const visited = new Map<Struct, number>();
  const parts: string[] = [];
  // What is still to be written, last first.
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
    } else pushAll(rest, typeText(item));
  }
  return parts.join("");
}

// By own properties: `in` would find what somebody put on Object.prototype.
function isStruct(item: Node | Struct | Member): item is Struct {
  return Object.hasOwn(item, "ordered");
}

function isMember(item: Node | Member): item is Member {
  return Object.hasOwn(item, "omit");
}

function pushAll<T>(rest: T[], items: readonly T[]): void {
  for (let i = items.length - 1; i >= 0; i--) rest.push(items[i]!);
}

function listed<T>(items: readonly T[]): (T | string)[] {
  return items.flatMap((item, i) => (i === 0 ? [item] : [",", item]));
}

function typeText(node: Node): (string | Node | Struct)[] {
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

/** FNV-1a with 64 bits in two words: http://www.isthe.com/chongo/tech/comp/fnv. The prime is 2^40 + 0x1b3. */
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
