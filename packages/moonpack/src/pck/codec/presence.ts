/** When an optional field is absent, and what it is then (docs/pck-format.md, "Fields"). */
import type { TypedArrayClass } from "../../bytes/pack-read-lists.js";
import { isEmptyBytes, isEmptyList, isEmptyMap, isEmptyNumbers, isEmptyRecord } from "../../bytes/pack-values.js";
import { isZeroF32 } from "../../bytes/pack-write-numbers.js";
import type { Member, Node } from "../model/model.js";
import { NUMBER_KINDS } from "../schema/types.js";
import type { CodecSettings } from "./settings.js";

/** Is a field of this value absent? A value of a wrong type is not: writing it fails. */
export type Absence = (value: unknown) => boolean;

/** The test of one field, for values as they are written and as they are read. */
export function absenceOf(member: Pick<Member, "omit" | "type">, settings: CodecSettings): Absence {
  const { omit, type } = member;
  const tests: Absence[] = [];
  if (omit.has("empty")) tests.push(isEmptyOf(type, settings));
  if (omit.has("zero")) tests.push(isZeroOf(type));
  const takesNull = omit.has("null");
  const [first, second] = tests;
  if (first === undefined) return (value) => value === undefined || value === null;
  return (value) =>
    value === undefined || (value === null ? takesNull : first(value) || (second !== undefined && second(value)));
}

function isEmptyOf(type: Node, settings: CodecSettings): Absence {
  switch (type.kind) {
    case "bytes":
      return isEmptyBytes;
    case "array":
      return isNumber(type.element) ? isEmptyNumbers : isEmptyList;
    case "map":
      return isObjectMap(type, settings) ? isEmptyRecord : isEmptyMap;
    default:
      return (value) => value === "";
  }
}

/** May a list of these be written from a typed array? */
export function isNumber(element: Node): boolean {
  return NUMBERS.has(element.kind);
}

const NUMBERS: ReadonlySet<string> = /* @__PURE__ */ new Set(NUMBER_KINDS);

function isZeroOf(type: Node): Absence {
  switch (type.kind) {
    case "f64":
      return (value) => Object.is(value, 0);
    case "f32":
      return isZeroF32;
    case "u64":
    case "i64":
    case "uvar64":
    case "ivar64":
      return (value) => value === 0 || value === 0n;
    default:
      return (value) => value === 0;
  }
}

/** Makes what an absent field is read as. */
export function absentValueOf(member: Pick<Member, "omit" | "type">, settings: CodecSettings): () => unknown {
  const { omit, type } = member;
  if (omit.has("null")) return () => null;
  if (omit.has("zero")) {
    const zero = settings.int64 === "bigint" && /64$/.test(type.kind) && type.kind !== "f64" ? 0n : 0;
    return () => zero;
  }
  switch (type.kind) {
    case "bytes":
      return () => new Uint8Array(0);
    case "array":
      return emptyListOf(type.element, settings);
    case "map":
      return isObjectMap(type, settings) ? () => ({}) : () => new Map();
    default:
      return () => "";
  }
}

/** Is a map of this type an object? */
export function isObjectMap(type: Node & { readonly kind: "map" }, settings: Pick<CodecSettings, "maps">): boolean {
  const { kind } = type.key;
  return settings.maps === "object" && (kind === "utf8" || kind === "ascii" || kind === "enumeration");
}

/** The class of typed arrays that lists of this element are read as; undefined for plain lists. */
export function typedArrayOf(
  element: Node,
  settings: Pick<CodecSettings, "typedArrays" | "int64">,
): AnyTypedArrayClass | undefined {
  // Lists of 64-bit integers as numbers have no such class.
  if (!settings.typedArrays || (settings.int64 === "number" && /^[ui]64$/.test(element.kind))) return undefined;
  return TYPED_ARRAYS.get(element.kind);
}

/** A class of typed arrays. */
export interface AnyTypedArrayClass extends TypedArrayClass<{ readonly length: number }> {
  readonly name: string;
  from(list: readonly unknown[]): { readonly length: number };
}

const TYPED_ARRAYS: ReadonlyMap<string, AnyTypedArrayClass> = /* @__PURE__ */ new Map<string, AnyTypedArrayClass>([
  ["u8", Uint8Array],
  ["u16", Uint16Array],
  ["u32", Uint32Array],
  ["i8", Int8Array],
  ["i16", Int16Array],
  ["i32", Int32Array],
  ["f32", Float32Array],
  ["f64", Float64Array],
  ["u64", BigUint64Array as unknown as AnyTypedArrayClass],
  ["i64", BigInt64Array as unknown as AnyTypedArrayClass],
]);

function emptyListOf(element: Node, settings: CodecSettings): () => unknown {
  const Class = typedArrayOf(element, settings);
  return Class === undefined ? () => [] : () => new Class(new ArrayBuffer(0));
}
