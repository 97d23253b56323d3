/** The items of a dump, and their texts. */
import type { DecodeError } from "moonpack/bytes";
import type { Node } from "../model/model.js";

/** One item of a dump. */
export interface Diagnosis {
  /** First byte of the item. */
  readonly offset: number;
  /**
   * One past the item's last byte. A struct, list or map ends where its content begins; a bit shares its byte with others.
   */
  readonly end: number;
  /** Number of structs, lists and maps around the item. */
  readonly depth: number;
  /** Path in the value, `$.a[3]`; a key has the path of its map. */
  readonly path: string;
  /** Key of a map, or any other value. */
  readonly role: "value" | "key";
  /**
   * Type of the item: `uvar`, `struct`, `array(3)`, ..; `bool bit 3` or `absent bit 0` for a bit; `broken` for invalid
   * bytes.
   */
  readonly format: string;
  /** The item for a person: `list of 3`, `"name"`, `1.5`. Long text and bytes are shortened. */
  readonly meaning: string;
  /** The error of a broken message, in the last item of the dump. */
  readonly error?: DecodeError;
}

const SHOWN_CHARACTERS = 64;
const SHOWN_BYTES = 16;

/** Returns the name of a type. */
export function formatOf(node: Node): string {
  switch (node.kind) {
    case "bytes":
    case "ascii":
    case "array":
      return node.length === 0 ? node.kind : `${node.kind}(${node.length})`;
    case "ref":
      return "struct";
    case "nullable":
      return `${formatOf(node.value)} or null`;
    default:
      return node.kind;
  }
}

/** Returns a value as text; for a list or map, its size. */
export function meaningOf(value: unknown): string {
  if (typeof value === "string") return shownText(value);
  if (value instanceof Uint8Array) {
    return value.length === 0 ? "0 bytes" : `${counted(value.length, "byte")}: ${hex(value)}`;
  }
  if (Array.isArray(value)) return `list of ${value.length}`;
  if (value instanceof Map) return `map of ${value.size}`;
  return Object.is(value, -0) ? "-0" : String(value);
}

/** Returns a count as text: `1 byte`, `2 bytes`. */
export function counted(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}

/** Returns bytes in hexadecimal; many bytes are shortened. */
export function hex(bytes: Uint8Array): string {
  const shown = Array.from(bytes.subarray(0, SHOWN_BYTES), (byte) => byte.toString(16).padStart(2, "0"));
  return shown.join(" ") + (bytes.length > SHOWN_BYTES ? " .." : "");
}

/** Returns text as JSON, which shows control characters and quotes. */
function shownText(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return JSON.stringify(text);
  // Surrogate pairs stay whole.
  const cut = (text.charCodeAt(SHOWN_CHARACTERS - 1) & 0xfc00) === 0xd800 ? SHOWN_CHARACTERS - 1 : SHOWN_CHARACTERS;
  return `${JSON.stringify(text.slice(0, cut))}.. (${counted(text.length, "character")})`;
}
