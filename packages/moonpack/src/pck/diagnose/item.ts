/** What a dump consists of. */
import type { DecodeError } from "../../bytes/errors.js";
import type { Node } from "../model/model.js";

/** One item of a dump. */
export interface Diagnosis {
  /** First byte of the item. */
  readonly offset: number;
  /** One past its last byte; of a struct, list or map: past what comes before its content. A bit has no byte of its own. */
  readonly end: number;
  /** Structs, lists and maps around it. */
  readonly depth: number;
  /** Where it lies in the value, `$.a[3]`; a key has the path of its map. */
  readonly path: string;
  /** What it is to what it lies in. */
  readonly role: "value" | "key";
  /** Its type: `uvar`, `struct`, `array(3)`, ..; `bool bit 3`, `absent bit 0` for a bit; `broken` for bytes that are none. */
  readonly format: string;
  /** What it says, for a person: `list of 3`, `"name"`, `1.5`. Long text and data are cut. */
  readonly meaning: string;
  /** What is wrong with it; the last item of the dump has it. */
  readonly error?: DecodeError;
}

const SHOWN_CHARACTERS = 64;
const SHOWN_BYTES = 16;

/** The name of a type, for the column of formats. */
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

/** What a value says; of a list or map, how much is in it. */
export function meaningOf(value: unknown): string {
  if (typeof value === "string") return shownText(value);
  if (value instanceof Uint8Array) {
    return value.length === 0 ? "0 bytes" : `${counted(value.length, "byte")}: ${hex(value)}`;
  }
  if (Array.isArray(value)) return `list of ${value.length}`;
  if (value instanceof Map) return `map of ${value.size}`;
  return Object.is(value, -0) ? "-0" : String(value);
}

/** `1 byte`, `2 bytes`. */
export function counted(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}

/** Bytes in hexadecimal; many are cut. */
export function hex(bytes: Uint8Array): string {
  const shown = Array.from(bytes.subarray(0, SHOWN_BYTES), (byte) => byte.toString(16).padStart(2, "0"));
  return shown.join(" ") + (bytes.length > SHOWN_BYTES ? " .." : "");
}

/** The JSON form shows control characters and quotes. */
function shownText(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return JSON.stringify(text);
  // A pair of surrogates is not cut in two.
  const cut = (text.charCodeAt(SHOWN_CHARACTERS - 1) & 0xfc00) === 0xd800 ? SHOWN_CHARACTERS - 1 : SHOWN_CHARACTERS;
  return `${JSON.stringify(text.slice(0, cut))}.. (${counted(text.length, "character")})`;
}
