/**
 * The omit flags of fields (`omitNull`, `omitEmpty`, `omitZero`): which values are absent, and how absent fields are read
 * (docs/pck-format.md, "Optional fields"). Generated code decides the same in generate/write-struct.ts.
 */

import { isNumberKind, isWide, type MapNode, type Member, type Node } from "../model/model.js";
import type { TypedArrayClass } from "../runtime/read-lists.js";
import { frozen, frozenMap } from "../runtime/shared-empty.js";
import { isEmptyBytes, isEmptyList, isEmptyMap, isEmptyNumbers, isEmptyRecord } from "../runtime/value-kinds.js";
import { isZeroF32 } from "../runtime/write-numbers.js";
import type { CodecSettings } from "../settings.js";

/** True for values that make a field absent. False for values of a wrong type: writing them throws. */
export type AbsenceTest = (value: unknown) => boolean;

/** Returns the absence test of a field: for values to write, and for decoded values. */
export function absenceOf(member: Pick<Member, "omit" | "type">, settings: CodecSettings): AbsenceTest {
  const { omit, type } = member;
  const tests: AbsenceTest[] = [];
  if (omit.has("empty")) tests.push(isEmptyOf(type, settings));
  if (omit.has("zero")) tests.push(isZeroOf(type));
  const takesNull = omit.has("null");
  const [first, second] = tests;
  if (first === undefined) return (value) => value === undefined || value === null;
  return (value) =>
    value === undefined || (value === null ? takesNull : first(value) || (second !== undefined && second(value)));
}

/** The values that `omitEmpty` writes as absent: no bytes but a presence bit 0. */
function isEmptyOf(type: Node, settings: CodecSettings): AbsenceTest {
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

/** True for numbers: a list of them may be written from a typed array. */
export function isNumber(element: Node): boolean {
  return isNumberKind(element.kind);
}

/** The values that `omitZero` writes as absent. -0 is not 0 for floats. */
function isZeroOf({ kind }: Node): AbsenceTest {
  if (kind === "f32") return isZeroF32;
  if (kind === "f64") return (value) => Object.is(value, 0);
  return isWide(kind) ? (value) => value === 0 || value === 0n : (value) => value === 0;
}

/** Returns a function that makes the value of an absent field. */
export function absentValueOf(member: Pick<Member, "omit" | "type">, settings: CodecSettings): () => unknown {
  const { omit, type } = member;
  if (omit.has("null")) return () => null;
  if (omit.has("zero")) {
    const zero = settings.int64 === "bigint" && isWide(type.kind) ? 0n : 0;
    return () => zero;
  }
  if (settings.absent === "shared") {
    const shared = sharedEmptyOf(type, settings);
    return () => shared;
  }
  return emptyOf(type, settings);
}

function emptyOf(type: Node, settings: CodecSettings): () => unknown {
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

function sharedEmptyOf(type: Node, settings: CodecSettings): unknown {
  if (type.kind === "map" && !isObjectMap(type, settings)) return frozenMap();
  const empty = emptyOf(type, settings)();
  return typeof empty === "object" ? frozen(empty as object) : empty;
}

/** True for maps that are decoded as objects. */
export function isObjectMap(type: MapNode, settings: Pick<CodecSettings, "maps">): boolean {
  const { kind } = type.key;
  return settings.maps === "object" && (kind === "utf8" || kind === "ascii" || kind === "enumeration");
}

/** Returns the typed-array class that lists of this element are decoded as; undefined for arrays. */
export function typedArrayOf(
  element: Node,
  settings: Pick<CodecSettings, "typedArrays" | "int64">,
): AnyTypedArrayClass | undefined {
  // No class holds 64-bit integers as numbers.
  if (!settings.typedArrays || (settings.int64 === "number" && isWide(element.kind))) return undefined;
  return TYPED_ARRAYS.get(element.kind);
}

/** A class of typed arrays, whatever its elements are. */
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
